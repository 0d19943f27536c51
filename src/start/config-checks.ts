/** Checks whether these settings could work here. Changes nothing. */
import { existsSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { openStore } from '../db/connect.ts';
import type { Store } from '../db/connect.ts';
import { embeddedFiles } from '../db/embedded-files.ts';
import { lastMigration } from '../db/migrate.ts';
import { lookAtReplica } from '../db/replica-look.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import { memoryLimit, plannedMiB, workHeapMiB } from '../kernel/thread-plan.ts';
import { STREAM_LIMITS } from '../core/tasks/stream-task.ts';
import { DB_LIMITS } from '../db/limits.ts';
import { redact, sentenceOf } from '../kernel/log.ts';
import { allMirrored } from '../layers/catalogue.ts';
import { SNAPSHOT_STORE_LIMITS } from '../snapshot-store/limits.ts';
import { openObjectStore } from '../snapshot-store/open.ts';
import { openSources } from '../../sync/open.ts';
import { isConfigured } from '../../sync/run.ts';
import { tryReadable } from './preflight.ts';

export interface Check {
  readonly name: string;
  readonly isGood: boolean;
  /** The finding; for a failure also the remedy. */
  readonly says: string;
}

const good = (name: string, says: string): Check => ({ name, isGood: true, says });
const bad = (name: string, says: string): Check => ({ name, isGood: false, says });

export async function runChecks(config: Config, clock: Clock): Promise<readonly Check[]> {
  return [
    writable(config.dataDir),
    freeDisk(config),
    memory(config),
    readable(config),
    ...(await sharedFiles(config)),
    await upstreamKeys(config),
    ...(await storeChecks(config, clock)),
  ];
}

/** The nearest existing one: `npm start` creates the rest. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function writable(dataDir: string): Check {
  const folder = nearestFolder(dataDir);
  try {
    rmdirSync(mkdtempSync(join(folder, '.tried-')));
    return good('write access', `DATA_DIR ${dataDir} can be written`);
  } catch (error) {
    const { code = 'no folder' } = error as NodeJS.ErrnoException;
    const todo = 'give it to the user of the service, or name another in DATA_DIR';
    return bad('write access', `${folder} cannot be written (${code}): ${todo}.`);
  }
}

function freeDisk({ dataDir, sources }: Config): Check {
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir));
  const free = bavail * bsize;
  const wanted = LIMITS.freeDiskBytes[sources];
  const found = `${(free / 1e9).toFixed(1)} GB free under DATA_DIR`;
  if (free >= wanted) return good('disk', found);
  const todo = 'free some, or put DATA_DIR on a larger disk';
  return bad('disk', `${found}, ${wanted / 1e9} GB are wanted: ${todo}.`);
}

function memory({ plan, sources }: Config): Check {
  const mib = Math.round(memoryLimit() / 2 ** 20);
  const wanted = plannedMiB(plan, sources);
  const found =
    `${mib} MiB for ${plan.requests} request threads (heap ${plan.heapMiB}) ` +
    `and ${plan.work} of work (heap ${workHeapMiB()})`;
  if (wanted <= mib) return good('memory', found);
  return bad('memory', `${found}, ${wanted} MiB are wanted: lower REQUEST_THREADS or THREADS.`);
}

function readable(config: Config): Check {
  try {
    tryReadable(config);
    return good('files', 'what PLANS_FILE, SOURCES_FILE and DHM_DIR name can be read');
  } catch (error) {
    return bad('files', sentenceOf(error));
  }
}

/** Writes and removes a small object. */
async function sharedFiles({ snapshotStore }: Config): Promise<readonly Check[]> {
  if (snapshotStore === null) return [];
  const store = openObjectStore(snapshotStore);
  const key = `tried/${randomUUID()}`;
  const signal = AbortSignal.timeout(SNAPSHOT_STORE_LIMITS.askMs);
  try {
    await store.write(key, Buffer.from('tried'), signal);
    await store.read(key, 100, signal);
    await store.remove(key, signal);
    return [good('shared files', `SNAPSHOT_STORE ${store.name} can be read and written`)];
  } catch (error) {
    const todo = 'is it mounted or up, and may the user or key of the service write there?';
    return [
      bad('shared files', `SNAPSHOT_STORE ${store.name}: ${redact(sentenceOf(error))}: ${todo}`),
    ];
  }
}

async function upstreamKeys(config: Config): Promise<Check> {
  if (config.sources === 'sample') return good('upstream keys', 'the sample needs none');
  const sources = await openSources(config);
  const missing = allMirrored(sources.catalogue).filter(
    (each) => !('off' in each && each.off) && !isConfigured(each, sources.keys),
  );
  await sources.close();
  if (missing.length === 0) return good('upstream keys', 'every register has what it asks for');
  const ids = missing.map(({ id }) => id).join(', ');
  return bad(
    'upstream keys',
    `DATAFORDELER_API_KEY is not set: ${ids} will not be mirrored. Set it.`,
  );
}

const SILENT = { error: () => undefined };

async function storeChecks(config: Config, clock: Clock): Promise<readonly Check[]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null && !existsSync(embeddedFiles(dataDir).pg)) {
    return [good('database', 'the embedded store, made at the first start')];
  }
  try {
    const store = await openStore({ databaseUrl, dataDir, maxConnections: 1, log: SILENT });
    try {
      const asked = await askStore(store.pool, clock);
      const room = databaseUrl === null ? [] : [await connections(config, store.pool)];
      return [...asked, ...room, ...(await replica(config, store))];
    } finally {
      await store.close();
    }
  } catch (error) {
    const setting = databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
    const todo =
      'is the server up, are address, role and password right, may this machine reach it?';
    return [bad('database', `${setting}: ${redact(sentenceOf(error))}: ${todo}`)];
  }
}

