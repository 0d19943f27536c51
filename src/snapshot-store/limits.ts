/** They bound how long the shared store can delay a start. */
export const SNAPSHOT_STORE_LIMITS = {
  /** An entry, a manifest or a listing page. */
  askMs: 2_000,
  /** Beyond this, plus its size at this pace, the front builds the file itself. */
  fetchMs: 2_000,
  bytesPerSecond: 10 * 1024 * 1024,
  /** Of slow fetches, before the store rests. */
  slowTotalMs: 20_000,
  pauseMs: 30_000,
  /** Publishing delays no start: longer limits, and retries. */
  publishMs: 10 * 60_000,
  publishTries: 3,
  publishRetryMs: 5_000,
  publishWaiting: 200,
  /** A directory that hangs must not take all of Node's four file threads. */
  atATime: 2,
  /** S3 takes no more in one request. */
  fileBytes: 5 * 1024 ** 3,
  smallBytes: 1024 * 1024,
  knownBytes: 16 * 1024 * 1024,
  listed: 10_000,
  /** Age at which files without a manifest are removed; interval of looking. */
  keptMs: 24 * 3_600_000,
  tidyMs: 3_600_000,
  /** A manifest of a lower generation replaces only one of this age. */
  manifestStandsMs: 3_600_000,
  /** How often a front without a database looks for a manifest. */
  manifestPollMs: 10_000,
} as const;

export type SnapshotStoreLimits = Readonly<Record<keyof typeof SNAPSHOT_STORE_LIMITS, number>>;
