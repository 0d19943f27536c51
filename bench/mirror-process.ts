/** One sync of the generated § 3 layer as the service does it, in a process of its own to be measured. */
import { availableParallelism } from 'node:os';
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE, overrideCatalogue } from '../src/layers/catalogue.ts';
import { createWfsClient } from '../src/wfs/client.ts';
import type { RunCounts } from '../sync/deps.ts';
import { openArchive } from '../sync/open.ts';
import { syncLayer } from '../sync/run.ts';
import { createWorkers } from '../workers/pool.ts';

/** What the parent sends. */
export interface MirrorOrder {
  readonly url: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly minRows: number;
}

/** What the parent is told. */
export interface MirrorReport {
  readonly state: string;
  readonly why: string;
  readonly counts: RunCounts;
  readonly elapsedMs: number;
  /** Of the process and its threads since they began. */
  readonly cpuMs: number;
  readonly peakRssBytes: number;
  /** Making the book of addresses of what was published, milliseconds; null: nothing was. */
  readonly bookMs?: number | null;
  /** How long each phase took, in their order. */
  readonly phases: readonly { readonly phase: string; readonly ms: number }[];
}

process.once('message', (order: MirrorOrder) => {
  mirror(order).then(
    (report) => process.send?.(report, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function mirror({ url, databaseUrl, dataDir, minRows }: MirrorOrder): Promise<MirrorReport> {
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const store = await openStore({
    databaseUrl,
    dataDir,
    purpose: 'sync',
    maxConnections: LIMITS.storeConnections,
    log: console,
  });
  await migrate(store);
  const workers = createWorkers({ threads: Math.max(1, availableParallelism() - 1) });
  const wfs = createWfsClient({ clock: systemClock });
  const entered: { phase: string; atMs: number }[] = [];
  const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, {
    natur: { source: { url }, guards: { minRows } },
  });
  const rawRuns = LIMITS.rawRuns.default;
  const archive = openArchive({ dataDir, rawRuns }, { keys: {}, log });
  const started = performance.now();
  const outcome = await syncLayer(
    { store, workers, wfs, catalogue, keys: {}, clock: systemClock, log, archive },
    'natur',
    {
      trigger: 'command',
      onProgress: ({ phase }) => {
        if (entered.at(-1)?.phase !== phase) entered.push({ phase, atMs: performance.now() });
      },
    },
  );
  const elapsedMs = performance.now() - started;
  if (!('counts' in outcome)) throw new Error(`The layer is ${outcome.state}.`);
  const ends = [...entered.slice(1).map(({ atMs }) => atMs), started + elapsedMs];
  const { user, system } = process.cpuUsage();
  const report = {
    state: outcome.state,
    why: JSON.stringify('refusals' in outcome ? outcome.refusals : outcome),
    counts: outcome.counts,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    phases: entered.map(({ phase, atMs }, i) => ({ phase, ms: ends[i]! - atMs })),
  };
  await Promise.all([workers.close(), wfs.close()]);
  await store.close();
  return report;
}
