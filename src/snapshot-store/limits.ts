/** Limits of the shared store of files. Its promise: no start is held up longer than these allow. */
export const SNAPSHOT_STORE_LIMITS = {
  /** A small object (an entry, a manifest, a listing page), milliseconds. */
  askMs: 2_000,
  /** A file may take this beside its size at this pace; then the front builds. Bytes per second. */
  fetchMs: 2_000,
  bytesPerSecond: 10 * 1024 * 1024,
  /** What slow fetches may cost together before the store is left alone, milliseconds. */
  slowTotalMs: 20_000,
  /** After a failure nothing is asked of the store for this long, milliseconds. */
  pauseMs: 30_000,
  /** Publishing waits for nobody's answer: longer limits, and tries. */
  publishMs: 10 * 60_000,
  publishTries: 3,
  publishRetryMs: 5_000,
  publishWaiting: 200,
  /** Operations at a time: a folder that hangs must not take all of Node's four file threads. */
  atATime: 2,
  /** Of one file. S3 takes no more in one request. */
  fileBytes: 5 * 1024 ** 3,
  /** Of an entry or a manifest. */
  smallBytes: 1024 * 1024,
  /** Of what was last known of the keys. */
  knownBytes: 16 * 1024 * 1024,
  listed: 10_000,
  /** Files that no manifest names are removed after this, milliseconds; interval of looking. */
  keptMs: 24 * 3_600_000,
  tidyMs: 3_600_000,
  /** A manifest of a lower generation replaces one only when that is this old, milliseconds. */
  manifestStandsMs: 3_600_000,
  /** How often a front without a database looks for a newer manifest, milliseconds. */
  manifestPollMs: 10_000,
} as const;

export type SnapshotStoreLimits = Readonly<Record<keyof typeof SNAPSHOT_STORE_LIMITS, number>>;
