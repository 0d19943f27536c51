/** Limits of metering, each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const METERING_LIMITS = {
  /** Requests of one client address a minute with a public key (D68); such clients kept in mind. */
  publicKeyRequests: { limit: 60, windowMs: 60_000 },
  publicKeyClients: 50_000,
  /**
   * What an account may use in one outage of the store, in one process: this part of its month's units,
   * and so many at least. Blocks asked for at a time meanwhile: a store may be slow and not gone.
   */
  outageUnits: { share: 0.01, least: 100 },
  outageQuestions: 2,
  /** What is left of everybody's month is read anew this often, milliseconds; accounts of one reading. */
  monthsReadMs: 10_000,
  monthsRead: 200_000,
  /** Units of one lease set aside in the store, at most and, while there are as many, at least. */
  quotaLease: { max: 10_000, min: 10 },
  /** A request waits this long for its units; after a failure nobody asks for the pause. */
  quotaAnswerMs: 2_000,
  quotaPauseMs: 500,
  /** Blocks one request may see come and go to others before it is told to come again. */
  quotaRounds: 20,
  /** A refusal is good this long; seconds of Retry-After while others may still give units back. */
  quotaRefusedMs: 1_000,
  quotaRetryAfterS: 3,
  /** A lease nobody used for so long goes back. */
  quotaIdleMs: 5_000,
  /** Accounts one process counts for. */
  meteredAccounts: 200_000,
  /** A process says it lives this often; one silent for longer than the second has no share. */
  meterBeatMs: 1_000,
  meterDeadAfterMs: 10_000,
  /** A starting process waits so long for its share of the bursts, looking so often, to fill this long. */
  meterJoinMs: 3_000,
  meterJoinPollMs: 100,
  meterJoinFillMs: 400,
  /**
   * Between two foldings; bytes of one, and how many follow one another before others get a turn. Often
   * and little: a line costs the database some 15 µs, and while it folds a lookup may wait for the core.
   */
  usageFoldMs: 200,
  usageFoldBytes: { least: 24 * 1024, most: 96 * 1024 },
  usageFoldRounds: 256,
  /** Between two looks at what is no longer needed, and at what dead processes left. */
  usageTidyMs: 1_000,
  /** A line of the journal is on disk after this long: what a loss of power may cost. */
  usageSyncMs: 500,
  /** A file of the journal is ended at this size. */
  usageSegmentBytes: 16 * 1024 * 1024,
  /** Stopping waits so long for the last lines to be folded; the next start does what is left. */
  meterStopMs: 4_000,
  /** Bill lines of one page when they are exported. */
  usageLinesPerPage: 1_000,
  /** Lookups are being answered on this machine if one was so lately; between two looks, milliseconds. */
  besideMs: 2_000,
  besideLookMs: 100,
} as const;
