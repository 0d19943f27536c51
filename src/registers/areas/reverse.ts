/**
 * Areas that cover a point (D44, D45): all themes or a failure, since a missing theme would
 * look like a point at sea.
 */
import type { CoveringArea, CoveringAreas } from '../../core/held/layer-reads.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Slice } from '../../kernel/turns.ts';
import type { Point } from '../../geo/point.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import type { OriginQuestion } from '../../layers/believable.ts';
import type { Provenance, ReverseAreasAnswer, Watcher } from '../../answers/answer.ts';
import { Memoized } from '../../core/standing/memoize.ts';
import { freshProvenances } from '../../core/standing/freshness.ts';
import { RegisterStates, reportedState } from '../../core/standing/register-state.ts';
import type { RegisterReading } from '../../core/standing/register-state.ts';
import { isUnansweredAt, unansweredOf } from '../../geo/unanswered.ts';
import type { AreaReader, SnapshotSet } from '../../core/held/snapshot-set.ts';
import { outsideCoverage } from '../../core/land/covered-lands.ts';
import type { CoveredLands, Lands } from '../../core/land/covered-lands.ts';
import { FROM_ORIGIN, standingOf } from '../../core/standing/standing.ts';

export interface ReverseAreasDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly memory?: () => SnapshotSet | null;
  readonly readStore: (points: readonly Point[]) => Promise<CoveringAreas>;
  readonly askOrigin: (
    theme: Theme,
    point: Point,
    asking: OriginQuestion,
  ) => Promise<readonly CoveringArea[]>;
  readonly onExpired?: (theme: Theme) => void;
  readonly watcher?: Watcher;
  /** Covered land by theme (D142); absent: the country. */
  readonly lands?: CoveredLands;
}

export interface SyncAreas {
  readonly generation: number;
  at(point: Point): ReverseAreasAnswer | Failure;
}

export interface ReverseAreas {
  /** null: a theme is not in memory or not fresh. Absent: never synchronous. */
  tryAnswerSync?(): SyncAreas | null;
  at(
    points: readonly Point[],
    deadline: Deadline,
  ): Promise<{
    readonly generation: number;
    readonly value: readonly (ReverseAreasAnswer | Failure)[];
  }>;
}

const NOTHING_STORED: CoveringAreas = {
  rung: 'store',
  generation: 0,
  states: new Map(),
  refused: null,
  byPoint: [],
};

/** In the order of the points; each has all themes or is a Failure (502, 503). */
export function createReverseAreas(deps: ReverseAreasDeps): ReverseAreas {
  const registerStates = new RegisterStates();
  const prompts = new Memoized(deps.clock, (set: SnapshotSet | null, of: ReverseAreasDeps) =>
    set === null ? null : syncAreas(of, set),
  );
  return {
    tryAnswerSync: () =>
      (deps.lands?.refresh() ?? null) === null ? prompts.of(deps.memory?.() ?? null, deps) : null,
    at: async (points, deadline) => {
      const register = registerStates.begin();
      const pending = deps.lands?.refresh() ?? null;
      if (pending !== null) await pending;
      const lands = deps.lands?.all(THEMES) ?? null;
      // One set for the whole answer, even if another is loaded meanwhile (D19).
      const set = deps.memory?.() ?? null;
      const fromMemory = await answerFromMemory(deps, { set, lands }, points);
      if (fromMemory !== null) return fromMemory;
      const { generation, copyOf } = await readCopies({ deps, set, deadline }, points);
      const value = await Promise.all(
        points.map((point, n) =>
          answerPoint({ deps, register, set, lands, copyOf, deadline }, point, n),
        ),
      );
      return { generation, value };
    },
  };
}

async function readCopies(
  { deps, set, deadline }: Pick<Climb, 'deps' | 'set' | 'deadline'>,
  points: readonly Point[],
): Promise<{ readonly generation: number; readonly copyOf: Climb['copyOf'] }> {
  const memory = set?.readCoveringAreas(points.map(({ utm32 }) => utm32)) ?? null;
  const isOnlyStored = (theme: Theme) => set?.isOnlyStored(theme) ?? true;
  if (memory !== null && !THEMES.some(isOnlyStored)) {
    return { generation: memory.generation, copyOf: () => memory };
  }
  const stored = await deps.readStore(points).catch((error: unknown) => {
    deadline.storeFailed?.(error);
    return NOTHING_STORED;
  });
  const isOfOne = stored === NOTHING_STORED || stored.generation === memory?.generation;
  if (memory === null || memory.states.size === 0 || !isOfOne) {
    return { generation: stored.generation, copyOf: () => stored };
  }
  const copyOf = (theme: Theme) => (isOnlyStored(theme) ? stored : memory);
  return { generation: memory.generation, copyOf };
}

function syncAreas(deps: ReverseAreasDeps, set: SnapshotSet): SyncAreas | null {
  const reader = set.areaReader();
  const provenance = themesFresh(deps, set);
  if (reader === null || provenance === null) return null;
  return {
    generation: set.generation,
    at: (point) =>
      readAt({ deps, reader, provenance, lands: deps.lands?.all(THEMES) ?? null }, point),
  };
}

