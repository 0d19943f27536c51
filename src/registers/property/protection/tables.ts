/**
 * FBB's layers as tables, each named by its feature type after `view_bygning_`
 * (upstream/registers-bbr.md 11). The sources select the rows: one layer has all buildings of the
 * country.
 */
import type {
  RegisterSchema,
  RegisterTable,
  TableColumn,
} from '../../../layers/register-tables.ts';

/** The register's placeholder for an empty code in the key. */
const NONE = -1;

const COLUMNS: readonly TableColumn[] = [
  { name: 'id', kind: 'bigint', from: ['bygningsid', 'bygningid'], required: true },
  { name: 'status', kind: 'integer', from: ['fredningsstatus'], required: true, empty: NONE },
  { name: 'value', kind: 'integer', from: ['bevaringsvaerdi'], required: true, empty: NONE },
  // Empty for a building that BBR does not know.
  { name: 'building_id', kind: 'uuid', from: ['oisid', 'bbrid'], expected: true },
];

function table(entity: string, name: string): RegisterTable {
  return {
    entity,
    register: 'FBB',
    table: name,
    // A building may occur once for each of its cases (D114).
    key: ['id', 'status', 'value'],
    columns: COLUMNS,
    indexes: [{ suffix: '_building', on: '(building_id)' }],
    // FBB holds only current data (D87).
    former: null,
  };
}

export const PROTECTION_SCHEMA: RegisterSchema = {
  tables: [
    table('fredede', 'protection_listed'),
    table('bevaringssag', 'protection_case'),
    table('alle', 'protection_survey'),
  ],
  references: null,
  counted: ['protection_listed', 'protection_case', 'protection_survey'],
  owner: 'building_id',
  beside: { sources: 'protection_source', history: 'protection_history', former: null },
};
