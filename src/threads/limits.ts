export const THREAD_LIMITS = {
  /** Questions of a thread to the first one that wait at a time, and how long one waits. */
  questions: 256,
  answerMs: 20_000,
  /** A thread that ended is replaced after this, doubled each time while they end early. */
  restartMs: { first: 250, most: 5_000 },
  /** One that lived this long did not end early. */
  settledMs: 60_000,
  /** How often a thread reports what it counted. */
  reportMs: 1_000,
  /**
   * A listening thread without a report for `afterMs`, counted in seconds in which the first thread ran, is
   * ended; where that takes longer than `endMs`, or the first thread is silent for `firstMs`, the process is.
   */
  hung: { afterMs: 8_000, endMs: 4_000, firstMs: 15_000 },
  /**
   * A connection moves to another thread, one a look, where this much of the time is busy and it is as many
   * times as busy as all are in the mean.
   */
  moved: { everyMs: 1_000, busyFrom: 0.8, sharesFrom: 1.3 },
  /** Until a new thread listens. */
  startMs: 60_000,
  /**
   * How often the memory of threads is measured while they work, and of those that answer requests; the share of the process's
   * limit beyond which the largest thread of a pool is ended.
   */
  memory: { poolMs: 100, requestsMs: 500, shareOfLimit: 0.85 },
  /** Young memory of a thread, MiB. By V8's own limits its garbage would be most of what a thread takes. */
  youngMiB: 48,
} as const;
