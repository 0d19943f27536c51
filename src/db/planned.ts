/** Statements prepared once per connection, as planning takes longer than answering. */
import type { Store } from './connect.ts';

export interface PlannedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Connections of the embedded store share one session, where a name is used once. */
export async function askPlanned<Row extends object>(
  { kind, pool }: Pick<Store, 'kind' | 'pool'>,
  { name, text, values }: PlannedStatement,
): Promise<readonly Row[]> {
  const named = kind === 'postgres' && { name };
  const { rows } = await pool.query<Row>({ ...named, text, values: [...values] });
  return rows;
}
