/** docs/settings.md lists those an operator can change. */
export const COMPANY_LIMITS = {
  recordChars: 256 * 1024,
  answerBytes: 4 * 1024 * 1024,
  /** Time to detect whether the search speaks TLS. */
  handshakeMs: 2_000,
  /** How long that is cached. */
  schemeMs: 10 * 60_000,
} as const;
