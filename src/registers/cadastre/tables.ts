/** Entities and columns of upstream/registers-geo.md 4.1. */
import type { RegisterSchema, RegisterTable, TableColumn } from '../../layers/register-tables.ts';
import { standingColumn } from '../../layers/standing-columns.ts';

const ID: TableColumn = { name: 'id', kind: 'bigint', from: ['idlokalid', 'id'], required: true };
/** `Gældende` is 3. */
const STATUS: TableColumn = {
  ...{ name: 'status', kind: 'status', from: ['status'], required: true },
  standing: standingColumn('MAT', 'status'),
};

function bfe(...stems: readonly string[]): TableColumn {
  const from = stems.flatMap((stem) => [stem, `${stem}lokalid`, `${stem}id`]);
  return { name: 'bfe', kind: 'bigint', from, expected: true };
}

function table(
  entity: string,
  name: string,
  more: Pick<RegisterTable, 'columns' | 'indexes' | 'former'>,
): RegisterTable {
  return { entity, register: 'MAT', table: name, key: ['id'], ...more };
}

export const CADASTRE_TABLES: readonly RegisterTable[] = [
  table('Ejerlav', 'cadastre_district', {
    columns: [
      ID,
      { name: 'code', kind: 'bigint', from: ['ejerlavskode', 'idlokalid'], required: true },
      { name: 'name', kind: 'text', from: ['ejerlavsnavn', 'navn'], required: true },
    ],
    indexes: [{ suffix: '_code', on: '(code)' }],
    // Only current names are used (D87).
    former: null,
  }),
  table('SamletFastEjendom', 'cadastre_property', {
    columns: [
      ID,
      STATUS,
      bfe('bfenummer'),
      { name: 'is_divided', kind: 'text', from: ['hovedejendomopdeltiejerlejligheder'] },
    ],
    indexes: [{ suffix: '_bfe', on: '(bfe)' }],
    former: { table: 'cadastre_property_former' },
  }),
  table('Jordstykke', 'cadastre_parcel', {
    columns: [
      ID,
      STATUS,
      bfe('samletfastejendom', 'bfenummer'),
      { name: 'number', kind: 'text', from: ['matrikelnummer'], expected: true },
      {
        name: 'district_id',
        kind: 'bigint',
        from: ['ejerlavlokalid', 'ejerlav', 'ejerlavskode'],
        expected: true,
      },
      { name: 'municipality_code', kind: 'code', from: ['kommunelokalid', 'kommunekode'] },
      { name: 'area', kind: 'bigint', from: ['registreretareal'] },
    ],
    indexes: [
      { suffix: '_bfe', on: '(bfe)' },
      { suffix: '_number', on: '(district_id, number)' },
    ],
    former: { table: 'cadastre_parcel_former' },
  }),
  table('Ejerlejlighed', 'cadastre_flat', {
    columns: [
      ID,
      STATUS,
      bfe('bfenummer'),
      {
        name: 'property_bfe',
        kind: 'bigint',
        from: ['samletfastejendomlokalid', 'samletfastejendom'],
      },
      { name: 'number', kind: 'text', from: ['ejerlejlighedsnummer'] },
    ],
    indexes: [{ suffix: '_bfe', on: '(bfe)' }],
    former: { table: 'cadastre_flat_former' },
  }),
  table('BygningPaaFremmedGrund', 'cadastre_foreign_building', {
    columns: [ID, STATUS, bfe('bfenummer')],
    indexes: [{ suffix: '_bfe', on: '(bfe)' }],
    former: { table: 'cadastre_foreign_building_former' },
  }),
  {
    ...table('Lodflade', 'cadastre_face', {
      columns: [
        // Its own id, or one with a number added (`263574_23`).
        { ...ID, kind: 'id' },
        {
          name: 'parcel_id',
          kind: 'bigint',
          from: ['jordstykkelokalid', 'jordstykke'],
          required: true,
        },
        { name: 'geom', kind: 'surface', from: ['geometri', 'wkt'], required: true },
      ],
      indexes: [
        { suffix: '_parcel', on: '(parcel_id)' },
        // Tiles are cut by it (D139).
        { suffix: '_geom', on: 'using gist (geom)' },
      ],
      // The cadastre endpoint answers for today only (D90).
      former: null,
    }),
    // Without it parcels have no geometry; all else works.
    isOptional: true,
  },
];

export const CADASTRE_SCHEMA: RegisterSchema = {
  tables: CADASTRE_TABLES,
  references: {
    of: [{ from: 'cadastre_parcel', column: 'district_id', to: 'cadastre_district', key: 'id' }],
    inForce: [3],
    guardedBy: 'Jordstykke',
    message: 'Too many parcels in force refer to districts that are not there.',
  },
  counted: ['cadastre_parcel'],
  beside: { sources: 'cadastre_source', history: 'cadastre_history', former: null },
};
