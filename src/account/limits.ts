/**
 * Limits of accounts, keys and sessions with their units. Shared ones are in `../kernel/limits.ts`.
 */
export const ACCOUNT_LIMITS = {
  /** Keys cached per process (some 600 bytes each); cached non-keys, and for how long. */
  keysKnown: 20_000,
  keysRefused: 10_000,
  keysRefusedMs: 10_000,
  /** Secrets whose digest is kept, so that it is made once. */
  secretsRecent: 1_000,
  /** Keys waiting for the store, per client and in total; the longest wait, milliseconds. */
  keysAsked: { client: 50, total: 500 },
  keyAnswerMs: 3_000,
  /**
   * The file of keys for a start without the store: greatest age, interval of writing, revoked ones kept.
   * Milliseconds.
   */
  keysLastKnownMs: 24 * 3_600_000,
  keysLastSavedMs: 60_000,
  /** The same for other fronts: after a change, and without one. How often a front without a store looks. */
  keysShared: { leastMs: 10_000, mostMs: 10 * 60_000, lookMs: 10_000 },
  keysEndedKept: 10_000,
  /** Interval of writing last uses, milliseconds. */
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
  /** Lifetime of a sign-in link and a session (D69), milliseconds. */
  signInLinkMs: 15 * 60_000,
  sessionMs: 12 * 3_600_000,
  /**
   * Letters in a window: to an address, by a network or account, in all. Those that wait in a process, are
   * sent at a time, and for how long; accounts of an address that get a link; an invitation's lifetime.
   */
  letters: {
    ...{ windowMs: 15 * 60_000, perAddress: 3, perNetwork: 20, total: 1_000 },
    ...{ waiting: 200, atATime: 2, sendMs: 20_000 },
    accountsPerAddress: 10,
    invitationMs: 3 * 24 * 3_600_000,
  },
  /** Interval of looking for due alarms, milliseconds; the largest alarm, units. */
  alarmMs: 60_000,
  alarmUnits: { min: 1, max: 1_000_000_000 },
  /** Open requests for an account, and how long they are kept, milliseconds. */
  requests: { open: 500, keptMs: 90 * 24 * 3_600_000, purposeChars: 500 },
  /** Retention of ended ones, milliseconds. */
  sessionKeptMs: 30 * 24 * 3_600_000,
  /** Lifetime of a trial key, and its minimum rest when a page gets it, milliseconds. */
  trialKeyMs: { whole: 2 * 3_600_000, least: 3_600_000 },
} as const;
