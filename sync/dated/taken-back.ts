/** Work in a transaction that is always rolled back; only its result remains. */
import { sql } from 'kysely';
import type { Db } from '../../src/db/connect.ts';

/** `signal` cancels the running statement, on PostgreSQL. */
export async function takenBack<T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const found = new Found<T>();
  try {
    await db.transaction().execute(async (trx) => {
      const release = await cancelling(db, trx, signal);
      try {
        found.value = [await work(trx)];
      } finally {
        release();
      }
      throw found;
    });
  } catch (error) {
    if (error !== found) throw error;
  }
  return found.value[0] as T;
}

class Found<T> extends Error {
  value: readonly T[] = [];
}

async function cancelling(db: Db, trx: Db, signal: AbortSignal | undefined): Promise<() => void> {
  if (signal === undefined) return () => undefined;
  signal.throwIfAborted();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  const cancel = (): void => {
    // If the store is unavailable the statement is lost anyway.
    sql`select pg_cancel_backend(${rows[0]?.pid}::integer)`.execute(db).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
