/** How much of the log is read at a time. */
export const CHANGE_LIMITS = {
  /** Events of a page: of the first, at most, and the characters that a page is aimed at. */
  firstPageEvents: 50,
  pageEvents: 1_000,
  pageChars: 1_000_000,
  pageTransactions: 200,
  /** Characters of rows that an answer of the pull log is full with. */
  feedChars: 16_000_000,
  /** Rows of an extract's page. */
  pageRows: 1_000,
} as const;
