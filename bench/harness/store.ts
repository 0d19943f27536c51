/** Empty stores for benchmarks, and the generated country in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { findPostgres } from '../../test/support/postgres-binaries.ts';
import { startCluster } from '../../test/support/postgres-cluster.ts';
import type { Cluster } from '../../test/support/postgres-cluster.ts';
import { fillStore } from '../fill.ts';
import type { Land } from '../national/land.ts';

export interface Data {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The same for a server, as its environment. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What is closed when a benchmark ends, the last first. */
export type Cleanup = AsyncDisposableStack;

/** A directory of its own, gone at the end. */
export function temporaryDirectory(cleanup: Cleanup): string {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-bench-'));
  cleanup.defer(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A private PostgreSQL, or with BENCH_STORE=embedded the embedded store; gone at the end. */
export async function openData(cleanup: Cleanup, { durable = false } = {}): Promise<Data> {
  const dataDir = temporaryDirectory(cleanup);
  if (process.env['BENCH_STORE'] === 'embedded' || findPostgres() === null) {
    return { databaseUrl: null, dataDir, settings: { DATA_DIR: dataDir } };
  }
  const cluster = await startCluster({ durable });
  stopAtEnd(cleanup, cluster);
  const databaseUrl = cluster.url('postgres');
  return { databaseUrl, dataDir, settings: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } };
}

export function stopAtEnd(cleanup: Cleanup, cluster: Pick<Cluster, 'stop'>): void {
  cleanup.defer(async () => {
    // The cluster's process does not keep ours alive; wait for its end all the same.
    const keepAlive = setInterval(() => undefined, 1_000);
    await cluster.stop();
    clearInterval(keepAlive);
  });
}

/** As `openData`; throws where there is no PostgreSQL. */
export async function openPostgres(
  cleanup: Cleanup,
  options: { readonly durable?: boolean } = {},
): Promise<Data & { databaseUrl: string }> {
  const data = await openData(cleanup, options);
  if (data.databaseUrl === null) throw new Error('This benchmark needs PostgreSQL: none found.');
  return { ...data, databaseUrl: data.databaseUrl };
}

/** The migrated store, of some connections or as many as there may be. */
export async function openMigrated(
  cleanup: Cleanup,
  { databaseUrl, dataDir }: Data,
  options: { readonly maxConnections?: number } = {},
): Promise<Store> {
  const store = await openStore({
    ...{ databaseUrl, dataDir, purpose: 'sync', log: console },
    ...options,
  });
  cleanup.defer(() => store.close());
  await migrate(store);
  return store;
}

/** Puts the generated country into an empty store and closes it, so that servers may open it. */
export async function loadCountry(
  data: Data,
  land: Land,
  more: (store: Store) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const store = await openMigrated(cleanup, data);
  await fillStore(store, land);
  await more(store);
}

/** A connection of its own, outside any pool. */
export async function openClient(cleanup: Cleanup, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  cleanup.defer(() => client.end());
  return client;
}
