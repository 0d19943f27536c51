/**
 * Now or of a day, with current names and addresses (D1, D87 to D92). A register that cannot answer
 * leaves null or no member, never an empty list.
 */
import { unitsOf } from '../addresses/unread.ts';
import { DiskSilent } from '../../kernel/disk-reads.ts';
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { CodeList } from '../../layers/code-lists.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { ADDRESSES, BBR, CADASTRE } from '../../layers/keys.ts';
import type { OtherRegister } from './property.ts';
import type { TableRegister } from '../../layers/register.ts';
import { contentsOf } from '../../layers/source.ts';
import { CodeLabels } from '../../answers/codes.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { AddressesInMemory } from '../addresses/copy.ts';
import type { PropertiesInService } from './load.ts';
import { failureOfCopy, joinedCopy, unreadableCopy } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import { isCurrent, readFromFile } from './file.ts';
import type { PropertyFileQuery } from './file.ts';
import { nameMunicipalities } from '../areas/municipalities.ts';
import type { HeldMunicipalities, ReadMunicipalities } from '../areas/municipalities.ts';
import { answersOf, municipalityCodesOf, unreadOf } from './answers.ts';
import type { Joins, PropertiesAnswer } from './answers.ts';
import { addressProvenance, registerJoins } from './joins.ts';
import type { RegisterJoins } from './joins.ts';
import type { KnownCopy, PropertyQuery, PropertiesRead } from './store.ts';

export interface PropertiesDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  readonly read: (query: PropertyQuery) => Promise<PropertiesRead>;
  readonly file?: () => PropertiesInService | null;
  readonly onDamagedFile?: (held: PropertiesInService, cause: unknown) => void;
  readonly addresses: () => AddressesInMemory | null;
  readonly municipalities: () => HeldMunicipalities;
  readonly nameSources: (registers: readonly string[]) => string;
  readonly onUnlistedCode?: (list: CodeList) => void;
}

export interface Properties {
  /**
   * In the order of the distinct numbers, at most LIMITS.property.perBatch. `asOfMs` null: now.
   * Throws for all: an instant outside the history, an unavailable store.
   */
  find(bfes: readonly number[], asOfMs: number | null): Promise<PropertiesAnswer>;
}

export function createProperties(deps: PropertiesDeps): Properties {
  const labels = new CodeLabels((list) => deps.onUnlistedCode?.(list));
  return {
    find: async (bfes, asOfMs) => {
      const nowMs = deps.clock.nowMs();
      const register = deps.catalogue.registers[BBR];
      const held = deps.municipalities();
      const read = await readAll(deps, bfes, { asOfMs, nowMs, generation: held.generation ?? 0 });
      const bbr = joinedCopy(deps, register, { copy: read.bbr, nowMs, by: read.by });
      deps.watcher?.answered(BBR, bbr?.rung ?? 'unavailable', bfes.length);
      if (read.bbr === null || bbr === null) {
        const failure = failureOfCopy(register, read.bbr);
        const value = bfes.map(() => failure);
        return { generation: read.generation, asked: NOBODY, provenance: [], value };
      }
      const fromMs = knownFromMs(register, read.bbr);
      if (asOfMs !== null && (asOfMs < fromMs || asOfMs > nowMs)) {
        throw outsideHistory(fromMs, nowMs);
      }
      const joined = await joinsOf(deps, read, { bbr, nowMs, readMunicipalities: held.read });
      const unread = unreadOf(read);
      return answersOf({ ...read, unread }, bfes, { joined, labels, asOfMs });
    },
  };
}

const NOBODY = { cadastre: false, locations: false };

interface Moment {
  readonly asOfMs: number | null;
  readonly nowMs: number;
  /** Joined data must not be of an earlier generation. */
  readonly generation: number;
}

async function readAll(
  deps: PropertiesDeps,
  bfes: readonly number[],
  { asOfMs, nowMs, generation }: Moment,
): Promise<JudgedRead> {
  const mayAsk: PropertyQuery['mayAsk'] = (register, copy) =>
    joinedCopy(deps, deps.catalogue.registers[MIRRORS[register]], {
      ...{ copy, nowMs, by: 'store' },
    }) !== null &&
    (asOfMs === null || asOfMs >= askedFromMs(deps, register, copy));
  const { rowsPerList: mostRows } = LIMITS.property;
  const held = asOfMs === null ? (deps.file?.() ?? null) : null;
  const fromFile = () => readFile(deps, held, { bfes, nowMs });
  const isFirst = held !== null && held.generation >= generation && isCurrent(held, nowMs);
  const current = isFirst ? await fromFile() : null;
  if (current !== null) return current;
  const read = await deps
    .read({ bfes, atMs: asOfMs ?? nowMs, mostRows, mayAsk })
    .catch(async (cause: unknown) => {
      const older = isFirst ? null : await fromFile();
      if (older !== null) return older;
      throw unreadableCopy(deps, deps.catalogue.registers[BBR], { cause, times: bfes.length });
    });
  if (read.isCut) throw tooMuch();
  if (read.bbr !== null && read.missing.length > 0) {
    const tables = read.missing.join(', ');
    throw new Failure('upstream_unavailable', rowError('bbrNotWhole', { tables }));
  }
  return read;
}

