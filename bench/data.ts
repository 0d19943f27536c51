/** An empty store for a benchmark. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from '../test/support/postgres-binaries.ts';
import { startCluster } from '../test/support/postgres-cluster.ts';

export interface Data {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The same for a server, as its environment. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A private PostgreSQL, or with BENCH_STORE=embedded the embedded store; gone when closed. */
export async function openData({ durable = false } = {}): Promise<Data> {
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-bench-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (process.env['BENCH_STORE'] === 'embedded' || findPostgres() === null) {
    const settings = { DATA_DIR: dataDir };
    const close = (): Promise<void> => {
      remove();
      return Promise.resolve();
    };
    return { databaseUrl: null, dataDir, settings, close };
  }
  const cluster = await startCluster({ durable });
  const databaseUrl = cluster.url('postgres');
  const close = async (): Promise<void> => {
    await cluster.stop();
    remove();
  };
  return {
    databaseUrl,
    dataDir,
    settings: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    close,
  };
}
