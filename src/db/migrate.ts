import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import { readMigrations } from './migration-files.ts';
import type { Migration } from './migration-files.ts';
import {
  MigrationFailed,
  apply,
  failureOf,
  isUniqueViolation,
  readApplied,
} from './migration-run.ts';
import type { Applied, MigrationFault } from './migration-run.ts';
import { sentenceOf } from '../kernel/log.ts';
import type { Log } from '../kernel/log.ts';
import { isServerUnavailable, isStatementTimeout } from '../kernel/server-unavailable.ts';
import type { Store } from './connect.ts';
import { alone } from './store-client.ts';

const DIRECTORY = join(import.meta.dirname, '../../sql/migrations');
const TURN = 4_711_066;

/**
 * Applies missing files, each in its own transaction, in turns with other programs; returns their
 * names. Throws on a newer database, unless its migrations allow this program (`onAhead` gets their
 * numbers).
 */
export async function migrate(
  store: Pick<Store, 'kind' | 'pool'>,
  directory = DIRECTORY,
  onAhead: (numbers: readonly number[]) => void = () => undefined,
): Promise<string[]> {
  const migrations = readMigrations(directory);
  const client = await store.pool.connect();
  let broken = true;
  try {
    const before = await readApplied(client);
    const ahead = checkAhead(before, migrations.at(-1)?.number ?? 0);
    const missing = migrations.filter(({ number }) => !before.has(number));
    const applied = missing.length === 0 ? [] : await applyInTurn(store, client, missing);
    if (ahead.length > 0) onAhead(ahead);
    broken = false;
    return applied;
  } finally {
    // Its state is unknown: not reused.
    client.release(broken);
  }
}

export interface MigrationWait {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly isWatched?: boolean;
  /** Called after every failed attempt. null: not because of the schema. */
  readonly onFault?: (fault: MigrationFault | null) => void;
}

/**
 * Repeats `migrate`, as an administrator may mend what a database refuses. Rejects on a newer
 * database, and on any refusal of the embedded store, which no one can mend.
 */
export async function migrateWhenUp(store: Store, wait: MigrationWait): Promise<void> {
  const { signal, onFault = () => undefined } = wait;
  let told = '';
  for (let refusals = 0; ;) {
    try {
      await migrate(store, DIRECTORY, (ahead) => tellAhead(ahead, wait));
      return;
    } catch (error) {
      onFault(error instanceof MigrationFailed ? error.fault : null);
      const isPassing = isServerUnavailable(error) || isStatementTimeout(error);
      if (signal.aborted || !(isPassing || isMendable(store, error))) throw error;
      told = tell(error, wait, { isPassing, told });
      refusals = isPassing ? 0 : refusals + 1;
      const waitMs = DB_LIMITS.migrateRetryMs * 2 ** Math.max(0, refusals - 1);
      await sleep(Math.min(waitMs, DB_LIMITS.migrateRetryMostMs), undefined, { signal });
    }
  }
}

function tellAhead(ahead: readonly number[], { log }: MigrationWait): void {
  const message = 'the database is newer than this program, whose version may run on it';
  log.warn({ component: 'store', migrations: ahead }, message);
}

/** Logs each reason once; returns the last one. */
function tell(
  error: unknown,
  { log, isWatched = false }: MigrationWait,
  { isPassing, told }: { readonly isPassing: boolean; readonly told: string },
): string {
  if (isWatched && isServerUnavailable(error)) return told;
  const message = isPassing
    ? 'the database does not answer yet: serving without it and trying again'
    : `DATABASE_URL: the store cannot be used yet, and is tried again: ${sentenceOf(error)}`;
  if (message !== told) log.error({ component: 'store', err: error }, message);
  return message;
}

function isMendable({ kind }: Store, error: unknown): boolean {
  if (kind === 'embedded') return false;
  if (error instanceof MigrationFailed) return error.fault !== 'schema_newer';
  // No such database or role, or a wrong password.
  return error instanceof pg.DatabaseError;
}

export function lastMigration(): number {
  return readMigrations(DIRECTORY).at(-1)?.number ?? 0;
}

/** Throws when this program may not run on one of them. */
function checkAhead(applied: Applied, last: number): readonly number[] {
  const ahead = [...applied.keys()].filter((number) => number > last).toSorted((a, b) => a - b);
  if (ahead.some((number) => (applied.get(number) ?? number) > last)) {
    throw new MigrationFailed(
      `The database has migration ${ahead.at(-1)}, this program only ${last}: start a newer program.`,
      'schema_newer',
    );
  }
  return ahead;
}

/** The lock is of a transaction, which a pooler also leaves to one session. */
async function applyInTurn(
  { kind, pool }: Pick<Store, 'kind' | 'pool'>,
  client: pg.PoolClient,
  missing: readonly Migration[],
): Promise<string[]> {
  const work = () => applyMissing(client, missing);
  // Clients of the embedded store share one session, which cannot keep a transaction open.
  if (kind === 'embedded') return await work();
  return await alone(pool, async (holder) => {
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    await takeTurn(holder);
    try {
      return await work();
    } finally {
      await holder.query('rollback').catch(() => undefined);
    }
  });
}

async function applyMissing(
  client: pg.PoolClient,
  missing: readonly Migration[],
): Promise<string[]> {
  await createTable(client).catch((error: unknown) => {
    throw failureOf('The list of migrations', error);
  });
  const done = await readApplied(client);
  const names: string[] = [];
  for (const migration of missing) {
    if (done.has(migration.number)) continue;
    if (await apply(client, migration, done.size > 0)) names.push(migration.name);
  }
  return names;
}

/** By polling: an index built concurrently would wait for any waiting statement. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += DB_LIMITS.migrationTurnMs) {
    const { rows } = await client.query<{ mine: boolean }>(
      // With parameters it would keep its snapshot, which the index waits for as well.
      `select pg_try_advisory_xact_lock(${TURN}) as mine`,
    );
    if (rows[0]?.mine === true) return;
    if (waitedMs >= DB_LIMITS.storeMigrationMs) {
      const message = 'Another program has migrated this database for half an hour.';
      throw new MigrationFailed(message, 'schema_failed');
    }
    await sleep(DB_LIMITS.migrationTurnMs);
  }
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
    // Concurrent "if not exists" may collide.
    if (!isUniqueViolation(error)) throw error;
  }
  // null: written before marks; no earlier program may run.
  await client.query(
    'alter table schema_migration add column if not exists oldest_program integer',
  );
}
