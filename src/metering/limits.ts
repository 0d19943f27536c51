export const METERING_LIMITS = {
  /** Per minute, client address and public key (D68). */
  publicKeyRequests: { limit: 60, windowMs: 60_000 },
  /**
   * Units of an outage: a share of the account's month, and a minimum; remembered for `periodMs`.
   * Grants requested meanwhile: the store may only be slow.
   */
  outageUnits: { share: 0.01, least: 100, periodMs: 30 * 24 * 3_600_000 },
  outageQuestions: 2,
  /** Between readings of all months, milliseconds; accounts per reading. */
  monthsReadMs: 10_000,
  monthsRead: 200_000,
  /**
   * Months for a start without the store: accounts, interval of writing and greatest age in
   * milliseconds.
   */
  monthsLastKnown: 20_000,
  monthsLastSavedMs: 60_000,
  monthsLastKnownMs: 24 * 3_600_000,
  /** Parts assumed by a process that has not met its store. */
  unmetParts: 4,
  /** Units of one lease: maximum, and minimum while so many are left. */
  quotaLease: { max: 10_000, min: 10 },
  /** Longest wait for units; pause after a failed question. Milliseconds. */
  quotaAnswerMs: 2_000,
  quotaPauseMs: 500,
  /** Rounds lost to others before a request must retry. */
  quotaRounds: 20,
  /** Validity, milliseconds; Retry-After in seconds while others may return units. */
  quotaRefusedMs: 1_000,
  quotaRetryAfterS: 3,
  /** An unused lease is returned after this, milliseconds. */
  quotaIdleMs: 5_000,
  /** Leases are remembered for longer than a month, in case the clock is set back. */
  quotaKeptMs: 32 * 24 * 3_600_000,
  meteredAccounts: 200_000,
  /** Heartbeat; a process silent for longer than the second has no share. Milliseconds. */
  meterBeatMs: 1_000,
  meterDeadAfterMs: 10_000,
  /** Burst share of a starting process: wait, poll interval, fill time. Milliseconds. */
  meterJoinMs: 3_000,
  meterJoinPollMs: 100,
  meterJoinFillMs: 400,
  /**
   * Interval of folding, milliseconds; bytes at a time, and times before yielding. Small, since
   * lookups may wait.
   */
  usageFoldMs: 200,
  usageFoldBytes: { least: 24 * 1024, most: 96 * 1024 },
  usageFoldRounds: 256,
  /** Between clean-ups, and takeovers of dead processes' journals, milliseconds. */
  usageTidyMs: 1_000,
  /** A line is on disk after this, milliseconds: what a power failure may cost. */
  usageSyncMs: 500,
  /** A file ends at so many bytes, or at this age of its lines in milliseconds. */
  usageSegmentBytes: 16 * 1024 * 1024,
  usageSegmentMs: 24 * 3_600_000,
  /** Longest stop, milliseconds; the next start does the rest. */
  meterStopMs: 4_000,
  usageLinesPerPage: 1_000,
  /** Age of an answer that counts as activity; interval of checks. Milliseconds. */
  besideMs: 2_000,
  besideLookMs: 100,
} as const;
