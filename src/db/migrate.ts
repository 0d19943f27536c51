/** Updates a store's schema: numbered SQL files, forward only. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import type { Log } from '../kernel/log.ts';
import { isServerUnavailable, isStatementTimeout } from '../kernel/server-unavailable.ts';
import type { Store } from './connect.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

const DIRECTORY = join(import.meta.dirname, '../../sql/migrations');
const UNIQUE_VIOLATION = '23505';

/**
 * Applies missing files, each in its own transaction, and returns their names. Several programs may
 * start together: the version row is written first, so one waits on the other's and then finds the
 * work done. Throws when the database is newer than the program.
 */
export async function migrate(
  store: Pick<Store, 'pool'>,
  directory = DIRECTORY,
): Promise<string[]> {
  const migrations = readMigrations(directory);
  const client = await store.pool.connect();
  let broken = true;
  try {
    await createTable(client);
    const done = await appliedNumbers(client);
    const last = migrations.at(-1)?.number ?? 0;
    const ahead = Math.max(0, ...done);
    if (ahead > last) {
      throw new Error(
        `The database has migration ${ahead}, this program only ${last}: start a newer program.`,
      );
    }
    const applied: string[] = [];
    for (const migration of migrations) {
      if (done.has(migration.number)) continue;
      if (await apply(client, migration)) applied.push(migration.name);
    }
    broken = false;
    return applied;
  } finally {
    // A connection in an unknown state is not reused.
    client.release(broken);
  }
}

/**
 * As `migrate`; retries while the server is unavailable or its list of migrations is locked;
 * rejects on anything else. `log` null: something else reports an unavailable server.
 */
export async function migrateWhenUp(
  store: Store,
  log: Log | null,
  signal: AbortSignal,
): Promise<void> {
  for (let isReported = false; ; isReported = true) {
    try {
      await migrate(store);
      return;
    } catch (error) {
      // Waiting does not help with anything else.
      const isPassing = isServerUnavailable(error) || isStatementTimeout(error);
      if (signal.aborted || !isPassing) throw error;
      if (!isReported) {
        log?.error(
          { component: 'store', err: error },
          'the database does not answer yet: serving without it and trying again',
        );
      }
      await sleep(DB_LIMITS.migrateRetryMs, undefined, { signal });
    }
  }
}

/** Throws when two files have one number: the second would silently never be applied. */
function readMigrations(directory: string): Migration[] {
  const migrations = readdirSync(directory)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(0, -'.sql'.length),
      sql: readFileSync(join(directory, file), 'utf8'),
    }));
  for (const [index, { number, name }] of migrations.entries()) {
    if (migrations[index - 1]?.number === number) {
      throw new Error(`Two migrations have the number ${number}: rename ${name}.`);
    }
  }
  return migrations;
}

async function createTable(client: pg.PoolClient): Promise<void> {
  const sql = `create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    applied_at timestamptz not null default now()
  )`;
  try {
    await client.query(sql);
  } catch (error) {
    // Of two concurrent "if not exists", one may still collide.
    if (!isUniqueViolation(error)) throw error;
  }
}

async function appliedNumbers(client: pg.PoolClient): Promise<Set<number>> {
  const { rows } = await client.query<{ number: number }>('select number from schema_migration');
  return new Set(rows.map(({ number }) => number));
}

/** false: another program has done it. */
async function apply(client: pg.PoolClient, { number, name, sql }: Migration): Promise<boolean> {
  const run = (text: string, values?: unknown[]) =>
    client.query({
      text,
      ...(values && { values }),
      query_timeout: DB_LIMITS.storeMigrationMs,
    } as pg.QueryConfig);
  await run('begin');
  try {
    await run(`set local statement_timeout = ${DB_LIMITS.storeMigrationMs}`);
    await run('insert into schema_migration (number, name) values ($1, $2)', [number, name]);
    await run(sql);
    await run('commit');
    return true;
  } catch (error) {
    await run('rollback');
    if (isUniqueViolation(error) && (await appliedNumbers(client)).has(number)) return false;
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
}
