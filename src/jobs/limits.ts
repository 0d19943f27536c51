/** Limits of jobs (D71 to D76), each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const JOB_LIMITS = {
  /** Rows of a JSON body, and of a job. */
  rowsPerAppend: { min: 1, max: 5_000 },
  rowsPerJob: 1_000_000,
  /** Bytes of the body of a new job or of an append. */
  bodyBytes: 10 * 1024 * 1024,
  /** Bytes of one row of a JSON body, and of what such a body has beside its rows. */
  rowBytes: 1024 * 1024,
  headBytes: 64 * 1024,
  /**
   * A workbook (.xlsx): members of its archive; bytes it may unpack to, sent as a body or read from a
   * file by the client; different texts and their characters, which are held while it is read; styles;
   * depth of its XML, and characters between two tags; workbooks read at a time and waiting for it (of one
   * account, in all), and characters of a sheet's name.
   */
  workbook: {
    members: 1_000,
    unpackedBytes: { body: 512 * 1024 * 1024, file: 16 * 1024 * 1024 * 1024 },
    texts: 2_000_000,
    textChars: 64 * 1024 * 1024,
    formats: 70_000,
    depth: 32,
    tokenChars: 1024 * 1024,
    reads: { atATime: 1, waiting: { each: 12, total: 120 } },
    sheetNameChars: { min: 1, max: 31 },
  },
  /** Columns of a job; characters of a column's name, of a text in a row and of a label. */
  columns: 200,
  columnChars: { min: 1, max: 200 },
  valueChars: 1_000,
  labelChars: { min: 1, max: 120 },
  /** Characters of an Idempotency-Key, and how long it is kept, milliseconds (D76). */
  idempotencyKeyChars: { min: 1, max: 255 },
  idempotencyMs: 24 * 3_600_000,
  /**
   * Rows that are claimed, answered and written together. Ten lines or a property a row take ten times
   * the room (4 kB), and what the database writes at a time, or the thread of requests compresses, is
   * what a single lookup on the same core may wait for.
   */
  chunkRows: 2_000,
  chunkRowsByKind: { miljoe: 250, bbr: 250 },
  /** Of one account: jobs that have not ended, their rows that wait, and bytes of all its rows. */
  openPerAccount: 50,
  backlogRows: 5_000_000,
  bytesPerAccount: 4 * 1024 * 1024 * 1024,
  /** Bytes of the rows of all jobs, and of bodies being read: of one account, and in all. */
  bytesInAll: 40 * 1024 * 1024 * 1024,
  bodyBytesHeld: { account: 40 * 1024 * 1024, total: 200 * 1024 * 1024 },
  /** Jobs of one page of the list. */
  perPage: { default: 20, max: 100 },
  /** Rows of an ended job are kept this long, milliseconds (D74). */
  retentionMs: 30 * 24 * 3_600_000,
  /** A draft or paused job that nobody touches is cancelled after so long, milliseconds (D70). */
  untouchedMs: 30 * 24 * 3_600_000,
  /** A chunk belongs to its worker so long; it says so anew this often, milliseconds. */
  leaseMs: 15_000,
  leaseRenewMs: 5_000,
  /** Tries of a row whose register did not answer (D75). */
  rowTries: 3,
  /** Between two of them at first, milliseconds; rows that the lookups are asked at a time. */
  rowRetryMs: 500,
  rowsAtATime: 50,
  /** The longest rest a worker takes while lookups are answered on its machine, milliseconds. */
  besideRestMs: 250,
  /** A thread of jobs ends after so long without a chunk, milliseconds. */
  threadIdleMs: 30_000,
  /** Reported failures of a chunk, and workers it may cost, before its job has failed. */
  chunkFailures: 3,
  chunkCrashes: 50,
  /** Between two looks for work: from, to; between two roundings up of what has ended, milliseconds. */
  pollMs: { min: 250, max: 2_000 },
  /** A job found to be the only one with work is claimed from so long before others are looked for. */
  onlyJobMs: 250,
  sweepMs: 5_000,
  /** A job whose data another process has waits for it so long, milliseconds. */
  generationWaitMs: 5_000,
  /** A starting worker waits so long for its memory before it asks the store instead, milliseconds. */
  memoryWaitMs: 120_000,
  memoryPollMs: 50,
  /** Generations a process keeps in memory for jobs that began with them. */
  generationsKept: 3,
  generationIdleMs: 60_000,
  /** A job that cannot go on now rests so long; after so long without a unit it is paused, milliseconds. */
  restMs: 250,
  /** A worker that is told to stop waits so long for what it has begun, milliseconds. */
  stopMs: 3_000,
  unitsWaitMs: 15_000,
  /** Files sent at a time by one process and to one account; chunks read ahead of the client. */
  filesAtATime: { process: 64, account: 8 },
  /** Of them those that are made while they are sent: they take a core while somebody reads fast. */
  madeFilesAtATime: { process: 8, account: 2 },
  chunksAhead: 2,
  /** Progress: streams of one process and of one account, between two looks, and how long one lasts. */
  streams: { process: 200, account: 20 },
  streamPollMs: 1_000,
  streamMs: 10 * 60_000,
  /** Rows per second are those of so long, milliseconds. */
  rateWindowMs: 10_000,
} as const;
