/** Used on the request thread and in batch threads (D1, D87 to D92). */
import { unknownTo } from '../../core/land/covered-lands.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import type { FindUnitAddress } from './record/unit.ts';
import type { PropertyRows } from './property.ts';
import type { ProtectionRow } from './protection/protection.ts';
import { isTorn } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { CodeLabels } from '../../answers/codes.ts';
import { LISTED } from './record/protection.ts';
import type { ProtectionSurroundings } from './record/protection.ts';
import { municipalityCodeOf } from './record/record.ts';
import type { AskedRegisters, PropertiesRead } from './store.ts';
import { municipalityOf } from '../areas/municipalities.ts';
import type { NamedMunicipalities } from '../areas/municipalities.ts';
import type { AnsweredProperty } from './record/batch.ts';

export type PropertyAnswer = AnsweredProperty;

export type PropertiesAnswer = ReturnType<typeof answersOf>;

/** null: the register cannot answer now. */
export interface Joins {
  readonly bbr: Provenance;
  readonly cadastre: Provenance | null;
  readonly locations: Provenance | null;
  readonly addresses: {
    readonly unit: NonNullable<FindUnitAddress>;
    readonly provenance: Provenance;
  } | null;
  readonly municipalities: NamedMunicipalities | null;
  /** Left out of a record of another day (D87). */
  readonly assessments: Provenance | null;
  readonly protection: (ProtectionSurroundings & { readonly provenance: Provenance }) | null;
  readonly nameSources: (registers: readonly string[]) => string;
  /** null: the country. */
  readonly coverage: Pick<Coverage, 'name'> | null;
}

export interface ReadOfNumbers extends Pick<
  PropertiesRead,
  'generation' | 'asked' | 'unreadable' | 'rows'
> {
  readonly unread: UnreadOfRegisters;
}

/** Numbers or ids with unreadable rows (D143); null: the row's owner is unknown. */
export interface UnreadOfRegisters {
  readonly numbers: readonly (string | null)[];
  /** An unreadable row may be of any address. */
  readonly ofAddresses: AskedRegisters;
  readonly assessed: readonly (string | null)[];
  readonly buildings: readonly (string | null)[];
}

export function unreadOf({
  bbr,
  cadastre,
  locations,
  assessments,
  protection,
}: Readonly<
  Record<'bbr' | 'cadastre' | 'locations' | 'assessments' | 'protection', PublishedCopy | null>
>): UnreadOfRegisters {
  const objects = (copy: PublishedCopy | null) => copy?.unanswered?.objects ?? [];
  return {
    numbers: [bbr, cadastre, locations].flatMap(objects),
    ofAddresses: {
      cadastre: objects(cadastre).length > 0,
      locations: objects(locations).includes(null),
    },
    assessed: objects(assessments),
    buildings: objects(protection),
  };
}

export interface AnswerOptions {
  readonly joined: Joins;
  readonly labels: CodeLabels;
  readonly asOfMs: number | null;
}

export function answersOf(read: ReadOfNumbers, bfes: readonly number[], options: AnswerOptions) {
  const { bbr, municipalities } = options.joined;
  const value = bfes.map((bfe) => answerOf(read, bfe, options));
  const generation = Math.min(read.generation, municipalities?.generation ?? Infinity);
  const { ofAddresses } = read.unread;
  const asked = {
    cadastre: read.asked.cadastre && !ofAddresses.cadastre,
    locations: read.asked.locations && !ofAddresses.locations,
  };
  return { generation, asked, provenance: provenanceOfAll(value, bbr), value };
}

export function municipalityCodesOf({ rows }: Pick<PropertiesRead, 'rows'>): string[] {
  const codes = [...rows.values()].flatMap(({ grounds, municipalityCode, ownParcels }) => [
    municipalityCode,
    ...[...grounds, ...ownParcels].map((row) => row.municipalityCode),
  ]);
  return [...new Set(codes.filter((code) => code !== null))];
}

function answerOf(
  read: ReadOfNumbers,
  bfe: number,
  { joined, labels, asOfMs }: AnswerOptions,
): PropertyAnswer | Failure {
  const known = read.rows.get(bfe);
  const { numbers } = read.unread;
  if (isTorn(numbers, String(bfe), known !== undefined)) return unread(bfe);
  if (known === undefined) return unknown(read, bfe, joined);
  const rows = asRead(asAllowed(known, joined), read.unread);
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
      findAddress: addresses && addresses.unit,
      findMunicipality: (kode) => municipalityOf(municipalities, kode),
      protection,
      source: joined.nameSources(used.map(([name]) => name)),
      asOf: asOfMs === null ? null : new Date(asOfMs).toISOString(),
    },
  };
}

type Used = readonly [name: string, provenance: Provenance];

/** Registers whose rows a record of any day uses. */
function usedBy(rows: PropertyRows, joined: Joins): Used[] {
  const { bbr, cadastre, locations, addresses, municipalities } = joined;
  const used: Used[] = [['BBR', bbr]];
  if (rows.parcels !== null && cadastre !== null) used.push(['Matriklen', cadastre]);
  const isLocated = rows.knownTo?.includes('locations') === true;
  if (isLocated && locations !== null) used.push(['EBR', locations]);
  if (rows.units.length > 0 && addresses !== null) used.push(['DAR', addresses.provenance]);
  if (municipalities !== null && municipalityCodeOf(rows) !== null) {
    used.push(['DAGI', municipalities.provenance]);
  }
  return used;
}

/** Registers that hold only current data (D87). */
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

/** Drops values from a copy past its hard limit. */
function asAllowed(rows: PropertyRows, { assessments }: Joins): PropertyRows {
  const mayBeShown = rows.assessments === undefined || assessments !== null;
  return mayBeShown ? rows : { ...rows, assessments: null };
}

/** Drops what unreadable rows may contradict. */
function asRead(rows: PropertyRows, { assessed, buildings }: UnreadOfRegisters): PropertyRows {
  const { assessments, protections = null, bfe } = rows;
  if (assessed.length === 0 && buildings.length === 0) return rows;
  return {
    ...rows,
    ...(assessments !== undefined && {
      assessments: assessed.includes(String(bfe)) ? null : assessments,
    }),
    protections: protections && surelyTold(protections, buildings),
  };
}

/** A building that an unreadable row may list is never reported as not listed. */
function surelyTold(
  protections: readonly ProtectionRow[],
  buildings: UnreadOfRegisters['buildings'],
): readonly ProtectionRow[] {
  const isUnsure = (id: string) => buildings.includes(null) || buildings.includes(id);
  const listed = new Set(
    protections.flatMap((row) => (row.status === LISTED ? [row.buildingId] : [])),
  );
  return protections.filter(({ buildingId: id }) => !isUnsure(id) || listed.has(id));
}

function unread(bfe: number): Failure {
  return new Failure('upstream_unavailable', rowError('propertyUnread', { bfe }));
}

/** D88: not found only if all registers that might know it answered. */
function unknown({ asked }: ReadOfNumbers, bfe: number, { coverage }: Joins): Failure {
  const unasked = [...(asked.cadastre ? [] : ['Matriklen']), ...(asked.locations ? [] : ['EBR'])];
  if (unasked.length > 0) {
    const others = unasked.join(', ');
    return new Failure('upstream_unavailable', rowError('notInBbr', { bfe, others }));
  }
  return unknownTo(coverage, rowError('noPropertyInForce', { bfe }));
}

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
