/**
 * The composed service over a sample in trouble: one layer refused, one failed, one too old, one
 * never mirrored, one running, the others fresh. No nightly clockwork, so that it stays so.
 */
import { compose } from '../../src/start/service.ts';
import type { Composed } from '../../src/start/service.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { syncOperations } from '../../sync/operations.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { revertLayer } from '../../sync/revert.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';

export const TOKEN = 'opdigtet-driftsnoegle-til-proeven';

export const TROUBLE = {
  refused: 'skov',
  failed: 'kirke',
  stale: 'aa',
  missing: 'vandloeb',
  running: 'natur',
} as const satisfies Record<string, LayerId>;

export interface DriftBench {
  readonly bench: SyncBench;
  readonly service: Composed;
  /** `http://127.0.0.1:port` */
  readonly base: string;
  /** Resolves when no run goes on. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** About twenty seconds; for `beforeAll`. */
export async function openDriftBench(): Promise<DriftBench> {
  const bench = await openSyncBench();
  const { deps, store } = bench;
  const queue = new SyncQueue(deps, 1);
  const service = await compose({
    config: loadConfig({
      DATA_DIR: store.dataDir,
      ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
      OPERATOR_TOKEN: TOKEN,
      THREADS: '1',
      LOG_LEVEL: 'silent',
    }),
    clock: deps.clock,
    sources: deps,
    log: createLogging({ level: 'silent' }).log,
    onExpired: () => undefined,
    operations: syncOperations(
      () => ({
        requestSync: (layer, trigger, options) => queue.request(layer, trigger, options),
        revert: (layer, by) => revertLayer(deps, layer, { by }),
      }),
      deps,
    ),
  });
  await makeTrouble(bench);
  // Left going while the page is looked at; the upstream answers only when it is mended.
  queue.request(TROUBLE.running, 'schedule');
  await runningIn(bench, TROUBLE.running);
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    bench,
    service,
    base,
    idle: () => queue.idle(),
    close: async () => {
      await queue.stop();
      await service.close();
      await bench.close();
    },
  };
}

async function makeTrouble(bench: SyncBench): Promise<void> {
  const { upstream, store } = bench;
  for (const layer of LAYER_IDS) {
    if (layer !== TROUBLE.missing) await bench.sync(layer);
  }
  // A few nights of history, with and without changes.
  for (const layer of ['soe', 'skov', 'kirke'] as const) {
    for (let night = 0; night < 4; night += 1) {
      if (night % 2 === 1) {
        upstream.holdings.edit(layer, (features) => features.slice(0, -2));
      }
      await bench.sync(layer, { trigger: 'schedule' });
    }
  }
  upstream.faults.set([
    { fault: 'down', layer: TROUBLE.failed },
    { fault: 'hang', layer: TROUBLE.running },
  ]);
  upstream.holdings.edit(TROUBLE.refused, (features) => features.slice(0, 30));
  await bench.sync(TROUBLE.refused, { trigger: 'schedule' });
  await bench.sync(TROUBLE.failed, { trigger: 'schedule' });
  await store.pool.query(
    "update layer_state set synced_at = now() - interval '3 days 5 hours' where layer = $1",
    [TROUBLE.stale],
  );
}

async function runningIn({ store }: SyncBench, layer: LayerId): Promise<void> {
  for (;;) {
    const { rows } = await store.pool.query(
      "select from sync_run where layer = $1 and state = 'running'",
      [layer],
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
