export const DB_LIMITS = {
  /** At start, while the database is unreachable. */
  migrateRetryMs: 2_000,
  /** While a database refuses. */
  migrateRetryMostMs: 30_000,
  /** Checks for changed accounts and keys, and retries of listening. */
  accountPollMs: { postgres: 1_000, embedded: 250 },
  accountListenRetryMs: 5_000,
  storeConnections: 8,
  /** Of each request thread but the first. */
  storeConnectionsOfOthers: 4,
  /** Time to open or get a connection. */
  storeConnectMs: 5_000,
  /** Time for one of several servers to say whether it is the wanted one. */
  storeServerMs: 2_000,
  /** Interval of measuring the lag, and the statement limit before the primary takes over. */
  replicaLookEveryMs: 500,
  replicaReadMs: 3_000,
  /** One statement. A building thread waits `feedRowsMs`; no client waits for a sync. */
  storeStatementMs: { lookups: 15_000, builds: 100_000, sync: 30 * 60_000 },
  /** An unanswered probe means an outage; interval of probes; good answers that end an outage. */
  storeProbeMs: { postgres: 1_500, embedded: 10_000 },
  storeProbeEveryMs: 1_000,
  storeProbesGood: 2,
  /** A client's wait before the server is probed, and its wait for that answer. */
  storeUnheardMs: 250,
  storeHearMs: 350,
  /** Beyond the statement limit: then a server counts as dead. */
  storeSilenceMs: 3_000,
  /** Then an idle open transaction is rolled back. */
  storeIdleInTransactionMs: 60_000,
  storeMigrationMs: 30 * 60_000,
  /** Wait for a lock, which queues the traffic after it; tries, and the pause between. */
  migrationLockMs: 500,
  migrationLockTries: 30,
  migrationLockRetryMs: 1_000,
  /** One statement of a marked migration, over tables that may have traffic. */
  migrationHoldMs: 1_000,
  /** Interval of looking whether another program still migrates. */
  migrationTurnMs: 100,
  /** The first start (initdb, PostGIS) included. */
  embeddedStartMs: 120_000,
  storeCloseMs: 8_000,
  /** The embedded store ends after this long without a connection. */
  embeddedLingerMs: 500,
  /** Interval of looking whether a statement of the embedded store is past its limit. */
  embeddedWatchMs: 250,
  embeddedConnections: 64,
  /** One message batch to the embedded store: one bulk insert. */
  embeddedBatchBytes: 256 * 1024 * 1024,
} as const;
