import { Kysely, PostgresDialect } from 'kysely';
import type { Transaction } from 'kysely';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import { databaseAddress } from '../kernel/database-address.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { within } from '../kernel/within.ts';
import { attachEmbedded } from './embedded.ts';
import type { StoreLog } from './embedded.ts';
import { Servers, clientsAt } from './servers.ts';
import { StoreClient, alone, valueTypes } from './store-client.ts';

/** `sql` states what the rows of a statement hold. */
export type Db = Kysely<unknown>;
export type Trx = Transaction<unknown>;

export interface StoreTimeouts {
  readonly connectMs: number;
  readonly statementMs: number;
  /** Beyond the statement limit: then the server counts as dead and the connection is cut. */
  readonly silenceMs: number;
}

export interface StoreOptions {
  /** null: the embedded store under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly maxConnections?: number;
  readonly purpose?: Exclude<keyof typeof DB_LIMITS.storeStatementMs, 'builds'>;
  readonly timeouts?: Partial<StoreTimeouts>;
  readonly log: StoreLog;
}

export interface Store {
  readonly kind: 'postgres' | 'embedded';
  readonly db: Db;
  readonly pool: pg.Pool;
  /** For builds of memory, within DB_LIMITS.storeStatementMs.builds. */
  readonly builds: Db;
  /** A connection apart from statements, for probes within DB_LIMITS.storeProbeMs. */
  readonly apart: pg.Pool;
  /** With `asAnew` also on a new connection. Rejects when the server does not answer. */
  probe(asAnew?: boolean): Promise<void>;
  /** By the last probe, UTC; null: none yet. */
  readonly serverMs: () => number | null;
  /**
   * Waits at most DB_LIMITS.storeCloseMs for running statements. The embedded store's process ends
   * with its last user.
   */
  close(): Promise<void>;
}

/** Also while PostgreSQL is down: statements then reject within DB_LIMITS.storeConnectMs. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const timeouts: StoreTimeouts = {
    connectMs: DB_LIMITS.storeConnectMs,
    statementMs: DB_LIMITS.storeStatementMs[options.purpose ?? 'lookups'],
    silenceMs: DB_LIMITS.storeSilenceMs,
    ...options.timeouts,
  };
  if (options.databaseUrl !== null) {
    const target = targetAt(options.databaseUrl);
    const pools = createPools(options, timeouts, ({ statementMs, connectMs }) => ({
      ...target,
      ...withSession(statementMs, connectMs),
    }));
    const probes = createProbes('postgres', options, target);
    return storeOf('postgres', { ...pools, probes }, () => Promise.resolve());
  }
  const embedded = await attachEmbedded(options.dataDir, options.log);
  const { host, port } = embedded;
  const target = { host, port, user: 'postgres', sharesSession: true };
  // Longer than any client waits: the embedded store can end a statement only with its process.
  const pools = createPools(options, timeouts, ({ statementMs, silenceMs }) => ({
    ...target,
    statement_timeout: statementMs + silenceMs,
  }));
  const probes = createProbes('embedded', options, target);
  return storeOf('embedded', { ...pools, probes }, () => embedded.close());
}

function targetAt(databaseUrl: string): pg.PoolConfig {
  const address = databaseAddress(databaseUrl);
  if (address === null) return { connectionString: databaseUrl };
  const { url: connectionString, servers, wanted } = address;
  if (servers.length === 1 && wanted === 'any') return { connectionString };
  const Client = clientsAt(new Servers(address), StoreClient) as pg.PoolConfig['Client'];
  return { connectionString, ...(Client && { Client }) };
}

/** pg awaits `onConnect`, which its type does not say. */
function withSession(statementMs: number, withinMs: number): pg.PoolConfig {
  const onConnect = (client: pg.ClientBase): unknown =>
    (client as StoreClient).begin({ statementMs, withinMs });
  return { onConnect };
}

export interface ReplicaPools {
  readonly reads: pg.Pool;
  readonly looks: pg.Pool;
}

/** Abandoned early: a replica is there to spare the primary. */
export function openReplicaPools(url: string, log: StoreLog): ReplicaPools {
  const options = { databaseUrl: url, dataDir: '', log };
  const at = (statementMs: number, maxConnections: number): pg.Pool => {
    const timeouts = { connectMs: DB_LIMITS.storeServerMs, statementMs, silenceMs: 0 };
    const target = { ...targetAt(url), ...withSession(statementMs, timeouts.connectMs) };
    return createPool({ ...options, maxConnections }, timeouts, target);
  };
  return {
    reads: at(DB_LIMITS.replicaReadMs, DB_LIMITS.storeConnections),
    looks: at(DB_LIMITS.storeProbeMs.postgres, 1),
  };
}

interface Pools {
  readonly pool: pg.Pool;
  readonly builds: pg.Pool;
  readonly probes: pg.Pool;
}

function createPools(
  options: StoreOptions,
  timeouts: StoreTimeouts,
  target: (timeouts: StoreTimeouts) => pg.PoolConfig,
): Omit<Pools, 'probes'> {
  const ofBuilds = { ...timeouts, statementMs: DB_LIMITS.storeStatementMs.builds };
  return {
    pool: createPool(options, timeouts, target(timeouts)),
    builds: createPool({ ...options, maxConnections: 1 }, ofBuilds, target(ofBuilds)),
  };
}

function createProbes(kind: Store['kind'], options: StoreOptions, target: pg.PoolConfig): pg.Pool {
  const probeMs = DB_LIMITS.storeProbeMs[kind];
  const timeouts = { connectMs: probeMs, statementMs: probeMs, silenceMs: 0 };
  return createPool({ ...options, maxConnections: 1 }, timeouts, target);
}

export const SERVER_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

function storeOf(
  kind: Store['kind'],
  { pool, builds, probes }: Pools,
  release: () => Promise<void>,
): Store {
  const over = (of: pg.Pool) => new Kysely<unknown>({ dialect: new PostgresDialect({ pool: of }) });
  let closed: Promise<unknown> | null = null;
  let behindMs: number | null = null;
  const close = async () => {
    // Kysely's destroy() also ends the pool.
    for (const each of [pool, builds, probes]) if (!each.ending) await each.end();
    await release();
  };
  return {
    kind,
    db: over(pool),
    pool,
    builds: over(builds),
    apart: probes,
    probe: async (asAnew = false) => {
      const { rows } = await probes.query<{ ms: number }>(`select ${SERVER_MS} as ms`);
      behindMs = (rows[0]?.ms ?? NaN) - performance.now();
      const asked = { text: 'select 1', query_timeout: DB_LIMITS.storeProbeMs[kind] };
      if (asAnew) await alone(pool, (client) => client.query(asked));
    },
    serverMs: () => behindMs && Math.round(behindMs + performance.now()),
    close: async () => {
      closed ??= within(DB_LIMITS.storeCloseMs, close(), () => undefined);
      await closed;
    },
  };
}

function createPool(
  { maxConnections, log }: StoreOptions,
  timeouts: StoreTimeouts,
  target: pg.PoolConfig,
): pg.Pool {
  const pool = new pg.Pool({
    Client: StoreClient,
    ...target,
    max: maxConnections ?? DB_LIMITS.storeConnections,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.statementMs + timeouts.silenceMs,
    keepAlive: true,
    application_name: 'geoopslag',
    types: valueTypes(),
  });
  // An idle connection may break, which must not end the process.
  pool.on('error', (error) => {
    // store-watch.ts reports an unavailable server once.
    if (!pool.ending && !isServerUnavailable(error))
      log.error(`store connection lost: ${error.message}`);
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
