/**
 * Stores that the sample is mirrored into already, for tests of what comes behind a sync. On PostgreSQL
 * each kind is mirrored once a run and cloned for a file; the embedded store is mirrored for each file.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { createDownloads } from '../../src/downloads/client.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { openSources } from '../../sync/open.ts';
import { startSync } from '../../sync/start.ts';
import { findPostgres } from './postgres-binaries.ts';
import { cloneStore, filledTemplate } from './store-templates.ts';
import type { Template, TestStore } from './store-templates.ts';
import { openTestStore } from './store.ts';
import { openSyncBench, sharedWorkers } from './sync-bench.ts';
import type { SyncBench } from './sync-bench.ts';

/** What a template has: every layer by a bench's syncs; or all that the program mirrors at its first start. */
export type Mirrored = 'layers' | 'served';

const run = promisify(execFile);
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export async function openMirroredBench(): Promise<SyncBench> {
  return await openSyncBench(await openMirroredStore('layers'));
}

/** A bench with these layers mirrored: with every layer on PostgreSQL, with no other on the embedded store. */
export async function openMirroredLayers(layers: readonly LayerId[]): Promise<SyncBench> {
  if (inject('storeTemplate').kind === 'postgres') {
    return await openSyncBench(await openMirroredStore('served'));
  }
  const bench = await openSyncBench();
  for (const layer of layers) {
    const outcome = await bench.sync(layer);
    if (outcome.state !== 'published') throw new Error(`${layer}: ${JSON.stringify(outcome)}`);
  }
  return bench;
}

/** A store of its own; closed by whoever is given it. */
export async function openMirroredStore(content: Mirrored): Promise<TestStore> {
  if (inject('storeTemplate').kind === 'postgres') {
    return await cloneStore(await mirroredTemplate(content), SYNC);
  }
  const store = await openTestStore(SYNC);
  await mirrorInto(store, content);
  return store;
}

/** The same into an empty database of a server of the test's own. PostgreSQL alone. */
export async function copyMirrored(content: Mirrored, databaseUrl: string): Promise<void> {
  const bin = findPostgres() ?? '';
  // Of a clone: while a template is read, none can be made of it.
  const source = await openMirroredStore(content);
  const file = join(source.dataDir, 'store.dump');
  const from = ['--dbname', source.databaseUrl ?? '', '--file', file];
  await run(join(bin, 'pg_dump'), ['--format=custom', ...from]);
  await run(join(bin, 'pg_restore'), ['--exit-on-error', '--dbname', databaseUrl, file]);
  await source.close();
}

const SYNC = { purpose: 'sync' } as const;

/** What stores with that content are cloned of. PostgreSQL alone. */
export async function mirroredTemplate(content: Mirrored): Promise<Template> {
  return await filledTemplate(inject('storeTemplate'), content, async (store) => {
    await mirrorInto(store, content);
    await store.close();
  });
}

/** Leaves the store open. */
async function mirrorInto(store: TestStore, content: Mirrored): Promise<void> {
  if (content === 'served') {
    await firstStart(store);
    return;
  }
  const bench = await openSyncBench({ ...store, close: () => Promise.resolve() });
  try {
    await bench.syncAll();
  } finally {
    await bench.close();
  }
}

/** What the program's own sync does at its first start, until nothing is left to do. */
async function firstStart(store: TestStore): Promise<void> {
  const given = { sourcesFile: null, datafordelerKey: null, dhmDir: null } as const;
  const settings = { ...given, sources: 'sample', dataDir: store.dataDir } as const;
  const sources = await openSources(settings);
  const wfs = createWfsClient({ clock: systemClock });
  const downloads = createDownloads({ dir: join(store.dataDir, 'downloads'), clock: systemClock });
  const { catalogue, keys } = sources;
  const sync = startSync({
    ...{ store, workers: sharedWorkers(), wfs, downloads, catalogue, keys },
    ...{ clock: systemClock, log: SILENT },
  });
  await sync.idle();
  await sync.stop();
  await Promise.all([downloads.close(), wfs.close(), sources.close()]);
  const { rows } = await store.pool.query<{ layer: string }>('select layer from layer_state');
  const missing = MIRROR_IDS.filter((id) => !rows.some(({ layer }) => layer === id));
  if (missing.length > 0) throw new Error(`Not mirrored: ${missing.join(', ')}`);
}
