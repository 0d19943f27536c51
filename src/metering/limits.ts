export const METERING_LIMITS = {
  /** Requests per minute of a client address with a public key (D68); such clients remembered. */
  publicKeyRequests: { limit: 60, windowMs: 60_000 },
  publicKeyClients: 50_000,
  /**
   * Units per account and process in one outage: this share of its month, and a minimum; how long they
   * are remembered, milliseconds. Grants requested
   * at a time meanwhile: the store may only be slow.
   */
  outageUnits: { share: 0.01, least: 100, periodMs: 30 * 24 * 3_600_000 },
  outageQuestions: 2,
  /** Interval of reading all months, milliseconds; accounts per reading. */
  monthsReadMs: 10_000,
  monthsRead: 200_000,
  /**
   * For a start without the store: accounts whose month is kept, how often it is written, how old it may be.
   * Milliseconds.
   */
  monthsLastKnown: 20_000,
  monthsLastSavedMs: 60_000,
  monthsLastKnownMs: 24 * 3_600_000,
  /** Parts that a process which never met its store divides the bursts by: the others are unknown. */
  unmetParts: 4,
  /** Units of one lease: maximum, and minimum while that many are left. */
  quotaLease: { max: 10_000, min: 10 },
  /** How long a request waits for units; pause after a failed question, milliseconds. */
  quotaAnswerMs: 2_000,
  quotaPauseMs: 500,
  /** Rounds a request may lose to others before it must retry. */
  quotaRounds: 20,
  /**
   * Validity of a refusal, milliseconds; seconds of Retry-After while others may give units back.
   */
  quotaRefusedMs: 1_000,
  quotaRetryAfterS: 3,
  /** An unused lease is returned after this, milliseconds. */
  quotaIdleMs: 5_000,
  meteredAccounts: 200_000,
  /**
   * Heartbeat interval; a process silent for longer than the second value has no share.
   * Milliseconds.
   */
  meterBeatMs: 1_000,
  meterDeadAfterMs: 10_000,
  /**
   * How long a starting process waits for its burst share, its poll interval, and its fill time,
   * milliseconds.
   */
  meterJoinMs: 3_000,
  meterJoinPollMs: 100,
  meterJoinFillMs: 400,
  /**
   * Interval of foldings; bytes of one, and how many run before yielding. Small and frequent, since lookups
   * may wait.
   */
  usageFoldMs: 200,
  usageFoldBytes: { least: 24 * 1024, most: 96 * 1024 },
  usageFoldRounds: 256,
  /** Interval of cleaning up, and of taking over dead processes' journals, milliseconds. */
  usageTidyMs: 1_000,
  /** A journal line is on disk after this: what a power failure may cost. Milliseconds. */
  usageSyncMs: 500,
  /** A journal file ends at this size, or with lines at this age in milliseconds: then it can be removed. */
  usageSegmentBytes: 16 * 1024 * 1024,
  usageSegmentMs: 24 * 3_600_000,
  /** How long stopping waits for the last folding; the next start does the rest. Milliseconds. */
  meterStopMs: 4_000,
  usageLinesPerPage: 1_000,
  /** How recent an answer must be to count as activity; interval of looks, milliseconds. */
  besideMs: 2_000,
  besideLookMs: 100,
} as const;