/** `joins` absent: to be judged. */
type JudgedRead = PropertiesRead & { readonly joins?: RegisterJoins };

/** null: it cannot answer. */
async function readFile(
  deps: PropertiesDeps,
  held: PropertiesInService | null,
  query: Omit<PropertyFileQuery, 'asked'>,
): Promise<JudgedRead | null> {
  if (held === null) return null;
  const { file, onDamagedFile } = deps;
  const joins = registerJoins(deps, held, { nowMs: query.nowMs, by: 'snapshot' });
  const asked = { cadastre: joins.cadastre !== null, locations: joins.locations !== null };
  try {
    const read = await readFromFile(held, { ...query, asked });
    return read && { ...read, joins };
  } catch (error) {
    // A hanging disk is not damage: the store answers meanwhile.
    if (error instanceof DiskSilent) return null;
    if (file?.()?.records === held.records) onDamagedFile?.(held, error);
    return null;
  }
}

/** BBR took effect in 1977. */
const BBR_BEGAN_MS = Date.UTC(1977, 0, 1);

/**
 * Start of the known history (D86): the first copy, or the register's beginning where its files
 * hold history.
 */
function knownFromMs({ tables }: TableRegister, copy: KnownCopy): number {
  const tellsPast = Object.values(tables).every(
    ({ source }) => source === null || contentsOf(source) !== 'Current',
  );
  if (tellsPast) return BBR_BEGAN_MS;
  return copy.firstPublishedAtMs;
}

const MIRRORS = { cadastre: CADASTRE, locations: ADDRESSES } as const;

/** EBR's files hold no history: known from the first copy on. */
function askedFromMs(
  { catalogue }: PropertiesDeps,
  register: OtherRegister,
  copy: KnownCopy,
): number {
  if (register === 'locations') return copy.firstPublishedAtMs;
  return knownFromMs(catalogue.registers[CADASTRE], copy);
}

async function joinsOf(
  deps: PropertiesDeps,
  read: JudgedRead,
  {
    bbr,
    nowMs,
    readMunicipalities,
  }: {
    readonly bbr: Provenance;
    readonly nowMs: number;
    readonly readMunicipalities: ReadMunicipalities;
  },
): Promise<Joins> {
  const joins = read.joins ?? registerJoins(deps, read, { nowMs, by: read.by });
  const inMemory = { copy: read.locations, provenance: joins.locations };
  return {
    bbr,
    ...joins,
    addresses: addressesOf(deps, { nowMs, joined: read.by === 'snapshot' ? inMemory : null }),
    municipalities: await nameMunicipalities(readMunicipalities, municipalityCodesOf(read), {
      freshness: deps.catalogue.areas.kommune.freshness,
      nowMs,
    }),
    nameSources: deps.nameSources,
  };
}

function addressesOf(
  deps: PropertiesDeps,
  moment: Parameters<typeof addressProvenance>[2],
): Joins['addresses'] {
  const held = deps.addresses();
  const provenance = held && addressProvenance(deps, held, moment);
  if (held === null || provenance === null) return null;
  return { unit: unitsOf(held.finder.addressIndex, held.copy.unanswered), provenance };
}

/** D85: names both ends of the known history. */
function outsideHistory(fromMs: number, nowMs: number): Failure {
  const [from, to] = [fromMs, nowMs].map((ms) => new Date(ms).toISOString());
  return new Failure('invalid_request', {
    error: `asOf must lie from ${from} to ${to}: nothing is known of other days.`,
    errorDa: `asOf skal ligge fra ${from} til ${to}: andre dage kendes ikke.`,
  });
}

function tooMuch(): Failure {
  const most = LIMITS.property.rowsPerList;
  return new Failure('overloaded', {
    ...rowError('tooManyRows', { most }),
    retryAfterS: LIMITS.retryAfterS.unavailable,
  });
}
