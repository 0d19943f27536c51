export const OPS_LIMITS = {
  datedChangesShown: 500,
  datedChangesPast: 20,
  /** Runs and actions in the overview; runs and issues of a page. */
  runsInOverview: 14,
  actionsInOverview: 20,
  actsPerPage: { default: 50, max: 500 },
  runsPerPage: { default: 20, max: 100 },
  issuesPerRun: 10,
  /** Of a layer, and of a difference. */
  historyDays: { default: 30, max: 90 },
  historyRuns: 1_000,
  historyVersionsShown: 20,
  versionMax: 2_147_483_647,
  differenceFeatures: 2_000,
  differenceVertices: 50_000,
  /** Between recordings; retention. */
  auditRecordMs: 60_000,
  auditKeptMs: 92 * 24 * 3_600_000,
  /**
   * The sweep: rows and time of a step, its wait for a lock, time of a table and round; runs of a
   * layer that always stay.
   */
  sweepRows: 2_000,
  sweepStepMs: 2_000,
  sweepLockMs: 200,
  sweepTableMs: 5_000,
  runsKept: 20,
  /** Replaced rows; beyond this the oldest leave early. */
  historyRows: 20_000_000,
  guardsPerRelease: 32,
  guardNameChars: 40,
  /** Wait before the last answer is used; interval of asking. */
  lastKnownWaitMs: 1_500,
  lastKnownMs: { layers: 10_000, operators: 60_000 },
} as const;
