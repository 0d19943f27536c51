/**
 * Properties by number (D1, D88 to D92): rows of BBR and the cadastre, now or of a day, with the names
 * and addresses of today (D87). The store answers; there is no register to ask behind it. A register that
 * cannot answer leaves null or nothing behind, never an empty list that reads as measured.
 */
import type { Clock } from '../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { CodeList } from '../layers/bbr-codes.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, PROTECTION } from '../layers/keys.ts';
import type { MirrorId, RegisterId } from '../layers/keys.ts';
import type { PropertyRows } from '../layers/property.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { TableRegister } from '../layers/register.ts';
import { contentsOf } from '../layers/source.ts';
import { PROTECTION_MEANINGS } from '../layers/protection.ts';
import type { ProtectionSurroundings } from '../answers/property/protection.ts';
import { CodeLabels } from '../answers/property/codes.ts';
import type { RecordSurroundings } from '../answers/property/record.ts';
import type { Provenance, Watcher } from '../answers/answer.ts';
import type { AddressesInMemory } from '../memory/address-copy.ts';
import type { PropertiesInService } from '../memory/property-loader.ts';
import { copyAnswer, wantsSync } from '../memory/ladder.ts';
import { isCurrent, readFromFile } from './property-file.ts';
import type { FileAsked } from './property-file.ts';
import { municipalityOf, nameMunicipalities } from './municipalities.ts';
import type {
  HeldMunicipalities,
  NamedMunicipalities,
  ReadMunicipalities,
} from './municipalities.ts';
import type { KnownCopy, PropertiesAsked, PropertiesRead } from '../registers/property/store.ts';

