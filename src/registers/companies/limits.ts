/** Limits of companies; docs/settings.md lists the ones an operator can change. */
export const COMPANY_LIMITS = {
  recordChars: 256 * 1024,
  answerBytes: 4 * 1024 * 1024,
  /** Milliseconds to detect whether the search speaks TLS. */
  handshakeMs: 2_000,
  /** Milliseconds for which that is cached. */
  schemeMs: 10 * 60_000,
} as const;
