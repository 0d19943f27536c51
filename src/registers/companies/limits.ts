/** Limits of companies; docs/settings.md lists those that an operator can change. */
export const COMPANY_LIMITS = {
  /** Characters of what is stored of one company: its names, branches, forms and addresses. */
  recordChars: 256 * 1024,
  /** Bytes of an answer of the search. */
  answerBytes: 4 * 1024 * 1024,
  /** Time to find out whether the search speaks TLS, milliseconds. */
  handshakeMs: 2_000,
  /** How long that is believed, milliseconds. */
  schemeMs: 10 * 60_000,
} as const;
