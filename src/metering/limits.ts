export const METERING_LIMITS = {
  /** Per minute, client address and public key (D68); addresses remembered. */
  publicKeyRequests: { limit: 60, windowMs: 60_000 },
  publicKeyClients: 50_000,
  /**
   * Units per account and process in one outage: a share of its month, and a minimum; remembered
   * for `periodMs`. Grants requested at a time meanwhile: the store may only be slow.
   */
  outageUnits: { share: 0.01, least: 100, periodMs: 30 * 24 * 3_600_000 },
  outageQuestions: 2,
  /** Between readings of all months, milliseconds; accounts per reading. */
  monthsReadMs: 10_000,
  monthsRead: 200_000,
  /**
   * For a start without the store: accounts kept, interval of writing and greatest age in
   * milliseconds.
   */
  monthsLastKnown: 20_000,
  monthsLastSavedMs: 60_000,
  monthsLastKnownMs: 24 * 3_600_000,
  /**
   * Bursts are divided by so many while a process has never met its store and the others are
   * unknown.
   */
  unmetParts: 4,
  /** Units of one lease: maximum, and minimum while so many are left. */
  quotaLease: { max: 10_000, min: 10 },
  /** A request waits for units; pause after a failed question. Milliseconds. */
  quotaAnswerMs: 2_000,
  quotaPauseMs: 500,
  /** Rounds a request may lose to others before it must retry. */
  quotaRounds: 20,
  /** Validity of a refusal, milliseconds; Retry-After while others may return units, seconds. */
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
   * A starting process waits for its burst share, its poll interval, and its fill time,
   * milliseconds.
   */
  meterJoinMs: 3_000,
  meterJoinPollMs: 100,
  meterJoinFillMs: 400,
  /**
   * Interval of folding, milliseconds; bytes folded at a time, and times before yielding. Small and
   * frequent, since lookups may wait.
   */
  usageFoldMs: 200,
  usageFoldBytes: { least: 24 * 1024, most: 96 * 1024 },
  usageFoldRounds: 256,
  /** Between clean-ups, and takeovers of dead processes' journals, milliseconds. */
  usageTidyMs: 1_000,
  /** A line is on disk after this, milliseconds: what a power failure may cost. */
  usageSyncMs: 500,
  /**
   * A journal file ends at this size, or age of its lines in milliseconds, so that it can be
   * removed.
   */
  usageSegmentBytes: 16 * 1024 * 1024,
  usageSegmentMs: 24 * 3_600_000,
  /** Stopping waits for the last folding, milliseconds; the next start does the rest. */
  meterStopMs: 4_000,
  usageLinesPerPage: 1_000,
  /** Answers as recent as this count as activity; interval of checks. Milliseconds. */
  besideMs: 2_000,
  besideLookMs: 100,
} as const;
