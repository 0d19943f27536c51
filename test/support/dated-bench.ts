/** The sample's files behind a whole sync, with a clock to set: what is announced comes in 2099. */
import { createDownloads } from '../../src/downloads/client.ts';
import type { AreaId } from '../../src/layers/keys.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { ANNOUNCED_AT } from '../../sample/files/rows.ts';
import type { RunOutcome, SyncDeps } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { openSyncBench } from './sync-bench.ts';
import type { SyncBench } from './sync-bench.ts';
import type { TestStore } from './store.ts';
import { told } from './run-outcome.ts';

/** Midnight of 1 January 2099 in Copenhagen, which is 23:00 UTC. */
export const INSTANT_MS = Date.parse(ANNOUNCED_AT);

export interface DatedBench {
  readonly bench: SyncBench;
  readonly deps: SyncDeps;
  /** Turns the clock, which then stands still. Milliseconds UTC. */
  setClock(ms: number): void;
  sync(layer: AreaId, options?: Partial<SyncOptions>, of?: SyncDeps): Promise<RunOutcome>;
  syncThemes(): Promise<void>;
  /** Keeps what is mirrored and known ahead now, for `restore`; once. */
  keep(): Promise<void>;
  /** Mirror and upstream as they were kept, the clock where it began, and no run, step or act since. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export interface DatedBenchOptions {
  readonly store?: TestStore;
  /** Where the clock stands; absent: 40 days before what the sample announces. Milliseconds UTC. */
  readonly startMs?: number;
}

/** Open in `beforeAll`, close in `afterAll`. */
export async function openDatedBench({
  store,
  startMs = INSTANT_MS - 40 * 24 * 3600 * 1000,
}: DatedBenchOptions = {}): Promise<DatedBench> {
  const bench = await openSyncBench(store);
  let nowMs = startMs;
  const clock = { nowMs: () => nowMs };
  const dir = `${bench.store.dataDir}/downloads`;
  const downloads = createDownloads({ dir, clock, wait: () => Promise.resolve() });
  const deps: SyncDeps = {
    ...bench.deps,
    clock,
    downloads,
    catalogue: sampleCatalogue(bench.upstream.url, { files: true }),
    keys: { ...bench.deps.keys, 'datafordeler-files': SAMPLE_API_KEY },
  };
  const sync: DatedBench['sync'] = (layer, options = {}, of = deps) =>
    syncLayer(of, layer, { trigger: 'command', ...options });
  return {
    bench,
    deps,
    setClock: (ms) => {
      nowMs = ms;
    },
    sync,
    syncThemes: async () => {
      for (const theme of THEMES) {
        const outcome = await sync(theme);
        if (outcome.state !== 'published') throw new Error(`${theme}: ${told(outcome)}`);
      }
    },
    keep: async () => {
      const { pool } = bench.store;
      await pool.query('create schema kept');
      for (const table of KEPT) {
        await pool.query(`create table kept.${table} as select * from ${table}`);
      }
    },
    restore: async () => {
      nowMs = startMs;
      bench.upstream.shelf.spoil();
      bench.upstream.holdings.restore();
      const { pool } = bench.store;
      // At once: a service that looks on never sees a mirror without layers.
      await pool.query(
        [
          `begin; truncate ${[...KEPT, ...EMPTIED].join(', ')} cascade`,
          ...KEPT.map((table) => `insert into ${table} select * from kept.${table}`),
          'commit',
        ].join('; '),
      );
    },
    close: async () => {
      await downloads.close();
      await bench.close();
    },
  };
}

/** What a mirror of areas and what is known ahead of it lie in; each table behind those it refers to. */
const KEPT = ['area', 'area_piece', 'layer_state', 'dated_row', 'dated_change'] as const;
const EMPTIED = [
  ...['change_event', 'change_transaction'],
  ...['layer_history', 'feature_history', 'sync_run', 'sync_issue'],
  ...['register_refusal', 'dated_piece', 'dated_region'],
  ...['dated_version', 'dated_canary', 'dated_prepared'],
] as const;
