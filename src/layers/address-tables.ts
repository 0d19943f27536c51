/**
 * The tables of the address register, as data: which entity fills which table, and under which names
 * and spellings its columns have been seen (upstream/registers-geo.md 1.4, 3.1).
 */

/** How a value is written in the file and kept in the store. */
export type ColumnKind =
  | 'uuid'
  | 'text'
  /** A status by its digit or its word; 0 is a word nobody knows. */
  | 'status'
  | 'bigint'
  /** WKT of a point, EPSG:25832. */
  | 'point'
  /** House number, floor, door: no leading zeros, letters in the case of section 3.3. */
  | 'upper-number'
  | 'lower-number'
  /** Four digits at the beginning: of a code, or of a road within a municipality (`KKKK-VVVV`). */
  | 'code';

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Names it comes under, the preferred first: lower case, ae oe aa, letters and digits only. */
  readonly from: readonly string[];
  /** Empty values cannot be kept: such a row counts as unreadable. */
  readonly required?: true;
  /** A file without this column is not the table at all, though its rows may leave it empty. */
  readonly expected?: true;
}

export interface AddressTable {
  readonly entity: string;
  /** Table of the store, and what its rows of the past are kept as; null: nothing is kept. */
  readonly table: string;
  readonly former: { readonly kind: string; readonly columns: readonly string[] } | null;
  readonly columns: readonly TableColumn[];
}

/** A reference, under the names of three generations of the model. */
function reference(name: string, ...stems: readonly string[]): Pick<TableColumn, 'name' | 'from'> {
  return { name, from: stems.flatMap((stem) => [stem, `${stem}lokalid`, `${stem}id`]) };
}

const ID = { name: 'id', kind: 'uuid', from: ['idlokalid', 'id'], required: true } as const;
const STATUS = { name: 'status', kind: 'status', from: ['status'], required: true } as const;

/** In the order they are read and published: what is referred to before what refers. */
export const ADDRESS_TABLES = [
  {
    entity: 'Postnummer',
    table: 'address_postcode',
    former: null,
    columns: [
      ID,
      STATUS,
      { name: 'code', kind: 'code', from: ['postnr', 'postnummer'], required: true },
      { name: 'name', kind: 'text', from: ['navn'], required: true },
    ],
  },
  {
    entity: 'SupplerendeBynavn',
    table: 'address_town',
    former: null,
    columns: [ID, STATUS, { name: 'name', kind: 'text', from: ['navn'], required: true }],
  },
  {
    entity: 'NavngivenVej',
    table: 'address_road',
    former: { kind: 'road', columns: ['name'] },
    columns: [
      ID,
      STATUS,
      { name: 'name', kind: 'text', from: ['vejnavn'], required: true },
      { name: 'short_name', kind: 'text', from: ['vejadresseringsnavn'] },
    ],
  },
  {
    entity: 'NavngivenVejKommunedel',
    table: 'address_road_part',
    former: null,
    columns: [
      ID,
      STATUS,
      { ...reference('road_id', 'navngivenvej'), kind: 'uuid', required: true },
      { name: 'municipality_code', kind: 'code', from: ['kommune', 'kommunekode'], required: true },
      { name: 'road_code', kind: 'code', from: ['vejkode'] },
    ],
  },
  {
    entity: 'Adressepunkt',
    table: 'address_point',
    former: null,
    columns: [
      ID,
      STATUS,
      { name: 'geom', kind: 'point', from: ['position', 'geometri', 'wkt'], expected: true },
    ],
  },
  {
    entity: 'Husnummer',
    table: 'address_access',
    former: { kind: 'access', columns: ['road_id', 'house_number', 'postcode_id', 'town_id'] },
    columns: [
      ID,
      STATUS,
      { ...reference('road_id', 'navngivenvej'), kind: 'uuid', expected: true },
      { name: 'house_number', kind: 'upper-number', from: ['husnummertekst'], required: true },
      { name: 'designation', kind: 'text', from: ['adgangsadressebetegnelse'] },
      { ...reference('postcode_id', 'postnummer'), kind: 'uuid', expected: true },
      { ...reference('town_id', 'supplerendebynavn'), kind: 'uuid' },
      { name: 'municipality_code', kind: 'code', from: ['vejmidte', 'kommunekode'] },
      {
        ...reference('parcel_id', 'jordstykke', 'fkmujordstykkejordstykke'),
        kind: 'bigint',
      },
      { ...reference('point_id', 'adgangspunkt'), kind: 'uuid', expected: true },
    ],
  },
  {
    entity: 'Adresse',
    table: 'address_unit',
    former: { kind: 'unit', columns: ['access_id', 'floor', 'door'] },
    columns: [
      ID,
      STATUS,
      { ...reference('access_id', 'husnummer'), kind: 'uuid', required: true },
      { name: 'floor', kind: 'lower-number', from: ['etagebetegnelse'], expected: true },
      { name: 'door', kind: 'lower-number', from: ['doerbetegnelse'], expected: true },
      { name: 'designation', kind: 'text', from: ['adressebetegnelse'] },
    ],
  },
  {
    entity: 'Jordstykke',
    table: 'address_parcel',
    former: null,
    columns: [
      { name: 'id', kind: 'bigint', from: ['idlokalid', 'id'], required: true },
      STATUS,
      {
        ...reference('bfe', 'samletfastejendom', 'bfenummer'),
        kind: 'bigint',
        expected: true,
      },
    ],
  },
  {
    entity: 'Ejendomsbeliggenhed',
    table: 'address_property',
    former: null,
    columns: [
      ID,
      STATUS,
      {
        name: 'bfe',
        kind: 'bigint',
        from: ['bestemtfastejendombfenr', 'bestemtfastejendombfenummer', 'bfenummer'],
        required: true,
      },
      { name: 'access_id', kind: 'uuid', from: ['husnummerlokalid', 'husnummerid', 'husnummer'] },
      {
        name: 'unit_id',
        kind: 'uuid',
        from: ['adresselokalid', 'adresseid', 'adresse'],
        expected: true,
      },
    ],
  },
] as const satisfies readonly AddressTable[];

export type AddressEntity = (typeof ADDRESS_TABLES)[number]['entity'];

export function addressTable(entity: AddressEntity): AddressTable {
  const found = ADDRESS_TABLES.find((table) => table.entity === entity);
  if (found === undefined) throw new Error(`No table of ${entity}.`);
  return found;
}
