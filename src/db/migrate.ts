import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import { sentenceOf } from '../kernel/log.ts';
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
const INSUFFICIENT_PRIVILEGE = '42501';
/** The server knows no such extension: its files are missing. */
const NO_SUCH_EXTENSION = new Set(['0A000', '58P01']);

/** Why a schema is not up to date. */
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

/** The message says what an operator can do. */
export class MigrationFailed extends Error {
  readonly fault: MigrationFault;

  constructor(message: string, fault: MigrationFault, cause?: unknown) {
    super(message + REMEDY[fault], { cause });
    this.fault = fault;
  }
}

/**
 * Applies missing files, each in its own transaction, and returns their names. The version row is written
 * first, so programs that start together wait for each other. Throws when the database is newer than the
 * program.
 */
export async function migrate(
  store: Pick<Store, 'pool'>,
  directory = DIRECTORY,
): Promise<string[]> {
  const migrations = readMigrations(directory);
  const client = await store.pool.connect();
  let broken = true;
  try {
    await createTable(client).catch((error: unknown) => {
      throw failureOf('The list of migrations', error);
    });
    const done = await appliedNumbers(client);
    const last = migrations.at(-1)?.number ?? 0;
    const ahead = Math.max(0, ...done);
    if (ahead > last) {
      throw new MigrationFailed(
        `The database has migration ${ahead}, this program only ${last}: start a newer program.`,
        'schema_newer',
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

export interface MigrationWait {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Something else reports an unavailable server. */
  readonly isWatched?: boolean;
  /** Called after every attempt that failed. null: not for the schema's sake. */
  readonly onFault?: (fault: MigrationFault | null) => void;
}

/**
 * As `migrate`, until it passes: an administrator may mend what a database refuses. Rejects when the
 * database is newer than the program, and on any refusal of the embedded store, which nobody can mend.
 */
export async function migrateWhenUp(store: Store, wait: MigrationWait): Promise<void> {
  const { signal, onFault = () => undefined } = wait;
  let told = '';
  for (let refusals = 0; ;) {
    try {
      await migrate(store);
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

/** Once for each reason in a row; returns what was told last. */
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

/** The number of this program's newest. */
export function lastMigration(): number {
  return readMigrations(DIRECTORY).at(-1)?.number ?? 0;
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
    throw failureOf(`Migration ${name}`, error);
  }
}

/** What waiting helps with stays as it is. */
function failureOf(what: string, error: unknown): unknown {
  if (isServerUnavailable(error) || isStatementTimeout(error)) return error;
  const message = `${what} failed: ${sentenceOf(error)}.`;
  return new MigrationFailed(message, faultOf(error), error);
}

function faultOf(error: unknown): MigrationFault {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (code === INSUFFICIENT_PRIVILEGE) return 'rights_missing';
  const isOfExtension = /extension/i.test(sentenceOf(error));
  return NO_SUCH_EXTENSION.has(code) && isOfExtension ? 'postgis_missing' : 'schema_failed';
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
}
