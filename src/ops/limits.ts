/** Limits of what operators see and do, each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const OPS_LIMITS = {
  /** Of all layers, shown at once, and of them those that have come. */
  datedChangesShown: 500,
  datedChangesPast: 20,
  /** Runs per layer and operator's actions shown at a glance; runs and issues on one page of a log. */
  runsInOverview: 14,
  actionsInOverview: 20,
  runsPerPage: { default: 20, max: 100 },
  issuesPerRun: 10,
  /**
   * What operators see of the past: days, runs of a layer in them, its latest versions; features and vertices
   * of the difference of two versions.
   */
  historyDays: { default: 30, max: 90 },
  historyRuns: 1_000,
  historyVersionsShown: 20,
  versionMax: 2_147_483_647,
  differenceFeatures: 2_000,
  differenceVertices: 50_000,
  /** What the self-audit counted is written down so often, and kept by the hour so long. */
  auditRecordMs: 60_000,
  auditKeptMs: 92 * 24 * 3_600_000,
  guardsPerRelease: 32,
  guardNameChars: 40,
  /**
   * What is told of the store waits so long for it, then what is known is told; that is read anew this
   * often, of the layers and of all that operators see, milliseconds.
   */
  lastKnownWaitMs: 1_500,
  lastKnownMs: { layers: 10_000, operators: 60_000 },
} as const;
