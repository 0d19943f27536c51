export const DB_LIMITS = {
  /** At start, while the database is unreachable. */
  migrateRetryMs: 2_000,
  /** Longest wait while the database answers but refuses. */
  migrateRetryMostMs: 30_000,
  accountPollMs: { postgres: 1_000, embedded: 250 },
  accountListenRetryMs: 5_000,
  storeConnections: 8,
  /** Of each request thread but the first. */
  storeConnectionsOfOthers: 4,
  /** Time to open or get a connection. */
  storeConnectMs: 5_000,
  /** For one of several servers to say its role. */
  storeServerMs: 2_000,
  /** Interval of measuring the lag, and the statement limit before the primary takes over. */
  replicaLookEveryMs: 500,
  replicaReadMs: 3_000,
  /** One statement. A building thread waits `feedRowsMs`; no client waits for a sync. */
  storeStatementMs: { lookups: 15_000, builds: 100_000, sync: 30 * 60_000 },
  storeProbeMs: { postgres: 1_500, embedded: 10_000 },
  storeProbeEveryMs: 1_000,
  /** So many good answers end an outage. */
  storeProbesGood: 2,
  /** A client's wait before the server is probed, and then for its answer. */
  storeUnheardMs: 250,
  storeHearMs: 350,
  /** Silence beyond the statement limit after which a server counts as dead. */
  storeSilenceMs: 3_000,
  /** Then an idle open transaction is rolled back. */
  storeIdleInTransactionMs: 60_000,
  storeMigrationMs: 30 * 60_000,
  /** Wait for a lock, which queues the traffic after it. */
  migrationLockMs: 500,
  migrationLockTries: 30,
  migrationLockRetryMs: 1_000,
  /** Limit of one statement of a marked migration. */
  migrationHoldMs: 1_000,
  migrationTurnMs: 100,
  /** A first start runs initdb and creates PostGIS. */
  embeddedStartMs: 120_000,
  storeCloseMs: 8_000,
  /** Time without a connection before the embedded store ends. */
  embeddedLingerMs: 500,
  embeddedWatchMs: 250,
  embeddedConnections: 64,
  /** Large enough for one bulk insert. */
  embeddedBatchBytes: 256 * 1024 * 1024,
} as const;
