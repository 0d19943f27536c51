import { totalmem } from 'node:os';
import process from 'node:process';

/**
 * Planned from the cores and memory of the process; a container's quota counts.
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
  /** The first included. */
  readonly requests: number;
  /**
   * Of the first thread: parse, build, answer batches and jobs; they yield to request threads (ADR
   * 0004).
   */
  readonly work: number;
  /** Of each other request thread: batches and tiles. */
  readonly workOfOthers: number;
  /** Of each other request thread. */
  readonly heapMiB: number;
}

/** Shared limits have a word for each. */
export const MOST_REQUEST_THREADS = 24;

/** A process with one request thread, national memory included where live; each further thread. */
export const MEMORY_MIB = {
  process: { sample: 500, live: 1_800 },
  requests: { least: 192, most: 1_024 },
  work: 96,
  /** A thread for batches, maps and jobs. */
  workHeap: { least: 128, most: 512 },
  /**
   * In addition to the heap: garbage, the young generation, a request thread's full caches, and
   * what one allocation may take before it is measured.
   */
  watched: { garbage: 0.5, young: 64, caches: 512, headroom: 768 },
} as const;

/** Bytes: of the control group, else of the machine. */
export function memoryLimit(): number {
  // Without a limit it is 0, or more than any machine has.
  return Math.min(process.constrainedMemory() || Infinity, totalmem());
}

/** For a thread that parses or builds: V8's own default. */
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
 * A quarter of the cores and a third of the memory go to work. Request heaps never exceed their
 * share, except for the least heap each where an operator sets the number.
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

/** Most that this plan takes; a thread that takes more is ended. */
export function plannedMiB(
  { requests, work, heapMiB }: Pick<ThreadPlan, 'requests' | 'work' | 'heapMiB'>,
  sources: Machine['sources'],
): number {
  const { process: own, work: each } = MEMORY_MIB;
  return own[sources] + (requests - 1) * heapMiB + (work - 1) * each;
}
