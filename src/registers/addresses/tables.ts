/** Entities, column names and spellings seen so far (upstream/registers-geo.md 1.4, 3.1). */
import type { RegisterSchema, RegisterTable, TableColumn } from '../../layers/register-tables.ts';
import { standingColumn } from '../../layers/standing-columns.ts';

/** Under its names in three generations of the model. */
function reference(name: string, ...stems: readonly string[]): Pick<TableColumn, 'name' | 'from'> {
  return { name, from: stems.flatMap((stem) => [stem, `${stem}lokalid`, `${stem}id`]) };
}

const ID = { name: 'id', kind: 'uuid', from: ['idlokalid', 'id'], required: true } as const;
const STATUS: TableColumn = {
  ...{ name: 'status', kind: 'status', from: ['status'], required: true },
  standing: standingColumn('DAR', 'status'),
};

function table<const Entity extends string>(
  entity: Entity,
  name: string,
  more: Pick<RegisterTable, 'columns'> & Partial<Omit<RegisterTable, 'entity'>>,
): RegisterTable & { readonly entity: Entity } {
  return {
    ...{ entity, register: 'DAR', table: name, key: ['id'], indexes: [], former: null },
    ...more,
    columns: [ID, STATUS, ...more.columns],
  };
}

export const ADDRESS_TABLES = [
  table('Postnummer', 'address_postcode', {
    columns: [
      { name: 'code', kind: 'code', from: ['postnr', 'postnummer'], required: true },
      { name: 'name', kind: 'text', from: ['navn'], required: true },
    ],
  }),
  table('SupplerendeBynavn', 'address_town', {
    columns: [
      { name: 'name', kind: 'text', from: ['navn'], required: true },
      { name: 'dagi_id', kind: 'text', from: ['supplerendebynavn1', 'supplerendebynavn'] },
    ],
  }),
  table('NavngivenVej', 'address_road', {
    former: { kind: 'road', columns: ['name'] },
    columns: [
      { name: 'name', kind: 'text', from: ['vejnavn'], required: true },
      { name: 'short_name', kind: 'text', from: ['vejadresseringsnavn'] },
    ],
  }),
  table('NavngivenVejKommunedel', 'address_road_part', {
    indexes: [
      { suffix: '_road', on: '(road_id)' },
      { suffix: '_code', on: '(municipality_code, road_code)' },
    ],
    columns: [
      { ...reference('road_id', 'navngivenvej'), kind: 'uuid', required: true },
      { name: 'municipality_code', kind: 'code', from: ['kommune', 'kommunekode'], required: true },
      { name: 'road_code', kind: 'code', from: ['vejkode'] },
    ],
  }),
  table('Adressepunkt', 'address_point', {
    indexes: [{ suffix: '_geom', on: 'using gist (geom)' }],
    columns: [
      { name: 'geom', kind: 'point', from: ['position', 'geometri', 'wkt'], expected: true },
      { name: 'source', kind: 'text', from: ['oprindelsekilde'] },
      { name: 'standard', kind: 'text', from: ['oprindelsetekniskstandard'] },
      { name: 'surveyed', kind: 'time', from: ['oprindelseregistrering'] },
      { name: 'accuracy', kind: 'text', from: ['oprindelsenoejagtighedsklasse'] },
    ],
  }),
  table('Husnummer', 'address_access', {
    indexes: [
      { suffix: '_point', on: '(point_id)' },
      { suffix: '_road', on: '(road_id)' },
    ],
    former: { kind: 'access', columns: ['road_id', 'house_number', 'postcode_id', 'town_id'] },
    columns: [
      { ...reference('road_id', 'navngivenvej'), kind: 'uuid', expected: true },
      { name: 'house_number', kind: 'upper-number', from: ['husnummertekst'], required: true },
      { name: 'designation', kind: 'text', from: ['adgangsadressebetegnelse'] },
      { ...reference('postcode_id', 'postnummer'), kind: 'uuid', expected: true },
      { ...reference('town_id', 'supplerendebynavn'), kind: 'uuid' },
      { name: 'municipality_code', kind: 'code', from: ['vejmidte', 'kommunekode'] },
      { ...reference('parcel_id', 'jordstykke', 'fkmujordstykkejordstykke'), kind: 'bigint' },
      { ...reference('point_id', 'adgangspunkt'), kind: 'uuid', expected: true },
      { name: 'direction', kind: 'text', from: ['husnummerretning'] },
      { ...reference('road_point_id', 'vejpunkt'), kind: 'uuid' },
    ],
  }),
  table('Adresse', 'address_unit', {
    indexes: [{ suffix: '_access', on: '(access_id)' }],
    former: { kind: 'unit', columns: ['access_id', 'floor', 'door'] },
    columns: [
      { ...reference('access_id', 'husnummer'), kind: 'uuid', required: true },
      { name: 'floor', kind: 'lower-number', from: ['etagebetegnelse'], expected: true },
      { name: 'door', kind: 'lower-number', from: ['doerbetegnelse'], expected: true },
      { name: 'designation', kind: 'text', from: ['adressebetegnelse'] },
    ],
  }),
  table('Ejendomsbeliggenhed', 'address_property', {
    register: 'EBR',
    indexes: [
      { suffix: '_unit', on: '(unit_id)' },
      { suffix: '_access', on: '(access_id)' },
      { suffix: '_bfe', on: '(bfe)' },
    ],
    // Without it addresses have no BFE; all else works.
    isOptional: true,
    former: { table: 'address_property_former' },
    columns: [
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
  }),
] as const;

export type AddressEntity = (typeof ADDRESS_TABLES)[number]['entity'];

export const ADDRESS_SCHEMA: RegisterSchema = {
  tables: ADDRESS_TABLES,
  references: {
    of: [
      { from: 'address_access', column: 'road_id', to: 'address_road', key: 'id' },
      { from: 'address_unit', column: 'access_id', to: 'address_access', key: 'id' },
    ],
    inForce: [2, 3],
    guardedBy: 'Husnummer',
    message: 'Too many addresses in force refer to roads or access addresses that are not there.',
  },
  counted: ['address_access', 'address_unit'],
  beside: { sources: 'address_source', history: 'address_history', former: 'address_former' },
};
