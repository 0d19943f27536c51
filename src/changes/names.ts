/** What rows are called outside: columns by the register's own names, attributes of layers as answers have them. */
import type { RegisterTable } from '../layers/register-tables.ts';
import { ROW_TIMES } from '../downloads/read-table.ts';

/** Names in the store, and outside, in the order of the table. */
export function columnNames(
  table: RegisterTable,
): readonly (readonly [own: string, told: string])[] {
  const [registeredFrom = '', , validFrom = ''] = ROW_TIMES.map((name) => name.toLowerCase());
  return [
    ...table.columns.map(({ name, from }) => [name, from[0] ?? name] as const),
    ['registered_from', registeredFrom],
    ['valid_from', validFrom],
  ];
}
