export const DB_LIMITS = {
  /** Retry interval of an unreachable database at start, milliseconds. */
  migrateRetryMs: 2_000,
  /** The longest wait between attempts that a database refuses, milliseconds. */
  migrateRetryMostMs: 30_000,
  /**
   * Interval of checks for changed accounts and keys; retry interval of listening. Milliseconds.
   */
  accountPollMs: { postgres: 1_000, embedded: 250 },
  accountListenRetryMs: 5_000,
  storeConnections: 8,
  /** Of each request thread beside the first. */
  storeConnectionsOfOthers: 4,
  /** Time to open or get a connection, milliseconds. */
  storeConnectMs: 5_000,
  /** Of several servers, the time that one has to say whether it is the one wanted, milliseconds. */
  storeServerMs: 2_000,
  /** Interval of looking how far a replica is behind; a statement that it is given up for. Milliseconds. */
  replicaLookEveryMs: 500,
  replicaReadMs: 3_000,
  /** One statement at the server, milliseconds. A building thread waits `feedRowsMs`, nobody for a sync. */
  storeStatementMs: { lookups: 15_000, builds: 100_000, sync: 30 * 60_000 },
  /**
   * A store that answers no probe in this time is unavailable; interval of probes; good answers
   * that end an outage.
   */
  storeProbeMs: { postgres: 1_500, embedded: 10_000 },
  storeProbeEveryMs: 1_000,
  storeProbesGood: 2,
  /** A client waits so long before the server is probed, and then for what it says to that, milliseconds. */
  storeUnheardMs: 250,
  storeHearMs: 350,
  /** Silence beyond the statement limit after which a server counts as dead, milliseconds. */
  storeSilenceMs: 3_000,
  /** An idle open transaction is rolled back after this, milliseconds. */
  storeIdleInTransactionMs: 60_000,
  /** One migration, milliseconds. */
  storeMigrationMs: 30 * 60_000,
  /** A lock that a migration waits for, which stops the traffic behind it; tries, and the rest between. */
  migrationLockMs: 500,
  migrationLockTries: 30,
  migrationLockRetryMs: 1_000,
  /** One statement of a marked migration, over tables that may have traffic. */
  migrationHoldMs: 1_000,
  /** Between looks at whether another program still migrates, milliseconds. */
  migrationTurnMs: 100,
  /** Start of the embedded store, including the first one (initdb, PostGIS), milliseconds. */
  embeddedStartMs: 120_000,
  /** Deadline for closing a working store, milliseconds. */
  storeCloseMs: 8_000,
  /** The embedded store ends after this long without a connection, milliseconds. */
  embeddedLingerMs: 500,
  /** Interval of looking whether a statement of the embedded store is past its limit, milliseconds. */
  embeddedWatchMs: 250,
  embeddedConnections: 64,
  /** Bytes of one message batch to the embedded store (one bulk insert). */
  embeddedBatchBytes: 256 * 1024 * 1024,
} as const;
