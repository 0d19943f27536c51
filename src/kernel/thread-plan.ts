import { totalmem } from 'node:os';
import process from 'node:process';

/**
 * The threads of a process, planned from the cores and the memory that it may use. In a container those of its quota:
 * `os.availableParallelism` counts them.
 *
 * | cores | requests | work | work of each other request thread |
 * | ----- | -------- | ---- | --------------------------------- |
 * | 1     | 1        | 1    | -                                 |
 * | 2     | 1        | 1    | -                                 |
 * | 4     | 3        | 3    | 1                                 |
 * | 8     | 6        | 7    | 2                                 |
 * | 16    | 12       | 15   | 2                                 |
 */
export interface ThreadPlan {
  /** Threads that answer requests, the first included. */
  readonly requests: number;
  /** Of the first thread: parse, build, answer batches and jobs. They yield to request threads (ADR 0004). */
  readonly work: number;
  /** Of each other request thread: batches and tiles. */
  readonly workOfOthers: number;
  /** Heap of each other request thread, MiB. */
  readonly heapMiB: number;
}

/** `src/threads/limits` has a bit for each. */
export const MOST_REQUEST_THREADS = 24;

/** MiB: of a process with one request thread, national memory in it where live; of each further thread. */
export const MEMORY_MIB = {
  process: { sample: 500, live: 1_800 },
  requests: { least: 192, most: 1_024 },
  work: 96,
  /** Heap of a thread for batches, maps and jobs. */
  workHeap: { least: 128, most: 512 },
  /**
   * Beside a heap: garbage of half as much, what is young, buffers that the caches of a request thread hold when full; and
   * what one allocation may take until it is measured.
   */
  watched: { garbage: 0.5, young: 64, caches: 512, headroom: 768 },
} as const;

/** Of the control group, else the machine's, bytes. */
export function memoryLimit(): number {
  // Without a limit it is 0, or more than any machine has.
  return Math.min(process.constrainedMemory() || Infinity, totalmem());
}

/** MiB, of a thread that parses or builds: what V8 gives by itself. */
export function buildHeapMiB(): number {
  return Math.round(Math.min(4_096, memoryLimit() / 2 ** 20 / 2));
}

export function workHeapMiB(memoryBytes = memoryLimit()): number {
  const { least, most } = MEMORY_MIB.workHeap;
  return Math.round(Math.max(least, Math.min(most, memoryBytes / 2 ** 20 / 4)));
}

interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly sources: keyof typeof MEMORY_MIB.process;
}

/**
 * A quarter of the cores and a third of the memory are left to work. Heaps of request threads never sum to
 * more than their share, except for a least one each where a person sets the number.
 */
export function planThreads(
  { cores, memoryBytes, sources }: Machine,
  set: { readonly requests: number | 'auto'; readonly work: number | null },
): ThreadPlan {
  const left = Math.max(0, memoryBytes / 2 ** 20 - MEMORY_MIB.process[sources]);
  const { least, most } = MEMORY_MIB.requests;
  const forRequests = (2 * left) / 3;
  const byCores = cores < 4 ? 1 : Math.min(MOST_REQUEST_THREADS, Math.floor((3 * cores) / 4));
  const requests =
    set.requests === 'auto' ? Math.min(byCores, 1 + Math.floor(forRequests / least)) : set.requests;
  const mostWork = 1 + Math.floor(left / 3 / MEMORY_MIB.work);
  const work = set.work ?? Math.min(Math.max(1, cores - 1), mostWork);
  const heap = Math.floor(forRequests / Math.max(1, requests - 1));
  const heapMiB = Math.max(least, Math.min(most, heap));
  return { requests, work, workOfOthers: Math.max(1, Math.ceil(work / requests)), heapMiB };
}

/** What a process with this plan takes at most, but for what is ended when it takes more. */
export function plannedMiB(
  { requests, work, heapMiB }: Pick<ThreadPlan, 'requests' | 'work' | 'heapMiB'>,
  sources: Machine['sources'],
): number {
  const { process: own, work: each } = MEMORY_MIB;
  return own[sources] + (requests - 1) * heapMiB + (work - 1) * each;
}
