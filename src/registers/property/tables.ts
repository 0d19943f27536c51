/**
 * BBR: see upstream/registers-bbr.md 2, 3, 6 and 7. Fields are found by the first six characters
 * (`byg026`): sources spell the rest differently. D53 is applied when reading.
 */
import type {
  RegisterSchema,
  RegisterTable,
  TableColumn,
  TableIndex,
} from '../../layers/register-tables.ts';
import { standingColumn } from '../../layers/standing-columns.ts';
import { fieldsIn } from './fields.ts';
import type { Fields } from './fields.ts';
import { BUILDING_FIELDS, DRAINAGE_FIELDS, FACILITY_FIELDS, TANK_FIELDS } from './record-fields.ts';

type Field = Pick<TableColumn, 'expected' | 'required'>;

function field(
  name: string,
  kind: TableColumn['kind'],
  prefix: string,
  more: Field = {},
): TableColumn {
  return { name, kind, from: [prefix], isPrefix: true, ...more };
}

function reference(
  name: string,
  kind: 'uuid' | 'bigint',
  stem: string,
  more: Field = {},
): TableColumn {
  return { name, kind, from: [stem, `${stem}lokalid`, `${stem}id`], ...more };
}

const ID: TableColumn = { name: 'id', kind: 'uuid', from: ['idlokalid', 'id'], required: true };
const STATUS: TableColumn = {
  ...{ name: 'status', kind: 'status', from: ['status'], required: true },
  standing: standingColumn('BBR', 'status'),
};
const MUNICIPALITY: TableColumn = {
  name: 'municipality_code',
  kind: 'code',
  from: ['kommunekode'],
};

function fieldsOf(fields: Fields): TableColumn[] {
  return fieldsIn(fields).map(({ column, kind, prefix, expected }) =>
    field(column, kind === 'code' ? 'text' : kind, prefix, expected && { expected }),
  );
}

/** In the order of a building's. */
const GROUND_DRAINAGE = ['010', '022', '023', '024', '025', '026', '027', '028'];

function index(column: string, where = ''): TableIndex {
  return { suffix: `_${column.replace(/_id$/, '')}`, on: `(${column})${where}` };
}

function sparse(column: string): TableIndex {
  return index(column, ` where ${column} is not null`);
}

function table(
  entity: string,
  name: string,
  { columns, indexes }: Pick<RegisterTable, 'columns' | 'indexes'>,
): RegisterTable {
  return {
    entity,
    register: 'BBR',
    table: name,
    key: ['id'],
    columns: [ID, ...columns],
    // D86: a record of a past day is made of whole rows.
    former: { table: `${name}_former` },
    indexes,
  };
}

const GROUND = table('Grund', 'bbr_ground', {
  columns: [
    STATUS,
    MUNICIPALITY,
    ...fieldsOf(DRAINAGE_FIELDS).map((each, i) => ({
      ...each,
      from: [`gru${GROUND_DRAINAGE[i]}`],
    })),
    field('discharge_permit', 'text', 'gru021'),
    reference('access_id', 'uuid', 'husnummer'),
    reference('property_id', 'uuid', 'bestemtfastejendom', { expected: true }),
  ],
  indexes: [index('property_id')],
});

const BUILDING = table('Bygning', 'bbr_building', {
  columns: [
    STATUS,
    MUNICIPALITY,
    ...fieldsOf(BUILDING_FIELDS),
    ...fieldsOf(DRAINAGE_FIELDS),
    field('geom', 'point', 'byg404', { expected: true }),
    field('coordinate_system', 'text', 'byg406'),
    reference('ground_id', 'uuid', 'grund', { expected: true }),
    reference('parcel_id', 'bigint', 'jordstykke'),
    reference('access_id', 'uuid', 'husnummer'),
    reference('foreign_property_id', 'uuid', 'bygningpaafremmedgrund'),
    reference('flat_property_id', 'uuid', 'ejerlejlighed'),
  ],
  indexes: [
    index('ground_id'),
    sparse('foreign_property_id'),
    sparse('flat_property_id'),
    sparse('access_id'),
  ],
});

const FLOOR = table('Etage', 'bbr_floor', {
  columns: [
    STATUS,
    field('designation', 'text', 'eta006'),
    field('area', 'integer', 'eta020', { expected: true }),
    field('attic_area', 'integer', 'eta021', { expected: true }),
    field('low_basement_area', 'integer', 'eta022'),
    field('basement_dwelling_area', 'integer', 'eta023'),
    field('type', 'text', 'eta025'),
    reference('building_id', 'uuid', 'bygning', { required: true }),
  ],
  indexes: [index('building_id')],
});

const ENTRANCE = table('Opgang', 'bbr_entrance', {
  columns: [
    STATUS,
    reference('access_id', 'uuid', 'adgangfrahusnummer'),
    reference('building_id', 'uuid', 'bygning', { required: true }),
  ],
  indexes: [index('building_id'), sparse('access_id')],
});

