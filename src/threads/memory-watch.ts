/** Ends threads over their memory: V8 ignores buffers, and aborts the process at its own limit. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';
import { MEMORY_MIB, memoryLimit } from '../kernel/thread-plan.ts';
import { THREAD_LIMITS } from './limits.ts';

export interface WatchedThreads {
  readonly threads: () => readonly Worker[];
  readonly heapMiB: number;
  /** Allowance for caches, in addition to the heap. */
  readonly cachesMiB?: number;
  readonly onEnd: (says: string) => void;
}

interface MemoryWatchOptions {
  readonly everyMs: number;
  /** Limit of the process's anonymous memory. */
  readonly processMiB?: number;
}

/** Since Node 24. Without it V8's limit is the only one. */
const canMeasure = 'getHeapStatistics' in Worker.prototype;

/** V8 ends a watched thread only where it grows faster than it can be measured. */
export function heapLimits(heapMiB: number): ResourceLimits {
  const more = canMeasure ? MEMORY_MIB.watched.headroom : 0;
  return { maxOldGenerationSizeMb: heapMiB + more };
}

export function mostOfProcessMiB(): number {
  return (THREAD_LIMITS.memory.shareOfLimit * memoryLimit()) / 2 ** 20;
}

export class MemoryWatch {
  readonly #options: MemoryWatchOptions;
  readonly #watched: WatchedThreads[] = [];
  readonly #asked = new WeakSet<Worker>();
  readonly #taken = new WeakMap<Worker, number>();
  #looking: NodeJS.Timeout | undefined;
  #works = 0;
  readonly #ended = new WeakSet<Worker>();

  constructor(options: MemoryWatchOptions) {
    this.#options = options;
  }

  add(watched: WatchedThreads): void {
    this.#watched.push(watched);
  }

  /** Measures until each `begin` has its `end`. */
  begin(): void {
    this.#works += 1;
    if (canMeasure)
      this.#looking ??= setInterval(() => this.#look(), this.#options.everyMs).unref();
  }

  end(): void {
    this.#works -= 1;
    if (this.#works > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #look(): void {
    for (const watched of this.#watched) {
      for (const worker of watched.threads()) void this.#measure(worker, watched);
    }
    const { processMiB } = this.#options;
    if (processMiB !== undefined && anonymousMiB() > processMiB) this.#endLargest(processMiB);
  }

  /** Answers only after a long allocation or collection. */
  async #measure(worker: Worker, watched: WatchedThreads): Promise<void> {
    if (this.#asked.has(worker)) return;
    this.#asked.add(worker);
    try {
      const { used_heap_size, external_memory, malloced_memory } = await worker.getHeapStatistics();
      const heap = (used_heap_size + malloced_memory) / 2 ** 20;
      const all = heap + external_memory / 2 ** 20;
      this.#taken.set(worker, all);
      const { garbage, young } = MEMORY_MIB.watched;
      const { heapMiB, cachesMiB = 0 } = watched;
      const most = heapMiB * (1 + garbage) + young;
      if (heap <= most && all <= most + cachesMiB) return;
      this.#terminate(worker, watched, `it may hold ${heapMiB + cachesMiB} MiB`);
    } catch {
      // It does not run yet, or no longer.
    } finally {
      this.#asked.delete(worker);
    }
  }

  /** None where no thread is the cause. */
  #endLargest(processMiB: number): void {
    const all = this.#watched.flatMap((watched) =>
      watched.threads().map((worker) => ({ watched, worker, mib: this.#taken.get(worker) ?? 0 })),
    );
    const [largest] = all
      .filter(({ worker, mib }) => mib > processMiB / 10 && !this.#ended.has(worker))
      .toSorted((a, b) => b.mib - a.mib);
    if (largest === undefined) return;
    const why = `the process has more than ${Math.round(processMiB)} MiB`;
    this.#terminate(largest.worker, largest.watched, why);
  }

  #terminate(worker: Worker, { onEnd }: WatchedThreads, why: string): void {
    if (this.#ended.has(worker)) return;
    this.#ended.add(worker);
    onEnd(`takes ${Math.round(this.#taken.get(worker) ?? 0)} MiB, and ${why}; it is ended`);
    void worker.terminate();
  }
}

/** Memory that no file could give back; elsewhere than on Linux all resident memory. */
function anonymousMiB(): number {
  try {
    const [, kib] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kib !== undefined) return Number(kib) / 1024;
  } catch {
    // Not Linux.
  }
  return process.memoryUsage.rss() / 2 ** 20;
}
