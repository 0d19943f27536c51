export const THREAD_LIMITS = {
  /** A thread's questions to the first one, and the wait. */
  questions: 256,
  answerMs: 20_000,
  /** Delay before an ended thread is replaced, doubled while they end early. */
  restartMs: { first: 250, most: 5_000 },
  settledMs: 60_000,
  reportMs: 1_000,
  /**
   * A listening thread without a report for `afterMs`, counted in seconds in which the first thread
   * ran, is ended; the process ends where that takes longer than `endMs`, or the first thread is
   * silent for `firstMs`.
   */
  hung: { afterMs: 8_000, endMs: 4_000, firstMs: 15_000 },
  /**
   * A connection moves where this share of the time is busy and it is this many times the mean of
   * all threads.
   */
  moved: { everyMs: 1_000, busyFrom: 0.8, sharesFrom: 1.3 },
  startMs: 60_000,
  /** `shareOfLimit`: of the process's, beyond which a pool's largest thread is ended. */
  memory: { poolMs: 100, requestsMs: 500, shareOfLimit: 0.85 },
  /** V8 would let young garbage be most of what a thread takes. */
  youngMiB: 48,
} as const;
