/**
 * The threads of a process, planned from the cores that it may use. In a container those of its quota:
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
}

/** `src/threads/limits` has a bit for each. */
export const MOST_REQUEST_THREADS = 24;

/** A quarter of the cores is left to work, which jobs and syncs do at night with nearly all. */
export function planThreads(
  cores: number,
  set: { readonly requests: number | 'auto'; readonly work: number | null },
): ThreadPlan {
  const requests =
    set.requests === 'auto'
      ? Math.max(1, cores < 4 ? 1 : Math.min(MOST_REQUEST_THREADS, Math.floor((3 * cores) / 4)))
      : set.requests;
  const work = set.work ?? Math.max(1, cores - 1);
  return { requests, work, workOfOthers: Math.max(1, Math.ceil(work / requests)) };
}
