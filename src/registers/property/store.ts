/** An optional table that cannot be read is left out and reported (D89). */
import { remember } from '../../kernel/remember.ts';
import type { Store } from '../../db/connect.ts';
import { isOfOneTable } from '../../db/statement-failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { OtherRegister, PropertyRows } from './property.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { rowsByNumber } from './rows.ts';
import type { PropertyLists } from './rows.ts';
import { PROPERTY_PARTS, propertyStatement } from './statement.ts';
import type { PropertyPart } from './statement.ts';

export interface KnownCopy extends PublishedCopy {
  readonly firstPublishedAtMs: number;
}

export interface PropertiesRead {
  readonly by: 'snapshot' | 'store';
  readonly generation: number;
  readonly bbr: KnownCopy | null;
  readonly cadastre: KnownCopy | null;
  /** The addresses' copy, where it includes EBR's locations. */
  readonly locations: KnownCopy | null;
  readonly assessments: KnownCopy | null;
  readonly protection: KnownCopy | null;
  readonly missing: readonly string[];
  readonly unreadable: ReadonlySet<PropertyPart>;
  readonly asked: AskedRegisters;
  readonly rows: ReadonlyMap<number, PropertyRows>;
  /** A list is over its limit: rows are missing. */
  readonly isCut: boolean;
}

export type AskedRegisters = Readonly<Record<OtherRegister, boolean>>;

export interface PropertyQuery {
  readonly bfes: readonly number[];
  readonly atMs: number;
  readonly mostRows: number;
  readonly mayAsk: (register: OtherRegister, copy: KnownCopy) => boolean;
}

/** Without one of these a record would be incomplete. */
const NEEDED = [
  'Ejendomsrelation',
  'Grund',
  'GrundJordstykke',
  'Bygning',
  'BygningEjendomsrelation',
  'Opgang',
  'Enhed',
  'EnhedEjendomsrelation',
];

/**
 * Throws when the store or a needed table cannot be read. Floors are needed where they alone name a
 * unit's building (D92).
 */
export async function readProperties(
  store: Pick<Store, 'pool'>,
  query: PropertyQuery,
): Promise<PropertiesRead> {
  const all = new Set(PROPERTY_PARTS);
  try {
    return readOf(await ask(store, query, all), { query, parts: all });
  } catch (error) {
    if (!isOfOneTable(error)) throw error;
    const readable = await readableParts(store, query);
    const found = await ask(store, query, readable);
    // A building or flat without its unit would read as having none.
    if (found.hasPlacedByFloorAlone === true) throw error;
    return readOf(found, { query, parts: readable });
  }
}

/** Throws when even the rest cannot be read. */
async function readableParts(
  store: Pick<Store, 'pool'>,
  query: PropertyQuery,
): Promise<ReadonlySet<PropertyPart>> {
  const readable = new Set<PropertyPart>();
  await ask(store, query, readable);
  for (const part of PROPERTY_PARTS) {
    try {
      await ask(store, query, new Set([part]));
      readable.add(part);
    } catch (error) {
      if (!isOfOneTable(error)) throw error;
    }
  }
  return readable;
}

interface Found extends PropertyLists {
  readonly generation: number;
  readonly states: readonly (KnownCopy & { readonly layer: string })[] | null;
  readonly bbrTables: readonly string[] | null;
  readonly cadastreTables: readonly string[] | null;
  readonly addressTables: readonly string[] | null;
  /** Start of the history of EBR's locations; null: the first copy. */
  readonly locationsFromMs: number | null;
  readonly protectionTables: readonly string[] | null;
  /** Present where floors were not read. */
  readonly hasPlacedByFloorAlone?: boolean;
}

async function ask(
  store: Pick<Store, 'pool'>,
  { bfes, atMs, mostRows }: PropertyQuery,
  parts: ReadonlySet<PropertyPart>,
): Promise<Found> {
  // A statement name may have 63 letters.
  const name = `property ${mostRows} ${[...parts].map((part) => part.slice(0, 4)).join(' ')}`;
  const { rows } = await store.pool.query<Found>({
    name,
    text: remember(statements, name, () => propertyStatement(parts, mostRows)),
    values: [JSON.stringify(bfes), new Date(atMs).toISOString()],
  });
  const [found] = rows;
  if (found === undefined) throw new Error('The store gave no answer about properties.');
  return found;
}

