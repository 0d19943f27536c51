/**
 * The layers of the register of listed and preserved buildings (FBB) as tables, each by the name of its
 * feature type behind `view_bygning_` (upstream/registers-bbr.md 11). Which rows of them are read is said by
 * the sources: all buildings of the country are in one of them.
 */
import type {
  RegisterSchema,
  RegisterTable,
  TableColumn,
} from '../../../layers/register-tables.ts';

/** An empty code is kept as the register's own placeholder, so that it can be part of the key. */
const NONE = -1;

const COLUMNS: readonly TableColumn[] = [
  { name: 'id', kind: 'bigint', from: ['bygningsid', 'bygningid'], required: true },
  { name: 'status', kind: 'integer', from: ['fredningsstatus'], required: true, empty: NONE },
  { name: 'value', kind: 'integer', from: ['bevaringsvaerdi'], required: true, empty: NONE },
  // Of a building that BBR does not know it is empty.
  { name: 'building_id', kind: 'uuid', from: ['oisid', 'bbrid'], expected: true },
];

function table(entity: string, name: string): RegisterTable {
  return {
    entity,
    register: 'FBB',
    table: name,
    // A building may be there once for each of its cases (D114).
    key: ['id', 'status', 'value'],
    columns: COLUMNS,
    indexes: [{ suffix: '_building', on: '(building_id)' }],
    // FBB tells of the present alone (D87).
    former: null,
  };
}

/** What the statements of sync/mirrors/tables are made of. */
export const PROTECTION_SCHEMA: RegisterSchema = {
  tables: [
    table('fredede', 'protection_listed'),
    table('bevaringssag', 'protection_case'),
    table('alle', 'protection_survey'),
  ],
  references: null,
  counted: ['protection_listed', 'protection_case', 'protection_survey'],
  beside: { sources: 'protection_source', history: 'protection_history', former: null },
};
