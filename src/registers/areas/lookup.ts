/**
 * The name is always given; the geometry is best effort (D42), rendered once per version in a
 * thread, cached compressed.
 */
import type { WithTail } from '../../answers/register-meta.ts';
import type { AreaList } from './list.ts';
import type { ReverseAreas } from './reverse.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Cache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Flights } from '../../kernel/remember.ts';
import { Failure } from '../../kernel/failures.ts';
import type { GzipPiece } from '../../kernel/gzip.ts';
import { mayBeUnread } from '../../geo/unanswered.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { within } from '../../kernel/within.ts';
import type { AreaLayer, Catalogue } from '../../layers/catalogue.ts';
import type { Theme } from '../../layers/keys.ts';
import { copyAgeS } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { OriginQuestion } from '../../layers/believable.ts';
import type { OriginArea } from './origin.ts';
import type { AreasFound, StoredArea } from './store.ts';
import type { AreaAnswer, AreaGeometry, Provenance, Watcher } from '../../answers/answer.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { FROM_ORIGIN, standingOf } from '../../core/standing/standing.ts';
import type { Standing } from '../../core/standing/standing.ts';
import { RegisterStates, reportedState } from '../../core/standing/register-state.ts';
import type { RegisterReading } from '../../core/standing/register-state.ts';
import type { RegisterState } from '../../core/standing/register-state.ts';
import type { SnapshotSet } from '../../core/held/snapshot-set.ts';

export interface AreasDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Answers while the store is unavailable or slow. */
  readonly memory?: () => SnapshotSet | null;
  readonly isStoreUnavailable?: () => boolean;
  readonly readStore: (theme: Theme, codes: readonly string[]) => Promise<AreasFound>;
  /** null: the content is gone. */
  readonly readGeometry: (area: StoredArea) => Promise<Uint8Array | null>;
  /** null: the register has no such code. Throws when it cannot be read. */
  readonly askOrigin: (
    theme: Theme,
    code: string,
    asking: OriginQuestion,
  ) => Promise<OriginArea | null>;
  readonly render: (wkb: Uint8Array) => Promise<GzipPiece>;
  readonly rendered: Cache<GzipPiece>;
  readonly onExpired?: (theme: Theme) => void;
  readonly watcher?: Watcher;
}

export interface Areas {
  find(theme: Theme, codes: readonly string[], deadline: Deadline): Promise<AreasAnswer>;
}

export interface AreasAnswer {
  readonly generation: number;
  readonly value: readonly (AreaAnswer | Failure)[];
  readonly unknownBy?: readonly Provenance[];
}

/** D40: unpadded digits are padded; null: not a code. */
export function registerCode(given: string): string | null {
  return /^\d{1,4}$/.test(given) ? given.padStart(4, '0') : null;
}

interface CopiedArea extends Pick<StoredArea, 'code' | 'name' | 'regionCode'> {
  readonly contentHash: string;
  /** 2D, EPSG:25832; null: it is gone. */
  readonly wkb: () => Promise<Uint8Array | null>;
}

interface CopiedAreas {
  readonly by: 'store' | 'snapshot';
  readonly generation: number;
  readonly state: PublishedCopy | null;
  /** A guard refused the register's latest reading; null: unknown. */
  readonly refused: boolean | null;
  readonly areas: readonly CopiedArea[];
}

const NOTHING_COPIED = { by: 'store', state: null, refused: null, areas: [] } as const;

/** In the order of the codes; an unknown code is a Failure and the others answer (D40, D49). */
export function createAreas(deps: AreasDeps): Areas {
  const rendering: Rendering = new Flights();
  const registerStates = new RegisterStates();
  /** Reported by answers without a copy. */
  let newest = 0;
  return {
    find: async (theme, codes, deadline) => {
      const wanted = codes.map(registerCode);
      const reading = registerStates.begin();
      const known = wanted.filter((code) => code !== null);
      const copied = await readCopy({ deps, theme, deadline }, known);
      const stored = copied ?? { ...NOTHING_COPIED, generation: newest };
      newest = Math.max(newest, stored.generation);
      const unknownBy: Provenance[] = [];
      const judged = judgedCopy({ deps, theme, stored }, reading);
      if (judged.standing.wantsSync && known.length > 0) deps.onExpired?.(theme);
      const climb: Climb = { deps, rendering, theme, stored, deadline, unknownBy, ...judged };
      const value = await Promise.all(
        codes.map(async (given, n) => {
          const code = wanted[n] ?? null;
          return code === null ? noCode(climb, given) : await answerCode(climb, code);
        }),
      );
      if (deps.watcher !== undefined) tell(deps.watcher, theme, value);
      return { generation: stored.generation, value, unknownBy };
    },
  };
}

