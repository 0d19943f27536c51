/** Limits of the store, each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const DB_LIMITS = {
  /** Between two tries to reach a database that is not there at start, milliseconds. */
  migrateRetryMs: 2_000,
  /** Between two looks for changed accounts and keys; between two tries to be told of them. */
  accountPollMs: { postgres: 1_000, embedded: 250 },
  accountListenRetryMs: 5_000,
  /** Connections one store handle keeps. */
  storeConnections: 8,
  /** Opening one connection, waiting for a free one included, milliseconds. */
  storeConnectMs: 5_000,
  /**
   * One statement, at the server; milliseconds. A person waits for a lookup; a thread that builds memory waits
   * `feedRowsMs`; nobody waits for a sync.
   */
  storeStatementMs: { lookups: 15_000, builds: 100_000, sync: 30 * 60_000 },
  /** A store that does not answer a probe in this time is unavailable; between two; so many answers end it. */
  storeProbeMs: { postgres: 1_500, embedded: 10_000 },
  storeProbeEveryMs: 1_000,
  storeProbesGood: 2,
  /** Silence beyond the statement limit that proves a server dead, milliseconds. */
  storeSilenceMs: 3_000,
  /** A transaction left open without a statement is rolled back after this, milliseconds. */
  storeIdleInTransactionMs: 60_000,
  /** One migration, milliseconds. */
  storeMigrationMs: 30 * 60_000,
  /** Start of the embedded store, the first one (initdb, PostGIS) included, milliseconds. */
  embeddedStartMs: 120_000,
  /** Deadline of a store that is asked to close while it works, milliseconds. */
  storeCloseMs: 8_000,
  /** The embedded store ends when nobody has been connected this long, milliseconds. */
  embeddedLingerMs: 500,
  /** Connections the embedded store accepts. */
  embeddedConnections: 64,
  /** Bytes of one batch of messages to the embedded store (one bulk insert). */
  embeddedBatchBytes: 256 * 1024 * 1024,
} as const;