export interface PropertiesDeps {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  /** Throws when the store does not answer. */
  readonly read: (asked: PropertiesAsked) => Promise<PropertiesRead>;
  /** The file of records in service now; absent or null: the store alone answers. */
  readonly file?: () => PropertiesInService | null;
  /** Reported when the file cannot be read: it should not answer again. */
  readonly onDamagedFile?: (held: PropertiesInService, cause: unknown) => void;
  /** The addresses in memory now; null: nothing is. */
  readonly addresses: () => AddressesInMemory | null;
  /** As they stand when it is called. */
  readonly municipalities: () => HeldMunicipalities;
  /** `meta.kilde` of the registers that were joined. */
  readonly nameSources: (registers: readonly string[]) => string;
  /** Told of a copy that is past its limit, so that a sync can be asked for. */
  readonly onExpired?: (mirror: RegisterId) => void;
  readonly onUnlistedCode?: (list: CodeList) => void;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

/** A property with all that its record is made of (answers/property/record.ts). */
export interface PropertyAnswer {
  readonly rows: PropertyRows;
  readonly around: RecordSurroundings;
  /** One for each register that the record used. */
  readonly provenance: readonly Provenance[];
}

export interface PropertiesAnswer {
  readonly generation: number;
  readonly provenance: readonly Provenance[];
  readonly value: readonly (PropertyAnswer | Failure)[];
}

export interface Properties {
  /**
   * Answers in the order of the numbers: distinct, at most LIMITS.property.perBatch. `asOfMs`: null for
   * now. Throws the Failure that is nobody's in particular: an instant nobody knows of, a store that is
   * away.
   */
  find(bfes: readonly number[], asOfMs: number | null): Promise<PropertiesAnswer>;
}

export function createProperties(deps: PropertiesDeps): Properties {
  const labels = new CodeLabels((list) => deps.onUnlistedCode?.(list));
  return {
    find: async (bfes, asOfMs) => {
      const nowMs = deps.clock.nowMs();
      const held = deps.municipalities();
      const read = await readAll(deps, bfes, { asOfMs, nowMs, generation: held.generation ?? 0 });
      const bbr = standing(deps, BBR, { copy: read.bbr, nowMs, by: read.by });
      if (read.bbr === null || bbr === null) {
        tell(deps, BBR, { rung: 'unavailable', times: bfes.length });
        const failure = read.bbr === null ? neverMirrored() : tooOld();
        const value = bfes.map(() => failure);
        return { generation: read.generation, provenance: [], value };
      }
      const fromMs = knownFromMs(deps.catalogue.registers[BBR], read.bbr);
      if (asOfMs !== null && (asOfMs < fromMs || asOfMs > nowMs)) {
        throw outsideHistory(fromMs, nowMs);
      }
      tell(deps, BBR, { rung: bbr.rung, times: bfes.length });
      const joined = await joinsOf(deps, read, { bbr, nowMs, readMunicipalities: held.read });
      const value = bfes.map((bfe) => answerOf(read, bfe, { joined, labels, asOfMs }));
      const { municipalities } = joined;
      const generation = Math.min(read.generation, municipalities?.generation ?? Infinity);
      return { generation, provenance: provenanceOfAll(value, bbr), value };
    },
  };
}

interface Moment {
  readonly asOfMs: number | null;
  readonly nowMs: number;
  /** Of what the rows are joined with: they are not to be of one before. */
  readonly generation: number;
}

async function readAll(
  deps: PropertiesDeps,
  bfes: readonly number[],
  { asOfMs, nowMs, generation }: Moment,
): Promise<PropertiesRead> {
  const mayAskCadastre = (copy: KnownCopy): boolean =>
    standing(deps, CADASTRE, { copy, nowMs, by: 'store' }) !== null &&
    (asOfMs === null || asOfMs >= knownFromMs(deps.catalogue.registers[CADASTRE], copy));
  const { rowsPerList: mostRows } = LIMITS.property;
  const held = asOfMs === null ? (deps.file?.() ?? null) : null;
  const fromFile = () => readFile(deps, held, { bfes, nowMs, mayAskCadastre });
  const isFirst = held !== null && held.generation >= generation && isCurrent(held, nowMs);
  const current = isFirst ? await fromFile() : null;
  if (current !== null) return current;
  const read = await deps
    .read({ bfes, atMs: asOfMs ?? nowMs, mostRows, mayAskCadastre })
    .catch(async (cause: unknown) => {
      const older = isFirst ? null : await fromFile();
      if (older !== null) return older;
      tell(deps, BBR, { rung: 'unavailable', times: bfes.length });
      throw upstreamUnavailable(
        'The properties cannot be read now.',
        'Ejendommene kan ikke læses nu.',
        cause,
      );
    });
  if (read.isCut) throw tooMuch();
  if (read.bbr !== null && read.missing.length > 0) {
    const tables = read.missing.join(', ');
    throw upstreamUnavailable(
      `BBR is not mirrored whole: ${tables}.`,
      `BBR er ikke hentet helt: ${tables}.`,
    );
  }
  return read;
}

/** null: there is no file, or it cannot tell; one that is damaged is reported. */
async function readFile(
  { file, onDamagedFile }: PropertiesDeps,
  held: PropertiesInService | null,
  asked: FileAsked,
): Promise<PropertiesRead | null> {
  if (held === null) return null;
  try {
    return await readFromFile(held, asked);
  } catch (error) {
    // One that was replaced while it was read is closed: nothing is wrong with it.
    if (file?.()?.records === held.records) onDamagedFile?.(held, error);
    return null;
  }
}

/** What the copy of a register answers as; null: it may not. */
function standing(
  { catalogue, onExpired }: PropertiesDeps,
  mirror: RegisterId,
  {
    copy,
    nowMs,
    by,
  }: {
    readonly copy: PublishedCopy | null;
    readonly nowMs: number;
    readonly by: PropertiesRead['by'];
  },
): Provenance | null {
  const { freshness } = catalogue.registers[mirror];
  if (wantsSync(copy, freshness, nowMs)) onExpired?.(mirror);
  return copyAnswer(copy, freshness, { nowMs, by });
}

/** BBR was introduced by law in 1976 and took effect the year after: no register tells of earlier days. */
const BBR_BEGAN_MS = Date.UTC(1977, 0, 1);

/**
 * From when the store knows what a register said on a day (D86): from its first copy on, or from the
 * register's own beginning where every file tells the past as well.
 */
function knownFromMs({ tables }: TableRegister, copy: KnownCopy): number {
  const tellsPast = Object.values(tables).every(
    ({ source }) => source === null || contentsOf(source) !== 'Current',
  );
  if (tellsPast) return BBR_BEGAN_MS;
  return copy.firstPublishedAtMs;
}

/** What records are joined with, and what it came from; null: it cannot answer now. */
interface Joins {
  readonly bbr: Provenance;
  readonly cadastre: Provenance | null;
  readonly addresses:
    (Pick<AddressesInMemory, 'finder'> & { readonly provenance: Provenance }) | null;
  readonly municipalities: NamedMunicipalities | null;
  /** Of today: they do not go with a record of another day (D87). */
  readonly assessments: Provenance | null;
  readonly protection: (ProtectionSurroundings & { readonly provenance: Provenance }) | null;
  readonly nameSources: PropertiesDeps['nameSources'];
}

async function joinsOf(
  deps: PropertiesDeps,
  read: PropertiesRead,
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
  return {
    bbr,
    cadastre: standing(deps, CADASTRE, { copy: read.cadastre, nowMs, by: read.by }),
    addresses: addressesOf(deps, nowMs),
    assessments: standing(deps, ASSESSMENTS, { copy: read.assessments, nowMs, by: read.by }),
    protection: protectionOf(deps, read, nowMs),
    municipalities: await nameMunicipalities(readMunicipalities, codesOf(read), {
      freshness: deps.catalogue.areas.kommune.freshness,
      nowMs,
    }),
    nameSources: deps.nameSources,
  };
}

function protectionOf(
  deps: PropertiesDeps,
  read: PropertiesRead,
  nowMs: number,
): Joins['protection'] {
  const { protection: copy, by } = read;
  const provenance = standing(deps, PROTECTION, { copy, nowMs, by });
  if (copy === null || provenance === null) return null;
  const { meanings = PROTECTION_MEANINGS } = deps.catalogue.registers[PROTECTION];
  return { meanings, provedAtMs: copy.syncedAtMs, provenance };
}

function addressesOf(deps: PropertiesDeps, nowMs: number): Joins['addresses'] {
  const held = deps.addresses();
  if (held === null) return null;
  const provenance = standing(deps, ADDRESSES, { copy: held.copy, nowMs, by: 'snapshot' });
  return provenance && { finder: held.finder, provenance };
}

function codesOf({ rows }: PropertiesRead): string[] {
  const codes = [...rows.values()].flatMap(({ grounds, municipalityCode, ownParcels }) => [
    municipalityCode,
    ...[...grounds, ...ownParcels].map((row) => row.municipalityCode),
  ]);
  return [...new Set(codes.filter((code) => code !== null))];
}

function answerOf(
  read: PropertiesRead,
  bfe: number,
  {
    joined,
    labels,
    asOfMs,
  }: { readonly joined: Joins; readonly labels: CodeLabels; readonly asOfMs: number | null },
): PropertyAnswer | Failure {
  const known = read.rows.get(bfe);
  if (known === undefined) return unknown(read, bfe, joined);
  const rows = asAllowed(known, joined);
  const { addresses, municipalities, protection } = joined;
  const used = [
    ...usedBy(rows, joined),
    ...(asOfMs === null ? usedOfToday(rows, joined, read.unreadable) : []),
  ];
  return {
    rows,
    provenance: used.map(([, provenance]) => provenance),
    around: {
      labels,
      findAddress: addresses && ((id) => addresses.finder.addressIndex.unit(id)),
      findMunicipality: (kode) => municipalityOf(municipalities, kode),
      protection,
      source: joined.nameSources(used.map(([name]) => name)),
      asOf: asOfMs === null ? null : new Date(asOfMs).toISOString(),
    },
  };
}

type Used = readonly [name: string, provenance: Provenance];

/** Registers that a record of any day is made of. */
function usedBy(rows: PropertyRows, joined: Joins): Used[] {
  const { bbr, cadastre, addresses, municipalities } = joined;
  const used: Used[] = [['BBR', bbr]];
  if (rows.parcels !== null && cadastre !== null) used.push(['Matriklen', cadastre]);
  if (rows.units.length > 0 && addresses !== null) used.push(['DAR', addresses.provenance]);
  if (municipalities !== null) used.push(['DAGI', municipalities.provenance]);
  return used;
}

/** Those that tell of the present alone (D87). */
function usedOfToday(
  { protections = null, buildings }: PropertyRows,
  { assessments, protection }: Joins,
  unreadable: PropertiesRead['unreadable'],
): Used[] {
  const used: Used[] = [];
  if (assessments !== null && !unreadable.has('assessments')) used.push(['VUR', assessments]);
  const isShown = protections !== null && buildings.length > 0;
  if (isShown && protection !== null) used.push(['FBB', protection.provenance]);
  return used;
}

/** Without what a copy that is past its hard limit would tell. */
function asAllowed(rows: PropertyRows, { assessments }: Joins): PropertyRows {
  const isTold = rows.assessments === undefined || assessments !== null;
  return isTold ? rows : { ...rows, assessments: null };
}

/** D88: nobody knows it, where all who might were asked. */
function unknown(read: PropertiesRead, bfe: number, { cadastre }: Joins): Failure {
  const { unreadable } = read;
  const isCadastreAway = read.cadastre !== null && cadastre === null;
  if (unreadable.has('cadastre') || unreadable.has('locations') || isCadastreAway) {
    return upstreamUnavailable(
      `BBR does not hold the property ${bfe}, and the register that may cannot be read now.`,
      `BBR har ikke ejendommen ${bfe}, og det register, der kan have den, kan ikke læses nu.`,
    );
  }
  return new Failure('not_found', {
    error: `No property in force has the BFE number ${bfe}.`,
    errorDa: `Ingen gældende ejendom har BFE-nummeret ${bfe}.`,
  });
}

/** Of all registers that any record used; BBR told that a number is unknown, too. */
function provenanceOfAll(
  value: readonly (PropertyAnswer | Failure)[],
  bbr: Provenance,
): readonly Provenance[] {
  const used = new Set<Provenance>([bbr]);
  for (const answer of value) {
    if (answer instanceof Failure) continue;
    for (const provenance of answer.provenance) used.add(provenance);
  }
  return [...used];
}

function tell(
  { watcher }: PropertiesDeps,
  mirror: MirrorId,
  { rung, times }: { readonly rung: Provenance['rung'] | 'unavailable'; readonly times: number },
): void {
  watcher?.answered(mirror, rung, times);
}

/** D85: names both ends of what is known. */
function outsideHistory(fromMs: number, nowMs: number): Failure {
  const [from, to] = [fromMs, nowMs].map((ms) => new Date(ms).toISOString());
  return new Failure('invalid_request', {
    error: `asOf must lie from ${from} to ${to}: nothing is known of other days.`,
    errorDa: `asOf skal ligge fra ${from} til ${to}: andre dage kendes ikke.`,
  });
}

function neverMirrored(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Upstream not configured: the property register (BBR) is not mirrored here yet.',
    errorDa: 'Ejendomsregistret (BBR) er her ikke endnu: det er ikke hentet.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

function tooOld(): Failure {
  return upstreamUnavailable(
    'The copy of BBR is older than it may be.',
    'Kopien af BBR er ældre, end den må være.',
  );
}

function tooMuch(): Failure {
  const most = LIMITS.property.rowsPerList;
  return new Failure('overloaded', {
    error: `These properties have more than ${most} rows of one kind: ask for fewer at a time.`,
    errorDa: `Disse ejendomme har mere end ${most} rækker af én slags: spørg om færre ad gangen.`,
    retryAfterS: LIMITS.retryAfterS.unavailable,
  });
}