const UNIT = table('Enhed', 'bbr_unit', {
  columns: [
    STATUS,
    field('use', 'text', 'enh020', { expected: true }),
    field('total_area', 'integer', 'enh026', { expected: true }),
    field('rooms', 'integer', 'enh031', { expected: true }),
    field('heating', 'text', 'enh051'),
    field('heating_fuel', 'text', 'enh052'),
    reference('address_id', 'uuid', 'adresseidentificerer', { expected: true }),
    reference('floor_id', 'uuid', 'etage', { expected: true }),
    reference('entrance_id', 'uuid', 'opgang'),
    // Missing in 2020 (D92).
    reference('building_id', 'uuid', 'bygning'),
    reference('flat_property_id', 'uuid', 'ejerlejlighed'),
  ],
  indexes: [
    index('floor_id'),
    index('entrance_id'),
    sparse('building_id'),
    sparse('flat_property_id'),
    sparse('address_id'),
  ],
});

const FACILITY: RegisterTable = {
  ...table('TekniskAnlaeg', 'bbr_facility', {
    columns: [
      STATUS,
      field('number', 'integer', 'tek007', { expected: true }),
      field('class', 'text', 'tek020', { expected: true }),
      ...fieldsOf({ ...FACILITY_FIELDS, ...TANK_FIELDS }),
      field('geom', 'point', 'tek109', { expected: true }),
      reference('ground_id', 'uuid', 'grund', { expected: true }),
      reference('building_id', 'uuid', 'bygning'),
      reference('unit_id', 'uuid', 'enhed'),
      reference('foreign_property_id', 'uuid', 'bygningpaafremmedgrund'),
      reference('flat_property_id', 'uuid', 'ejerlejlighed'),
    ],
    indexes: [
      index('ground_id'),
      sparse('building_id'),
      sparse('unit_id'),
      sparse('foreign_property_id'),
      sparse('flat_property_id'),
    ],
  }),
  // Without it a record has no facilities (D89); all else works.
  isOptional: true,
};

const GROUND_PARCEL = table('GrundJordstykke', 'bbr_ground_parcel', {
  columns: [
    reference('ground_id', 'uuid', 'grund', { required: true }),
    // The cadastre's; empty on 2 % of the rows of 2020.
    reference('parcel_id', 'bigint', 'jordstykke', { expected: true }),
  ],
  indexes: [index('ground_id'), index('parcel_id')],
});

const PROPERTY = table('Ejendomsrelation', 'bbr_property', {
  columns: [
    STATUS,
    MUNICIPALITY,
    // Empty on a fifth of the rows of 2020.
    { name: 'bfe', kind: 'bigint', from: ['bfenummer'], expected: true },
    // A word (SFE, BPFG, Ejerlejlighed) or its code (1, 2, 3).
    { name: 'type', kind: 'text', from: ['ejendomstype'], expected: true },
    reference('cadastre_property_id', 'bigint', 'samletfastejendom'),
    reference('cadastre_foreign_building_id', 'bigint', 'bygningpaafremmedgrund'),
    reference('cadastre_flat_id', 'bigint', 'ejerlejlighed'),
  ],
  indexes: [index('bfe')],
});

const BUILDING_PROPERTY = table('BygningEjendomsrelation', 'bbr_building_property', {
  columns: [
    reference('building_id', 'uuid', 'bygning', { required: true }),
    reference('property_id', 'uuid', 'bygningpaafremmedgrund', { required: true }),
  ],
  indexes: [index('building_id'), index('property_id')],
});

const UNIT_PROPERTY = table('EnhedEjendomsrelation', 'bbr_unit_property', {
  columns: [
    reference('unit_id', 'uuid', 'enhed', { required: true }),
    reference('property_id', 'uuid', 'ejerlejlighed', { required: true }),
  ],
  indexes: [index('unit_id'), index('property_id')],
});

export const BBR_TABLES: readonly RegisterTable[] = [
  PROPERTY,
  GROUND,
  GROUND_PARCEL,
  BUILDING,
  BUILDING_PROPERTY,
  FLOOR,
  ENTRANCE,
  UNIT,
  UNIT_PROPERTY,
  FACILITY,
];

export const BBR_SCHEMA: RegisterSchema = {
  tables: BBR_TABLES,
  references: {
    of: [
      { from: 'bbr_floor', column: 'building_id', to: 'bbr_building', key: 'id' },
      { from: 'bbr_unit', column: 'floor_id', to: 'bbr_floor', key: 'id' },
      { from: 'bbr_ground', column: 'property_id', to: 'bbr_property', key: 'id' },
    ],
    // Of buildings, units and floors; of grounds (D53).
    inForce: [6, 7],
    guardedBy: 'Bygning',
    message: 'Too many rows in force refer to buildings, floors or properties that are not there.',
  },
  counted: ['bbr_building', 'bbr_unit'],
  beside: { sources: 'bbr_source', history: 'bbr_history', former: null },
};
