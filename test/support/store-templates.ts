/**
 * The stores tests run on, made once for a run and cloned per test file: a template database in a
 * private PostgreSQL cluster, or a migrated directory of the embedded store.
 */
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, constants, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/db/connect.ts';
import type { Store, StoreOptions } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { runSql, startCluster, withClient } from './postgres-cluster.ts';
import { HANG_MS } from './run-settings.ts';
import { keepDraft, sweep } from './scratch.ts';
import { ROOT } from './repository.ts';

/** What a test file needs to clone a store; plain values, handed to vitest's workers. */
export interface Template {
  readonly kind: Store['kind'];
  /** Directory of the run, removed at its end. */
  readonly runDir: string;
  /** embedded: the migrated data directory. postgres: address of the template database. */
  readonly source: string;
}

export interface TestStore extends Store {
  /** How a program under test is pointed at this store. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** A second handle on the same store, as another process would have it. Close it yourself. */
  another(options?: Partial<StoreOptions>): Promise<Store>;
}

const log = {
  error: (message: string) => {
    console.error(message);
  },
};

/** Makes the template of a kind; `stop` removes everything made in the run. */
export async function makeTemplate(
  kind: Store['kind'],
): Promise<{ template: Template; stop: () => Promise<void> }> {
  sweep(tmpdir(), 'geoopslag-test-');
  const runDir = mkdtempSync(join(tmpdir(), `geoopslag-test-${process.pid}-`));
  const clean = () => {
    rmSync(runDir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', clean);
  if (kind === 'embedded') {
    const source = await embeddedTemplate(runDir);
    const stop = () => {
      clean();
      return Promise.resolve();
    };
    return { template: { kind, runDir, source }, stop };
  }
  const given = process.env['TEST_DATABASE_URL'] ?? '';
  const cluster = given === '' ? await startCluster() : null;
  const server = cluster?.url('postgres') ?? given;
  const name = databaseName('template');
  await runSql(server, `create database ${name}`);
  const source = withDatabase(server, name);
  await migrateAndClose({ databaseUrl: source, dataDir: runDir });
  const stop = async () => {
    if (cluster === null) await dropAll(server, name);
    await cluster?.stop();
    clean();
  };
  return { template: { kind, runDir, source }, stop };
}

/**
 * Instead of a service's deadlines, which a busy machine passes: what waits for a connection may wait behind many, and
 * on the embedded store, which has one at a time and shares two cores with the tests, so may a statement. Only a hang
 * takes longer.
 */
const PATIENCE = {
  postgres: { connectMs: 2 * HANG_MS },
  embedded: { connectMs: 2 * HANG_MS, silenceMs: 2 * HANG_MS },
} as const;

/** A fresh migrated store; its `close` removes it. */
export async function cloneStore(
  template: Template,
  options: Partial<StoreOptions> = {},
): Promise<TestStore> {
  const { runDir, source, kind } = template;
  const dataDir = mkdtempSync(join(runDir, 'data-'));
  let databaseUrl: string | null = null;
  let remove = (): Promise<unknown> => Promise.resolve();
  if (kind === 'embedded') {
    cpSync(source, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } else {
    const name = databaseName('test');
    const server = withDatabase(source, 'postgres');
    // Copied as files, not through the log of a server that keeps nothing: in half the time.
    const copied = `template ${databaseOf(source)} strategy file_copy`;
    await runSql(server, `create database ${name} ${copied}`);
    databaseUrl = withDatabase(source, name);
    remove = () => runSql(server, `drop database if exists ${name} with (force)`);
  }
  const open = (more: Partial<StoreOptions>) => {
    const timeouts = { ...PATIENCE[kind], ...options.timeouts, ...more.timeouts };
    return openStore({ databaseUrl, dataDir, log, ...options, ...more, timeouts });
  };
  const store = await open({});
  const close = async () => {
    await store.close();
    await remove();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...store, databaseUrl, dataDir, another: (more = {}) => open(more), close };
}

/**
 * The template with something more in it, made once a run by whoever asks first, while the others wait.
 * `fill` closes the store it is given. PostgreSQL alone: there a clone takes a fraction of a second.
 */
export async function filledTemplate(
  template: Template,
  name: string,
  fill: (store: TestStore) => Promise<void>,
): Promise<Template> {
  const original = databaseOf(template.source);
  const filled = `${original}_${name}`;
  await withClient(withDatabase(template.source, 'postgres'), async (client) => {
    // Whoever dies over it lets go of it, and leaves a draft behind.
    await client.query('select pg_advisory_lock(hashtext($1))', [filled]);
    const { rows } = await client.query('select from pg_database where datname = $1', [filled]);
    if (rows.length === 0) {
      const draft = `${filled}_draft`;
      await client.query(`drop database if exists ${draft} with (force)`);
      await client.query(`create database ${draft} template ${original}`);
      await fill(await storeIn(template, draft));
      await client.query(`alter database ${draft} rename to ${filled}`);
    }
  });
  return { ...template, source: withDatabase(template.source, filled) };
}

/** A store of a run's own directory over a database that is there; closing it leaves that. */
async function storeIn({ runDir, source }: Template, database: string): Promise<TestStore> {
  const dataDir = mkdtempSync(join(runDir, 'data-'));
  const databaseUrl = withDatabase(source, database);
  const open = (more: Partial<StoreOptions> = {}) =>
    openStore({ databaseUrl, dataDir, log, purpose: 'sync', ...more });
  return { ...(await open()), databaseUrl, dataDir, another: open };
}

/**
 * Making the first embedded store takes some ten seconds, so it is kept under .tmp from run to run,
 * named by everything it depends on.
 */
async function embeddedTemplate(runDir: string): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const file of readdirSync(join(ROOT, 'sql/migrations')).sort()) {
    hash.update(file).update(readFileSync(join(ROOT, 'sql/migrations', file)));
  }
  for (const name of ['pglite', 'pglite-postgis']) {
    hash.update(readFileSync(join(ROOT, `node_modules/@electric-sql/${name}/package.json`)));
  }
  const kept = join(ROOT, '.tmp', `embedded-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(kept)) return kept;
  const dataDir = join(runDir, 'template');
  await migrateAndClose({ databaseUrl: null, dataDir });
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  const draft = mkdtempSync(join(ROOT, '.tmp', 'draft-'));
  // Only the database: sockets and locks belong to one directory.
  cpSync(join(dataDir, 'pg'), join(draft, 'pg'), { recursive: true });
  keepDraft(draft, kept);
  return kept;
}

async function migrateAndClose(where: Pick<StoreOptions, 'databaseUrl' | 'dataDir'>) {
  const store = await openStore({ ...where, log, purpose: 'sync', maxConnections: 1 });
  try {
    await migrate(store);
  } finally {
    await store.close();
  }
}

/** A template, and what was made from it under its name. */
async function dropAll(server: string, template: string): Promise<void> {
  const named = `select datname from pg_database where starts_with(datname, '${template}')`;
  const found = await runSql(server, named);
  await runSql(
    server,
    ...found.map(({ datname }) => `drop database ${String(datname)} with (force)`),
  );
}

function databaseName(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

function databaseOf(address: string): string {
  return new URL(address).pathname.slice(1);
}

function withDatabase(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
