export const HTTP_LIMITS = {
  bodyKeys: 1_000,
  /** Time for a client to send a request, and for the service to answer it, milliseconds. */
  requestReceiveMs: 30_000,
  /** Lifetime of an idle connection, milliseconds. */
  keepAliveMs: 72_000,
  /** Extra time beyond what the client is told, to avoid a race, milliseconds. */
  keepAliveGraceMs: 1_000,
  /** In total, and per client address; trusted proxies are not counted. */
  connections: { total: 4_096, address: 1_024 },
  /**
   * From this share of the connections idle ones are kept for `keepAliveMs`, looked at each `everyMs`; from
   * `fullFrom` a new one first frees `freed` of this thread's. A new one counts as waited for `newMs`. Readers
   * are closed where their client has more than `readersOfClient`. `probePlaces`: past the total, for `probes`.
   */
  crowd: {
    ...{ from: 0.75, keepAliveMs: 5_000, everyMs: 1_000 },
    ...{ fullFrom: 15 / 16, freed: 1 / 16, newMs: 100, readersOfClient: 64 },
    ...{ probePlaces: 64, probes: ['/healthz', '/readyz', '/startupz'] },
  },
  /**
   * Unanswered requests per connection; further ones are not started, and the connection closes.
   */
  owedAnswers: 64,
  /**
   * A closing connection's input is discarded for a while: total time, silence, bytes.
   * Milliseconds.
   */
  lingeringClose: { totalMs: 30_000, idleMs: 2_000, bytes: 64 * 1024 * 1024 },
  /** A client that closed its side gets answers that are ready within this time, milliseconds. */
  halfClosedMs: 50,
  /** A connection with a pending answer and no traffic is closed after this, milliseconds. */
  stalledMs: 120_000,
  requestAnswerMs: 60_000,
  /** The same while the store is silent (D179). */
  silentStoreMs: 700,
  /** Keyed requests in flight: in total, per account, per client of a public key. */
  inFlight: { total: 512, account: 128, pageClient: 16 },
  fairTurns: { few: 1, many: 32, sharedMs: 10_000, waiting: 128 },
  /** Without a key, by client address; each connection has at most one waiting. */
  openFairTurns: { few: 1, many: 4, sharedMs: 10_000, waiting: 4_096 },
  /**
   * Of `/status` (D218): between measurements, and for how long the file's content is kept, milliseconds; the
   * time without a measurement that is an incident, seconds; days and incidents kept, incidents shown; answers a
   * measurement needs to be judged by, and the share of errors that is an incident.
   */
  status: {
    ...{ everyMs: 60_000, keptMs: 5_000, gapS: 300 },
    ...{ days: 90, incidents: 500, shown: 50 },
    ...{ leastAnswers: 20, errorShare: 0.05 },
  },
  tarpit: {
    burst: 400,
    perSecond: 200,
    tooManyCounts: 4,
    holdMs: [50, 150],
    held: 1_000,
    clients: 50_000,
  },
  failuresLoggedPerSecond: 10,
  loggedPathChars: 256,
  /** Characters of an operator's remark on a confirmed change (D138). */
  remarkChars: 200,
  fastPathGroup: 64,
  /** Spans that wait for the collector and go in one request; milliseconds between two, and of one. */
  tracing: { queue: 2_048, batch: 512, everyMs: 5_000, exportMs: 3_000 },
} as const;
