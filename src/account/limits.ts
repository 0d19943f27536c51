export const ACCOUNT_LIMITS = {
  /** Keys cached per process, some 600 bytes each; cached non-keys. */
  keysKnown: 20_000,
  keysRefused: 10_000,
  keysRefusedMs: 10_000,
  /** Secrets with a cached digest. */
  secretsRecent: 1_000,
  /** Keys waiting for the store, per client and in total; longest wait. */
  keysAsked: { client: 50, total: 500 },
  keyAnswerMs: 3_000,
  /** For a start without the store: greatest age and interval of writing. */
  keysLastKnownMs: 24 * 3_600_000,
  keysLastSavedMs: 60_000,
  /**
   * Interval of writing for other fronts: after a change, without one; of reading without a store.
   */
  keysShared: { leastMs: 10_000, mostMs: 10 * 60_000, lookMs: 10_000 },
  /** Revoked keys kept for that. */
  keysEndedKept: 10_000,
  /** Between writes of last uses. */
  keyUseMs: 60_000,
  keysPerAccount: 100,
  keysPerDay: 200,
  keysEndedListed: 100,
  personsPerAccount: 100,
  accountNameChars: { min: 1, max: 120 },
  emailChars: { min: 3, max: 254 },
  keyOrigins: { min: 1, max: 20 },
  /** Hours for which a replaced key keeps working. */
  keyOverlapHours: { min: 0, max: 168, default: 24 },
  /** Lifetime of a sign-in link and a session (D69). */
  signInLinkMs: 15 * 60_000,
  sessionMs: 12 * 3_600_000,
  /**
   * In a window; then waiting, sent at a time, time for one, and at stopping; accounts of an
   * address that get a link; an invitation's lifetime.
   */
  letters: {
    ...{ windowMs: 15 * 60_000, perAddress: 3, perNetwork: 20, total: 1_000 },
    ...{ waiting: 200, atATime: 2, sendMs: 20_000, stopMs: 2_000 },
    accountsPerAddress: 10,
    invitationMs: 3 * 24 * 3_600_000,
  },
  /** Between checks for due alarms; the largest alarm. */
  alarmMs: 60_000,
  alarmUnits: { min: 1, max: 1_000_000_000 },
  /** Open requests for an account; retention. */
  requests: { open: 500, keptMs: 90 * 24 * 3_600_000, purposeChars: 500 },
  /** Of ended sessions. */
  sessionKeptMs: 30 * 24 * 3_600_000,
  /** Lifetime of a trial key, and the least left when a page gets it. */
  trialKeyMs: { whole: 2 * 3_600_000, least: 3_600_000 },
} as const;
