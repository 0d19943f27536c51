/** Statements that are asked again and again: planned once a connection, for planning takes longer than answering. */
import type { Store } from './connect.ts';

export interface PlannedStatement {
  /** Its own; at most 63 letters. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Its rows. The connections of the embedded store are one session, where a name can be given once. */
export async function askPlanned<Row extends object>(
  { kind, pool }: Pick<Store, 'kind' | 'pool'>,
  { name, text, values }: PlannedStatement,
): Promise<readonly Row[]> {
  const named = kind === 'postgres' && { name };
  const { rows } = await pool.query<Row>({ ...named, text, values: [...values] });
  return rows;
}
