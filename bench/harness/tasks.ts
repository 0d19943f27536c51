/** What measured processes can be told to do. Each task loads no more of the program than it needs. */
import { lowerProcessPriority } from '../../src/core/tasks/lower-priority.ts';
import type { Settings } from './composition.ts';
import type { Load, LoadResult } from './load.ts';
import type { PlaceIndexSize, PropertyFile, ServiceOptions, Started } from './service.ts';
import type { SyncOptions, SyncReport } from './sync.ts';
import type { Served, UpstreamContent } from './upstream.ts';

/** What a process has used since it began, and the peak since `resetPeak`. */
export interface Usage {
  readonly cpuUs: number;
  readonly rssBytes: number;
  readonly peakBytes: number;
}

interface Asked {
  readonly port: number;
  readonly key: string | null;
  readonly path: string;
}

const NEW_LINE = 10;
const SAMPLE_MS = 20;
const cleanup = new AsyncDisposableStack();
let peakBytes = 0;
let sampler: NodeJS.Timeout | null = null;

export const TASKS = {
  /** The service over a store, up when all layers are in memory. */
  service: async (options: ServiceOptions): Promise<Started> =>
    (await import('./service.ts')).startService(cleanup, options),
  /** When that service has a file of the properties that were published by then. */
  untilProperties: async (publishedAtMs: number): Promise<PropertyFile> =>
    (await import('./service.ts')).untilProperties(publishedAtMs),
  /** When that service has the place names in memory. */
  untilPlaces: async (_: null): Promise<PlaceIndexSize> =>
    (await import('./service.ts')).untilPlaces(),
  /** A bare Fastify route with a constant body. */
  bare: async (body: string): Promise<Started> =>
    (await import('./service.ts')).startBare(cleanup, body),
  /** A process that works on jobs, once its snapshots are loaded. */
  work: async (settings: Settings): Promise<void> =>
    (await import('./worker.ts')).startWorker(settings),
  /** BBR and the cadastre of the generated country over HTTP; again: with other content at the same address. */
  upstream: async (content: UpstreamContent): Promise<Served> =>
    (await import('./upstream.ts')).serveUpstream(content),
  /** One sync from such an upstream. */
  sync: async (options: SyncOptions): Promise<SyncReport> =>
    (await import('./sync.ts')).measureSync(options),
  /** A client that must not slow the clock of another. */
  drive: async (load: Load): Promise<LoadResult> => {
    const { drive } = await import('./load.ts');
    return await drive({ ...load, requests: load.requests.map((each) => Buffer.from(each)) });
  },
  /** From now on every other process goes first. */
  yield: (_: null): Promise<void> => {
    lowerProcessPriority();
    return Promise.resolve();
  },
  /** One answer, read as it comes. */
  read: async ({ port, key, path }: Asked): Promise<{ readonly lines: number }> => {
    const headers = { authorization: `Bearer ${key ?? ''}` };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    let lines = 0;
    for await (const piece of answer.body ?? []) {
      for (const byte of piece) if (byte === NEW_LINE) lines += 1;
    }
    return { lines };
  },
  usage: (_: null): Promise<Usage> => {
    const { user, system } = process.cpuUsage();
    const rssBytes = process.memoryUsage.rss();
    return Promise.resolve({ cpuUs: user + system, rssBytes, peakBytes });
  },
  /** From now on the most memory is noted. */
  resetPeak: (_: null): Promise<void> => {
    peakBytes = 0;
    sampler ??= setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    }, SAMPLE_MS).unref();
    return Promise.resolve();
  },
};

export type Tasks = typeof TASKS;

export async function closeAll(): Promise<void> {
  await cleanup.disposeAsync();
}