/** Memory answers while the store is unavailable or slow. */
async function readCopy(
  { deps, theme, deadline }: Pick<Climb, 'deps' | 'theme' | 'deadline'>,
  codes: readonly string[],
): Promise<CopiedAreas | null> {
  const inMemory = copyInMemory(deps.memory?.() ?? null, theme, codes);
  if (inMemory !== null && deps.isStoreUnavailable?.() === true) return inMemory;
  const stored = copyInStore(deps, theme, codes).catch((error: unknown) => {
    deadline.storeFailed?.(error);
    return null;
  });
  if (inMemory === null) return await stored;
  return (await within(LIMITS.areaStoreMs, stored, () => null)) ?? inMemory;
}

async function copyInStore(
  deps: AreasDeps,
  theme: Theme,
  codes: readonly string[],
): Promise<CopiedAreas> {
  const { generation, state, refused, areas } = await deps.readStore(theme, codes);
  const copied = areas.map((area) => ({
    ...area,
    contentHash: area.contentHash.toString('hex'),
    wkb: () => deps.readGeometry(area),
  }));
  return { by: 'store', generation, state, refused, areas: copied };
}

function copyInMemory(
  set: SnapshotSet | null,
  theme: Theme,
  codes: readonly string[],
): CopiedAreas | null {
  const found = set?.areasByCode(theme, codes) ?? null;
  if (set === null || found === null) return null;
  const areas = found.areas.map((area) => ({ ...area, wkb: () => Promise.resolve(area.wkb()) }));
  // Then memory's own state of the register counts.
  return { by: 'snapshot', generation: set.generation, state: found.copy, refused: null, areas };
}

/** "Unknown code" is an answer of the source; only 502 and 503 are failures. */
function tell(watcher: Watcher, theme: Theme, value: readonly (AreaAnswer | Failure)[]): void {
  for (const answer of value) {
    if (!(answer instanceof Failure)) watcher.answered(theme, answer.provenance.rung);
    else if (answer.type !== 'not_found') watcher.answered(theme, 'unavailable');
  }
}

type Rendering = Flights<string, GzipPiece | null>;

interface Judged {
  readonly register: RegisterState;
  readonly standing: Standing;
}

interface Climb extends Judged {
  readonly deps: AreasDeps;
  readonly rendering: Rendering;
  readonly theme: Theme;
  readonly stored: CopiedAreas;
  readonly deadline: Deadline;
  readonly unknownBy: Provenance[];
}

function judgedCopy(
  { deps, theme, stored }: Pick<Climb, 'deps' | 'theme' | 'stored'>,
  reading: RegisterReading,
): Judged {
  const reported = reportedState(stored.state, stored.refused);
  const register = reading.of(theme, reported, deps.memory?.() ?? null);
  const { freshness } = deps.catalogue.areas[theme];
  const moment = { nowMs: deps.clock.nowMs(), by: stored.by, register };
  return { register, standing: standingOf(stored.state, freshness, moment) };
}

function noCode(climb: Climb, given: string): Failure {
  const { first } = climb.standing;
  if (first !== 'origin' && first !== 'unavailable') climb.unknownBy.push(first);
  return unknownCode(climb.deps.catalogue.areas[climb.theme], given);
}

async function answerCode(climb: Climb, code: string): Promise<AreaAnswer | Failure> {
  const { deps, theme, standing, stored } = climb;
  const copy = stored.state;
  const { first, last } = standing;
  if (first === 'unavailable') return nameOnly(climb, code, copy);
  if (first !== 'origin') return await fromCopy(climb, code, first);
  try {
    return await fromOrigin(climb, code);
  } catch (cause) {
    deps.watcher?.originFailed(theme, cause);
    if (copy === null) return notAnswered(theme, cause);
    return last === null ? nameOnly(climb, code, copy) : await fromCopy(climb, code, last);
  }
}

