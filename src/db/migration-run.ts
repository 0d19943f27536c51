import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import type { Migration } from './migration-files.ts';
import { StoreClient } from './store-client.ts';
import { sentenceOf } from '../kernel/log.ts';
import { isServerUnavailable, isStatementTimeout } from '../kernel/server-unavailable.ts';

const UNIQUE_VIOLATION = '23505';
const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_NOT_AVAILABLE = '55P03';
/** The extension's files are missing. */
const NO_SUCH_EXTENSION = new Set(['0A000', '58P01']);

export type MigrationFault =
  | 'rights_missing'
  | 'postgis_missing'
  | 'schema_newer'
  | 'schema_failed';

const REMEDY: Readonly<Record<MigrationFault, string>> = {
  rights_missing:
    ' A superuser mends it in this database with: create extension if not exists postgis;' +
    ' and the role must own the database (docs/operations.md).',
  postgis_missing: ' Install PostGIS on the server of the database (docs/operations.md).',
  schema_newer: '',
  schema_failed: '',
};

export class MigrationFailed extends Error {
  readonly fault: MigrationFault;

  constructor(message: string, fault: MigrationFault, cause?: unknown) {
    super(message + REMEDY[fault], { cause });
    this.fault = fault;
  }
}

/** By number: the oldest program that may run on it. */
export type Applied = ReadonlyMap<number, number>;

export async function readApplied(client: pg.PoolClient): Promise<Applied> {
  const table = await client.query(`select where to_regclass('schema_migration') is not null`);
  if (table.rows.length === 0) return new Map();
  // Programs before marks created the table without the column, and wrote rows without a mark
  // since.
  const { rows } = await client.query<{ number: number; oldest: number }>(
    `select number, coalesce((to_jsonb(m) ->> 'oldest_program')::integer, number) as oldest
     from schema_migration m`,
  );
  return new Map(rows.map(({ number, oldest }) => [number, oldest]));
}

/** false: another program has applied it. `isServing`: tables may have traffic. */
export async function apply(
  client: pg.PoolClient,
  migration: Migration,
  isServing: boolean,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      if (migration.mark.kind === 'alone') return await runAlone(client, migration);
      return await runInTransaction(client, migration, isServing);
    } catch (error) {
      if (isUniqueViolation(error) && (await readApplied(client)).has(migration.number)) {
        return false;
      }
      const isHeld = codeOf(error) === LOCK_NOT_AVAILABLE;
      if (!isHeld || tries >= DB_LIMITS.migrationLockTries) throw refusalOf(migration, error);
      await sleep(DB_LIMITS.migrationLockRetryMs);
    }
  }
}

const run = (client: pg.PoolClient, text: string, values?: unknown[]) =>
  client.query({
    text,
    ...(values && { values }),
    query_timeout: DB_LIMITS.storeMigrationMs,
  } as pg.QueryConfig);

const record = (client: pg.PoolClient, { number, name, mark }: Migration, onConflict = '') =>
  run(
    client,
    `insert into schema_migration (number, name, oldest_program) values ($1, $2, $3) ${onConflict}`,
    [number, name, mark.oldestProgram],
  );

/**
 * Traffic queues after a lock request, so the wait is short and repeated. The row is written first:
 * programs without turns wait for it.
 */
async function runInTransaction(
  client: pg.PoolClient,
  migration: Migration,
  isServing: boolean,
): Promise<boolean> {
  const isShort = isServing && migration.mark.kind === 'short';
  await run(client, 'begin');
  try {
    await run(client, `set local statement_timeout = ${DB_LIMITS.storeMigrationMs}`);
    await record(client, migration);
    await run(client, `set local lock_timeout = ${DB_LIMITS.migrationLockMs}`);
    if (isShort) await run(client, `set local statement_timeout = ${DB_LIMITS.migrationHoldMs}`);
    await run(client, migration.sql);
    await run(client, 'commit');
    return true;
  } catch (error) {
    await run(client, 'rollback');
    throw error;
  }
}

/** Repeated where the program ended between statement and row: both allow it. */
async function runAlone(client: pg.PoolClient, migration: Migration): Promise<boolean> {
  // Of the session, which lives on: the embedded store has only one. A pooler's is not ours.
  const isLocal = client instanceof StoreClient && client.isPooled;
  const setLimit = (limit: string | number) =>
    run(client, `select set_config('statement_timeout', $1, $2)`, [String(limit), isLocal]);
  const { rows } = await client.query<{ before: string }>(
    `select current_setting('statement_timeout') as before`,
  );
  await setLimit(DB_LIMITS.storeMigrationMs);
  try {
    const index = /\bindex concurrently if not exists (\w+)/i.exec(migration.sql)?.[1];
    if (index !== undefined) await dropUnfinished(client, index);
    await run(client, migration.sql);
    await record(client, migration, 'on conflict do nothing');
    return true;
  } finally {
    await setLimit(rows[0]?.before ?? 0).catch(() => undefined);
  }
}

/** An interrupted index stays, is written to and never read. */
async function dropUnfinished(client: pg.PoolClient, index: string): Promise<void> {
  const { rows } = await run(
    client,
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rows.length > 0) await run(client, `drop index concurrently if exists ${index}`);
}

/** A limit of the migration was reached, which is no outage of the server. */
function refusalOf({ name, mark }: Migration, error: unknown): unknown {
  const { migrationLockTries, migrationLockMs, migrationHoldMs } = DB_LIMITS;
  if (codeOf(error) === LOCK_NOT_AVAILABLE) {
    const message =
      `Migration ${name} tried ${migrationLockTries} times for ${migrationLockMs} ms to lock what it ` +
      'changes: a long transaction holds it (pg_stat_activity shows which).';
    return new MigrationFailed(message, 'schema_failed', error);
  }
  if (mark.kind === 'short' && isStatementTimeout(error)) {
    const message = `Migration ${name} was undone: a statement took more than ${migrationHoldMs} ms.`;
    return new MigrationFailed(message, 'schema_failed', error);
  }
  return failureOf(`Migration ${name}`, error);
}

export function failureOf(what: string, error: unknown): unknown {
  if (isServerUnavailable(error) || isStatementTimeout(error)) return error;
  const message = `${what} failed: ${sentenceOf(error)}.`;
  return new MigrationFailed(message, faultOf(error), error);
}

function faultOf(error: unknown): MigrationFault {
  const code = codeOf(error);
  if (code === INSUFFICIENT_PRIVILEGE) return 'rights_missing';
  const isOfExtension = /extension/i.test(sentenceOf(error));
  return NO_SUCH_EXTENSION.has(code) && isOfExtension ? 'postgis_missing' : 'schema_failed';
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}