const statements = new Map<string, string>();

function readOf(
  found: Found,
  {
    query,
    parts,
  }: {
    readonly query: Pick<PropertyQuery, 'mostRows' | 'mayAsk'>;
    readonly parts: ReadonlySet<PropertyPart>;
  },
): PropertiesRead {
  const copyOf = (layer: string) => found.states?.find((state) => state.layer === layer) ?? null;
  const cadastre = copyOf('matrikel');
  const locations = isMirrored('locations', found)
    ? knownFrom(copyOf('adresser'), found.locationsFromMs)
    : null;
  const assessments = copyOf('vurdering');
  const protection = copyOf('fbb');
  const bbrTables = new Set(found.bbrTables);
  const isAsked = (register: OtherRegister, copy: KnownCopy | null): boolean =>
    parts.has(register) && copy !== null && query.mayAsk(register, copy);
  const asked = {
    cadastre: isAsked('cadastre', cadastre),
    locations: isAsked('locations', locations),
  };
  const hasFacilities = bbrTables.has('TekniskAnlaeg');
  return {
    by: 'store',
    generation: found.generation,
    bbr: copyOf('bbr'),
    cadastre,
    locations,
    assessments,
    protection,
    missing: NEEDED.filter((entity) => !bbrTables.has(entity)),
    unreadable: new Set(
      PROPERTY_PARTS.filter((part) => !parts.has(part) && isMirrored(part, found)),
    ),
    asked,
    rows: rowsByNumber(foundBy(asked, found), {
      floors: !parts.has('floors') || !bbrTables.has('Etage'),
      facilities: hasFacilities ? (parts.has('facilities') ? false : null) : undefined,
      cadastre: !asked.cadastre,
      assessments: assessments === null ? undefined : parts.has('assessments') ? false : null,
      // Without the layer of listed buildings, nothing says that a building is not listed.
      protections:
        protection === null ||
        !parts.has('protection') ||
        found.protectionTables?.includes('fredede') !== true,
    }),
    isCut: Object.values(found).some((list) => Array.isArray(list) && list.length > query.mostRows),
  };
}

/** EBR may have been mirrored, or its history kept, later than the addresses. */
function knownFrom(copy: KnownCopy | null, fromMs: number | null): KnownCopy | null {
  if (copy === null || fromMs === null) return copy;
  return { ...copy, firstPublishedAtMs: Math.max(copy.firstPublishedAtMs, fromMs) };
}

/** null: a list was cut. Throws when a record cannot be derived exactly as from the store. */
export function recordsOf(text: string): ReadonlyMap<number, PropertyRows> | null {
  const found = JSON.parse(text) as Found;
  const query = { mostRows: LIMITS.property.rowsPerList, mayAsk: () => true };
  const { rows, missing, isCut } = readOf(found, { query, parts: new Set(PROPERTY_PARTS) });
  if (missing.length > 0) throw new Error(`BBR is not mirrored whole: ${missing.join(', ')}.`);
  return isCut ? null : rows;
}

/** Numbers known only to a register that may not answer are left out. */
function foundBy({ cadastre, locations }: AskedRegisters, found: Found): Found {
  return {
    ...found,
    ...(!cadastre && { parcels: null, ownParcels: null, registered: null }),
    ...(!locations && { located: null }),
  };
}

function isMirrored(part: PropertyPart, found: Found): boolean {
  const tables = {
    floors: found.bbrTables?.includes('Etage'),
    facilities: found.bbrTables?.includes('TekniskAnlaeg'),
    cadastre: (found.cadastreTables?.length ?? 0) > 0,
    locations: found.addressTables?.includes('Ejendomsbeliggenhed'),
    assessments: found.states?.some(({ layer }) => layer === 'vurdering'),
    protection: found.states?.some(({ layer }) => layer === 'fbb'),
  };
  return tables[part] === true;
}