/** Connections for loading, checking the store, and listening. */
const BESIDE_THE_POOL = 4;

/** docs/operations-connections.md has the table of all. */
export function connectionsOf({ plan, sync }: Pick<Config, 'plan' | 'sync'>): number {
  const { storeConnections: first, storeConnectionsOfOthers: others } = DB_LIMITS;
  const ofThreads = (plan.requests - 1) * (others + BESIDE_THE_POOL);
  const ofLongAnswers = plan.requests * STREAM_LIMITS.connections;
  return first + BESIDE_THE_POOL + ofThreads + ofLongAnswers + (sync ? first + BESIDE_THE_POOL : 0);
}

async function connections(config: Config, pool: pg.Pool): Promise<Check> {
  const { rows } = await pool.query<{ most: number }>(
    `select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int as most`,
  );
  const [{ most } = { most: 0 }] = rows;
  const wanted = connectionsOf(config);
  const found = `this process opens up to ${wanted} of ${most} (max_connections)`;
  if (wanted <= most) return good('connections', found);
  return bad('connections', `${found}: raise max_connections, or lower REQUEST_THREADS.`);
}

/** Empty: none is set. */
async function replica(
  { databaseReadUrl: url, readLagS }: Config,
  { apart }: Pick<Store, 'apart'>,
): Promise<readonly Check[]> {
  const name = 'replica';
  if (url === null) return [];
  try {
    const { isReplica, lagMs } = await lookAtReplica({
      ...{ url, primary: apart, log: SILENT, limitMs: readLagS * 1_000 },
    });
    if (!isReplica)
      return [bad(name, 'DATABASE_READ_URL is a primary, not a replica: it spares it nothing.')];
    if (lagMs === null) {
      const behind = `has not caught up in ${readLagS} s (DATABASE_READ_LAG_S)`;
      return [bad(name, `The replica ${behind}: is it of this database, does it stream?`)];
    }
    return [good(name, `a replica, which was level within ${(lagMs / 1_000).toFixed(1)} s`)];
  } catch (error) {
    const todo = 'is the server up, may this machine reach it?';
    return [bad(name, `DATABASE_READ_URL: ${redact(sentenceOf(error))}: ${todo}`)];
  }
}