async function fromCopy(
  climb: Climb,
  code: string,
  provenance: Provenance,
): Promise<AreaAnswer | Failure> {
  const area = climb.stored.areas.find((one) => one.code === code);
  if (area === undefined) {
    if (mayBeUnread(climb.stored.state?.unanswered, code)) return unreadArea(climb.theme, code);
    climb.unknownBy.push(provenance);
    return unknownCode(climb.deps.catalogue.areas[climb.theme], code);
  }
  const { name, regionCode, contentHash, wkb } = area;
  // The name alone where rendering fails (D42).
  const geometry = await geometryOf(climb, contentHash, wkb).catch(() => null);
  return { theme: climb.theme, code, name, regionCode, geometry, provenance };
}

async function geometryOf(
  { deps, rendering }: Climb,
  contentHash: string,
  readWkb: () => Promise<Uint8Array | null>,
): Promise<AreaGeometry | null> {
  const render = async (): Promise<GzipPiece | null> => {
    const wkb = await readWkb();
    if (wkb === null) return null;
    const json = await deps.render(wkb);
    deps.rendered.set(contentHash, json);
    return json;
  };
  const json = deps.rendered.get(contentHash) ?? (await rendering.of(contentHash, render));
  return json && { json, contentHash };
}

async function fromOrigin(climb: Climb, code: string): Promise<AreaAnswer | Failure> {
  const { deps, theme, register, deadline } = climb;
  const { signal, holder } = deadline;
  const asking = { signal, holder, sourceRows: register.sourceRows };
  const area = await deps.askOrigin(theme, code, asking);
  if (area === null) {
    climb.unknownBy.push(FROM_ORIGIN);
    return unknownCode(deps.catalogue.areas[theme], code);
  }
  const { name, contentHash } = area;
  // The register tells no region of the other themes (D41): the copy does, however old.
  const copied = climb.stored.areas.find((one) => one.code === code);
  const regionCode = area.regionCode ?? copied?.regionCode ?? null;
  const geometry = await geometryOf(climb, contentHash, () => Promise.resolve(area.wkb));
  return { theme, code, name, regionCode, geometry, provenance: FROM_ORIGIN };
}

/** Past its hard limit a copy still gives the name, never the geometry (D34, D42). */
function nameOnly(
  { deps, theme, stored }: Climb,
  code: string,
  copy: PublishedCopy | null,
): AreaAnswer | Failure {
  const area = stored.areas.find((one) => one.code === code);
  if (copy === null || area === undefined) return notAnswered(theme, undefined);
  return {
    theme,
    code,
    name: area.name,
    regionCode: area.regionCode,
    geometry: null,
    provenance: { rung: 'stale', ageS: copyAgeS(copy, deps.clock.nowMs()) },
  };
}

function unknownCode({ id: theme, coverage }: AreaLayer, code: string): Failure {
  return unknownTo(coverage, {
    error: `There is no ${theme} with the code ${JSON.stringify(code.slice(0, 20))}.`,
    errorDa: `Der findes ingen ${theme} med koden ${JSON.stringify(code.slice(0, 20))}.`,
  });
}

/** The code is missing, perhaps only because an area could not be read (D143). */
function unreadArea(theme: Theme, code: string): Failure {
  return new Failure('upstream_unavailable', {
    error: `The ${theme} ${code} may be one that could not be read from the register.`,
    errorDa: `${theme} ${code} kan være en, der ikke kunne læses fra registret.`,
    retryAfterS: LIMITS.retryAfterS.unreadable,
  });
}

function notAnswered(theme: Theme, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return new Failure('upstream_unavailable', {
    error: `The DAGI theme ${theme} cannot be answered now: no copy may and no register does.`,
    errorDa: `DAGI-temaet ${theme} kan ikke besvares nu: ingen kopi må, og intet register gør det.`,
    cause,
  });
}

export interface AreaLookups extends WithTail {
  readonly areas: Areas;
  readonly areaList: AreaList;
  readonly reverseAreas: ReverseAreas;
}