/** Without a promise per theme; null: not all in memory and fresh. */
async function answerFromMemory(
  deps: ReverseAreasDeps,
  { set, lands }: Pick<Climb, 'set' | 'lands'>,
  points: readonly Point[],
): Promise<Awaited<ReturnType<ReverseAreas['at']>> | null> {
  const reader = set?.areaReader() ?? null;
  if (set === null || reader === null) return null;
  const provenance = themesFresh(deps, set);
  if (provenance === null) return null;
  const value: (ReverseAreasAnswer | Failure)[] = [];
  const slice = new Slice();
  for (const point of points) {
    if (slice.isOver) await slice.next();
    value.push(readAt({ deps, reader, provenance, lands }, point));
  }
  return { generation: set.generation, value };
}

interface FreshAreas {
  readonly deps: ReverseAreasDeps;
  readonly reader: AreaReader;
  readonly provenance: readonly Provenance[];
  readonly lands: Lands | null;
}

function readAt(
  { deps: { watcher }, reader, provenance, lands }: FreshAreas,
  point: Point,
): ReverseAreasAnswer | Failure {
  const outside = lands === null ? null : uncovered(lands, point);
  if (outside !== null) return outside;
  const missing = reader.unansweredAt(point.utm32);
  for (const theme of THEMES) {
    watcher?.answered(theme, theme === missing ? 'unavailable' : 'snapshot');
  }
  if (missing !== null) return placeUnanswered(missing);
  return { point, areas: reader.at(point.utm32), provenance };
}

function themesFresh(
  { catalogue, clock }: ReverseAreasDeps,
  set: SnapshotSet,
): readonly Provenance[] | null {
  const themes = THEMES.map((theme) => catalogue.areas[theme]);
  return freshProvenances(set, themes, clock.nowMs());
}

interface Climb {
  readonly deps: ReverseAreasDeps;
  readonly register: RegisterReading;
  readonly set: SnapshotSet | null;
  readonly lands: Lands | null;
  readonly copyOf: (theme: Theme) => CoveringAreas;
  readonly deadline: Deadline;
}

async function answerPoint(
  climb: Climb,
  point: Point,
  n: number,
): Promise<ReverseAreasAnswer | Failure> {
  const outside = climb.lands === null ? null : uncovered(climb.lands, point);
  if (outside !== null) return outside;
  const themes = await Promise.all(THEMES.map((theme) => answerTheme(climb, theme, { point, n })));
  themes.forEach((answer, m) => {
    const theme = THEMES[m];
    const by = answer instanceof Failure ? 'unavailable' : answer.provenance.rung;
    if (theme !== undefined) climb.deps.watcher?.answered(theme, by);
  });
  const failure = themes.find((answer) => answer instanceof Failure);
  if (failure !== undefined) return failure;
  const answered = themes as readonly ThemeAnswer[];
  return {
    point,
    areas: answered.flatMap(({ areas }) => areas),
    provenance: answered.map(({ provenance }) => provenance),
  };
}

/** The Failure if a theme does not cover the point: no source is queried there. */
export function uncovered(lands: Lands, { utm32 }: Point): Failure | null {
  for (const land of lands) {
    if (land !== null && !land.covers(utm32)) return outsideCoverage(land.name);
  }
  return null;
}

interface ThemeAnswer {
  readonly areas: readonly CoveringArea[];
  readonly provenance: Provenance;
}

interface ThemeQuestion {
  readonly point: Point;
  readonly n: number;
}

async function answerTheme(
  { deps, register: read, set, copyOf, deadline }: Climb,
  theme: Theme,
  { point, n }: ThemeQuestion,
): Promise<ThemeAnswer | Failure> {
  const { freshness } = deps.catalogue.areas[theme];
  const nowMs = deps.clock.nowMs();
  const stored = copyOf(theme);
  const copy = stored.states.get(theme) ?? null;
  const fromStore = () => (stored.byPoint[n] ?? []).filter((area) => area.theme === theme);
  const reported = reportedState(copy, stored.refused?.has(theme) ?? null);
  const register = read.of(theme, reported, set);
  const { first, last, wantsSync } = standingOf(copy, freshness, {
    ...{ nowMs, by: stored.rung, register },
  });
  if (wantsSync) deps.onExpired?.(theme);
  if (first === 'unavailable') return notAnswered(theme, undefined);
  const fromCopy = (provenance: Provenance): ThemeAnswer | Failure => {
    const isUnread = isUnansweredAt(unansweredOf(copy?.unanswered), point.utm32);
    return isUnread ? placeUnanswered(theme) : { areas: fromStore(), provenance };
  };
  if (first !== 'origin') return fromCopy(first);
  try {
    const { signal, holder } = deadline;
    const asking = { signal, holder, sourceRows: register.sourceRows };
    const areas = await deps.askOrigin(theme, point, asking);
    return { areas, provenance: FROM_ORIGIN };
  } catch (cause) {
    deps.watcher?.originFailed(theme, cause);
    if (last !== null) return fromCopy(last);
    return cause instanceof Failure ? cause : notAnswered(theme, cause);
  }
}

/** Never mirrored, or past its hard limit (D149). */
function notAnswered(theme: Theme, cause: unknown): Failure {
  return new Failure('upstream_unavailable', {
    ...rowError('themeUnanswered', { theme }),
    cause,
  });
}

/** An area of the theme here could not be read (D143): unknown until the next sync. */
export function placeUnanswered(theme: Theme): Failure {
  return new Failure('upstream_unavailable', {
    ...rowError('areaUnread', { theme }),
    retryAfterS: LIMITS.retryAfterS.unreadable,
  });
}
