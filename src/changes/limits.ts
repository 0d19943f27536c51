export const CHANGE_LIMITS = {
  /** Events of the first page and of the largest; characters aimed at. */
  firstPageEvents: 50,
  pageEvents: 1_000,
  pageChars: 1_000_000,
  /** Each takes a connection of the store. */
  pagesAhead: 2,
  pageTransactions: 200,
  /** Characters of rows that fill an answer of the pull log. */
  feedChars: 8_000_000,
  /** Events of an answer; seconds of a long poll; milliseconds between its reads. */
  events: { min: 1, max: 10_000, default: 1_000 },
  /** Answers that may have more are made in a thread. */
  eventsHere: 200,
  waitS: 30,
  lookMs: 1_000,
  eventsPerUnit: 1_000,
  /** In progress (D254, D262). */
  waiting: { process: 200, account: 5, longestS: 300 },
  extracts: { process: 8, account: 2, longestS: 7_200 },
  /** Of an extract, at a time. */
  sentChars: 64 * 1024,
  /** Rows of an extract's first page, and at most. */
  firstPageRows: 100,
  pageRows: 1_000,
} as const;
