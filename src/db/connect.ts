/** Opens the store: PostgreSQL with PostGIS at an address, or the embedded one in a directory. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { LIMITS } from '../kernel/limits.ts';
import { attachEmbedded } from './embedded.ts';
import type { Database } from './tables.generated.ts';

/** The lines a store has to say. The service's logger fits. */
export interface StoreLog {
  error(message: string): void;
}

export interface StoreOptions {
  /** null: the embedded store under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly maxConnections?: number;
  /** Whose patience bounds a statement; default `lookups`. */
  readonly purpose?: keyof typeof LIMITS.storeStatementMs;
  readonly log: StoreLog;
}

export interface Store {
  readonly kind: 'postgres' | 'embedded';
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  /** Waits for statements in progress; the embedded store's process ends with its last user. */
  close(): Promise<void>;
}

/**
 * Opens a store. Never throws because a PostgreSQL server is down: statements reject within
 * LIMITS.storeConnectMs until it is there. The embedded store is up when this resolves.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl !== null) {
    const pool = createPool(options, {
      connectionString: options.databaseUrl,
      statement_timeout: LIMITS.storeStatementMs[options.purpose ?? 'lookups'],
      idle_in_transaction_session_timeout: LIMITS.storeIdleInTransactionMs,
    });
    return storeOf('postgres', pool, () => Promise.resolve());
  }
  const embedded = await attachEmbedded(options.dataDir, options.log);
  const { host, port } = embedded;
  const pool = createPool(options, { host, port, user: 'postgres', database: 'postgres' });
  return storeOf('embedded', pool, () => embedded.close());
}

function storeOf(kind: Store['kind'], pool: pg.Pool, release: () => Promise<void>): Store {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  let closed: Promise<void> | null = null;
  const close = async () => {
    await pool.end();
    await release();
  };
  return { kind, db, pool, close: () => (closed ??= close()) };
}

function createPool(options: StoreOptions, target: pg.PoolConfig): pg.Pool {
  const statementMs = LIMITS.storeStatementMs[options.purpose ?? 'lookups'];
  const pool = new pg.Pool({
    ...target,
    Client: StoreClient,
    max: options.maxConnections ?? LIMITS.storeConnections,
    connectionTimeoutMillis: LIMITS.storeConnectMs,
    query_timeout: statementMs + LIMITS.storeSilenceMs,
    keepAlive: true,
    application_name: 'geoopslag',
    types: valueTypes(),
  });
  // A connection may break while nobody listens to it; that must not end the process.
  pool.on('error', (error) => options.log.error(`store connection lost: ${error.message}`));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** int8 as a number, refused beyond 2^53; everything else as pg reads it. */
function valueTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`);
    return value;
  });
  return types;
}

/**
 * After a time-out pg keeps the connection and lines the next statement up behind the lost one.
 * The server ends its statements sooner than we give up, so a time-out here means it is gone.
 */
class StoreClient extends pg.Client {
  override query = ((...args: unknown[]) => {
    const send = super.query.bind(this) as unknown as (...args: unknown[]) => unknown;
    const result = send(...args);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') {
          this.end().catch(() => undefined);
        }
      });
    }
    return result;
  }) as unknown as pg.Client['query'];
}
