/** Limits of companies; docs/settings.md lists the ones an operator can change. */
export const COMPANY_LIMITS = {
  /** Characters stored for one company: names, branches, forms and addresses. */
  recordChars: 256 * 1024,
  /** Bytes of one search answer. */
  answerBytes: 4 * 1024 * 1024,
  /** Milliseconds to detect whether the search speaks TLS. */
  handshakeMs: 2_000,
  /** Milliseconds for which that is cached. */
  schemeMs: 10 * 60_000,
} as const;
