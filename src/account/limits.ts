/** Limits of accounts, keys and sessions, each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const ACCOUNT_LIMITS = {
  /** Keys one process knows by heart (some 600 bytes each), and texts that were no key, for how long. */
  keysKnown: 20_000,
  keysRefused: 10_000,
  keysRefusedMs: 10_000,
  /** Keys that may wait for the store's word at a time, of one client and in all; the longest wait, milliseconds. */
  keysAsked: { client: 50, total: 500 },
  keyAnswerMs: 3_000,
  /** The last use of keys is written down this often, milliseconds. */
  keyUseMs: 60_000,
  /** Keys of an account that work at a time, and keys made in a day; ended keys that are listed. */
  keysPerAccount: 100,
  keysPerDay: 200,
  keysEndedListed: 100,
  /** Characters of the name of a key or an account, and of an e-mail address. */
  accountNameChars: { min: 1, max: 120 },
  emailChars: { min: 3, max: 254 },
  /** Origins of a public key. */
  keyOrigins: { min: 1, max: 20 },
  /** Hours the old key goes on working beside the new one. */
  keyOverlapHours: { min: 0, max: 168, default: 24 },
  /** A sign-in link and a session (D69) last this long, milliseconds. */
  signInLinkMs: 15 * 60_000,
  sessionMs: 12 * 3_600_000,
  /** What has ended is kept this long for the record, milliseconds. */
  sessionKeptMs: 30 * 24 * 3_600_000,
  /** A key of the open trial lasts so long in all, and so long or longer when a page gets it, milliseconds. */
  trialKeyMs: { whole: 2 * 3_600_000, least: 3_600_000 },
} as const;