const LEAST = { postgres: 150_000, postgis: [3, 3] } as const;

interface Facts {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly postgis: string | null;
  readonly offered: string | null;
  readonly mayCreate: boolean;
  readonly hasList: boolean;
  /** Our own connections do not, but a pooler's may. */
  readonly compiles: boolean;
}

const FACTS = `select
  current_setting('server_version') as version,
  current_setting('server_version_num')::integer as number,
  current_setting('server_encoding') as encoding,
  (select extversion from pg_extension where extname = 'postgis') as postgis,
  (select default_version from pg_available_extensions where name = 'postgis') as offered,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
  to_regclass('schema_migration') is not null as "hasList",
  pg_jit_available() as compiles`;

async function askStore(pool: pg.Pool, clock: Clock): Promise<readonly Check[]> {
  const [facts] = (await pool.query<Facts>(FACTS)).rows;
  if (facts === undefined) throw new Error('The database answered without a row.');
  return [
    server(facts),
    postgis(facts),
    await schema(pool, facts),
    await clockAgainst(pool, clock),
  ];
}

function server({ version, number, encoding, compiles }: Facts): Check {
  const todo = ' through a pooler: alter role … set jit = off; spares lookups a second';
  const found = `PostgreSQL ${version}, ${encoding}${compiles ? todo : ''}`;
  if (number < LEAST.postgres) return bad('database', `${found}: 15 or newer is needed.`);
  if (encoding === 'UTF8') return good('database', found);
  return bad(
    'database',
    `${found}: create the database with encoding 'UTF8' (docs/operations.md).`,
  );
}

function postgis({ postgis: version, offered }: Facts): Check {
  const name = 'PostGIS';
  if (version === null) {
    const todo =
      offered === null
        ? 'install its package on the server of the database'
        : 'a superuser runs in this database: create extension postgis;';
    return bad(name, `PostGIS is missing: ${todo}`);
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST.postgis;
  const isNew = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isNew) return good(name, `PostGIS ${version}`);
  return bad(
    name,
    `PostGIS ${version}: 3.3 or newer is needed. Upgrade it, then: alter extension postgis update;`,
  );
}

async function schema(pool: pg.Pool, { mayCreate, hasList }: Facts): Promise<Check> {
  if (!mayCreate) {
    const todo = 'a superuser makes it the owner: alter database … owner to …;';
    return bad('schema', `The role may not create tables in this database: ${todo}`);
  }
  const last = lastMigration();
  if (!hasList) return good('schema', `empty, made at the first start (${last} migrations)`);
  const text = 'select coalesce(max(number), 0) as number from schema_migration';
  const applied = (await pool.query<{ number: number }>(text)).rows[0]?.number ?? 0;
  if (applied > last) {
    return bad(
      'schema',
      `migration ${applied} is applied, this program has ${last}: start a newer one.`,
    );
  }
  const rest = applied < last ? `, the start applies up to ${last}` : '';
  return good('schema', `migration ${applied} is applied${rest}`);
}

async function clockAgainst(pool: pg.Pool, clock: Clock): Promise<Check> {
  const askedMs = clock.nowMs();
  const text = 'select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"';
  const { nowMs = NaN } = (await pool.query<{ nowMs: number }>(text)).rows[0] ?? {};
  const halfMs = (clock.nowMs() - askedMs) / 2;
  // Differences within the question's time are unknown.
  const apartMs = Math.max(0, Math.abs(nowMs - askedMs - halfMs) - halfMs);
  const found = `this machine and the database are ${(apartMs / 1000).toFixed(1)} s apart`;
  if (apartMs <= LIMITS.clockDifferenceMs) return good('clock', found);
  return bad('clock', `${found}: set both by NTP (timedatectl set-ntp true).`);
}
