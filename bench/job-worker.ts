/** A process that works on jobs, for benchmarks: says when it does, and what memory it takes. */
import { join } from 'node:path';
import { composeWork } from '../src/start/worker.ts';
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createLogging } from '../src/kernel/logger.ts';
import { REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';

/** What the parent sends. */
export type WorkerOrder =
  | { readonly kind: 'work'; readonly settings: Readonly<Record<string, string>> }
  /** Forgets the peak there was. */
  | { readonly kind: 'measure' }
  | { readonly kind: 'memory' };

/** What it is told: bytes resident, now and at most since it was last told to measure. */
export interface WorkerReport {
  readonly rssBytes: number;
  readonly peakBytes: number;
}

const SAMPLE_MS = 20;
let peakBytes = 0;

function report(): void {
  process.send?.({ rssBytes: process.memoryUsage.rss(), peakBytes } satisfies WorkerReport);
}

async function obey(order: WorkerOrder): Promise<void> {
  if (order.kind === 'measure') peakBytes = 0;
  if (order.kind === 'work') {
    const config = loadConfig({
      LOG_LEVEL: 'silent',
      PLANS_FILE: join(import.meta.dirname, 'plans.json'),
      ...order.settings,
    });
    const { started } = await composeWork({
      config,
      clock: systemClock,
      sources: { catalogue: REGISTERS_CATALOGUE, keys: {} },
      log: createLogging({ level: 'error', stream: process.stderr }).log,
      onExpired: () => undefined,
    });
    await started;
    setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    }, SAMPLE_MS).unref();
  }
  report();
}

process.on('message', (order: WorkerOrder) => {
  obey(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
