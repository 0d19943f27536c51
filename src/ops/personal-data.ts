/** Reads and erases rows by HOLDINGS (D201). */
import { sql } from 'kysely';
import { firstValue } from '../db/rows.ts';
import type { Store } from '../db/connect.ts';
import { HOLDINGS } from './holdings.ts';
import type { Holding } from './holdings.ts';
import { OPS_LIMITS } from './limits.ts';

type Stored = Pick<Store, 'db'>;

export interface HeldRow {
  readonly table: string;
  /** Without hidden columns. */
  readonly row: object;
  /** Of `job_chunk`: rows sent and answers. */
  readonly chunk: ChunkBytes | null;
}

export interface ChunkBytes {
  readonly input: Buffer;
  readonly output: Buffer | null;
  readonly errors: Buffer | null;
}

/** Of one moment, a page at a time. */
export async function* heldRows({ db }: Stored, accountId: string): AsyncGenerator<HeldRow, void> {
  const moment = await db.startTransaction().setIsolationLevel('repeatable read').execute();
  try {
    for (const holding of HOLDINGS) {
      const isChunk = holding.table === 'job_chunk';
      for await (const { row, ...bytes } of pagesOf(moment, holding, accountId)) {
        yield { table: holding.table, row, chunk: isChunk ? bytes : null };
      }
    }
  } finally {
    await moment.rollback().execute();
  }
}

async function* pagesOf(
  db: Store['db'],
  { table, of, hidden = [] }: Holding,
  accountId: string,
): AsyncGenerator<ChunkBytes & { readonly row: object }, void> {
  const isChunk = table === 'job_chunk';
  const bytes = isChunk ? sql`input, output, errors` : sql`null::bytea as input`;
  const size = isChunk ? 1 : OPS_LIMITS.sweepRows;
  await sql`declare held no scroll cursor for
    select to_jsonb(t) - ${[...hidden]}::text[] as row, ${bytes}
    from ${sql.table(table)} t where ${of(accountId)}`.execute(db);
  for (;;) {
    const { rows } = await sql<ChunkBytes & { readonly row: object }>`
      fetch ${sql.lit(size)} from held`.execute(db);
    yield* rows;
    if (rows.length < size) break;
  }
  await sql`close held`.execute(db);
}

export interface Erased {
  readonly table: string;
  readonly erased: number;
  readonly left: number;
  /** Why rows are left; null: none ever are. */
  readonly stays: string | null;
}

/** A few rows per statement. May be repeated. */
export async function eraseRows(store: Stored, accountId: string): Promise<readonly Erased[]> {
  const done: Erased[] = [];
  for (const holding of HOLDINGS) {
    const { table, stays = null } = holding;
    const erased = await eraseTable(store, holding, accountId);
    const left = await firstValue(store.db, 0)`
      select count(*)::float8 as count from ${sql.table(table)}
      where ${holding.of(accountId)}`;
    done.push({ table, erased, left, stays });
  }
  return done;
}

/** Removed rows stay in files until a vacuum, which the small embedded store does at once. */
export async function rewriteFiles({ db }: Stored): Promise<void> {
  for (const { table, erase } of HOLDINGS) {
    if (erase !== null) await sql`vacuum full ${sql.table(table)}`.execute(db);
  }
  await sql`checkpoint`.execute(db);
}

async function eraseTable({ db }: Stored, holding: Holding, accountId: string): Promise<number> {
  const { erase, of } = holding;
  if (erase === null) return 0;
  const table = sql.table(holding.table);
  const limit = OPS_LIMITS.sweepRows;
  const statement =
    erase === 'go'
      ? sql`delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${of(accountId)} limit ${limit}))`
      : sql`update ${table} set ${erase.set} where ctid = any(array(
          select ctid from ${table} where ${of(accountId)} and ${erase.isLeft} limit ${limit}))`;
  let erased = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    erased += Number(numAffectedRows);
    if (numAffectedRows < limit) return erased;
  }
}
