/** Planning takes longer than answering: statements are prepared once per connection. */
import type { Store } from './connect.ts';

export interface PlannedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The embedded store's connections share one session, where a name is used once. */
export async function askPlanned<Row extends object>(
  { kind, pool }: Pick<Store, 'kind' | 'pool'>,
  { name, text, values }: PlannedStatement,
): Promise<readonly Row[]> {
  const named = kind === 'postgres' && { name };
  const { rows } = await pool.query<Row>({ ...named, text, values: [...values] });
  return rows;
}
