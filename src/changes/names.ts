import type { RegisterTable } from '../layers/register-tables.ts';
import { ROW_TIMES } from '../downloads/read-table.ts';

/** Store names and outside names, in the table's order. */
export function columnNames(
  table: RegisterTable,
): readonly (readonly [own: string, outside: string])[] {
  const [registeredFrom = '', , validFrom = ''] = ROW_TIMES.map((name) => name.toLowerCase());
  return [
    ...table.columns.map(({ name, from }) => [name, from[0] ?? name] as const),
    ['registered_from', registeredFrom],
    ['valid_from', validFrom],
  ];
}
