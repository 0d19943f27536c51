/** How much of the log is read at a time. */
export const CHANGE_LIMITS = {
  /** Events of a page: of the first, at most, and the characters that a page is aimed at. */
  firstPageEvents: 50,
  pageEvents: 1_000,
  pageChars: 1_000_000,
  /** Pages that the store makes while one is sent: so many of its connections a reader takes. */
  pagesAhead: 2,
  pageTransactions: 200,
  /** Characters of rows that an answer of the pull log is full with. */
  feedChars: 8_000_000,
  /** Events of an answer, seconds of a long poll, milliseconds between its looks. */
  events: { min: 1, max: 10_000, default: 1_000 },
  /** Answers that may have more events are made in a thread. */
  eventsHere: 200,
  waitS: 30,
  lookMs: 1_000,
  eventsPerUnit: 1_000,
  /** Answers of the pull log and extracts at a time, and the seconds after which one is ended (D254, D262). */
  waiting: { process: 200, account: 5, longestS: 300 },
  extracts: { process: 8, account: 2, longestS: 7_200 },
  /** Characters of an extract that are sent at a time. */
  sentChars: 64 * 1024,
  /** Rows of an extract's page: of the first, and at most. */
  firstPageRows: 100,
  pageRows: 1_000,
} as const;
