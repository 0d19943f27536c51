/** Limits of jobs (D71 to D76). */
export const JOB_LIMITS = {
  rowsPerAppend: { min: 1, max: 5_000 },
  rowsPerJob: 1_000_000,
  bodyBytes: 10 * 1024 * 1024,
  rowBytes: 1024 * 1024,
  headBytes: 64 * 1024,
  /**
   * Members; unpacked bytes of a body and of a client's file; texts and their characters; styles;
   * XML depth and characters; workbooks read (one per account) and waiting (per account, in total);
   * characters of a sheet's name.
   */
  workbook: {
    members: 1_000,
    unpackedBytes: { body: 512 * 1024 * 1024, file: 16 * 1024 * 1024 * 1024 },
    texts: 2_000_000,
    textChars: 64 * 1024 * 1024,
    formats: 70_000,
    depth: 32,
    tokenChars: 1024 * 1024,
    reads: { atATime: 2, each: { each: 1, total: 2 }, waiting: { each: 12, total: 120 } },
    sheetNameChars: { min: 1, max: 31 },
  },
  /** Rows that may be named as the header. */
  headRow: { min: 1, max: 50 },
  columns: 200,
  columnChars: { min: 1, max: 200 },
  valueChars: 1_000,
  labelChars: { min: 1, max: 120 },
  /** Characters of an Idempotency-Key; its lifetime in milliseconds (D76). */
  idempotencyKeyChars: { min: 1, max: 255 },
  idempotencyMs: 24 * 3_600_000,
  /** Rows claimed, answered and written together; writing may delay lookups. */
  chunkRows: 2_000,
  chunkRowsByKind: { miljoe: 250, bbr: 250 },
  openPerAccount: 50,
  backlogRows: 5_000_000,
  bytesPerAccount: 4 * 1024 * 1024 * 1024,
  /** Bytes of all jobs' rows, and of bodies being read: per account and in total. */
  bytesInAll: 40 * 1024 * 1024 * 1024,
  bodyBytesHeld: { account: 40 * 1024 * 1024, total: 200 * 1024 * 1024 },
  perPage: { default: 20, max: 100 },
  /** Lifetime of an ended job's rows, milliseconds (D74). */
  retentionMs: 30 * 24 * 3_600_000,
  /** After this an untouched draft or paused job is cancelled, milliseconds (D70). */
  untouchedMs: 30 * 24 * 3_600_000,
  /** Lease of a chunk, milliseconds. */
  leaseMs: 15_000,
  /** A thread that answers no row for longer is ended, and its chunk retried. Milliseconds. */
  chunkMs: 15_000,
  leaseRenewMs: 5_000,
  /** Attempts when a register does not answer (D75). */
  rowTries: 3,
  /** First delay between attempts, milliseconds; rows per question to the lookups. */
  rowRetryMs: 500,
  rowsAtATime: 50,
  /** Registers are asked live for so long of a chunk, of a job's first rows. */
  live: { chunkMs: 10_000, rows: 1_000 },
  /** Longest rest of a worker beside lookups, milliseconds. */
  besideRestMs: 250,
  /** An idle job thread ends after this, milliseconds. */
  threadIdleMs: 30_000,
  /** Reported failures of a chunk, and worker deaths, before its job fails. */
  chunkFailures: 3,
  chunkCrashes: 50,
  /** Between searches for work, milliseconds. */
  pollMs: { min: 250, max: 2_000 },
  /** Claims from the only job with work for so long before searching again. Milliseconds. */
  onlyJobMs: 250,
  sweepMs: 5_000,
  /** A job waits for a process with its data, milliseconds. */
  generationWaitMs: 5_000,
  generationsKept: 3,
  generationIdleMs: 60_000,
  /** A job that waits for memory says so, and is paused where addresses fail. Milliseconds. */
  memoryWait: { saidMs: 30_000, mostMs: 3_600_000 },
  /** Rest of a job that cannot continue now, milliseconds. */
  restMs: 250,
  /** A stopping worker waits for work in progress, milliseconds. */
  stopMs: 3_000,
  /** A job out of units waits for others to return theirs, then pauses. Milliseconds. */
  unitsWaitMs: 15_000,
  filesAtATime: { process: 64, account: 8 },
  madeFilesAtATime: { process: 8, account: 2 },
  chunksAhead: 2,
  streams: { process: 200, account: 20 },
  streamPollMs: 1_000,
  streamMs: 10 * 60_000,
  /** Window for rows per second, milliseconds. */
  rateWindowMs: 10_000,
} as const;
