export const HTTP_LIMITS = {
  bodyKeys: 1_000,
  /** For a client to send a request. */
  requestReceiveMs: 30_000,
  /** Idle connections close after this. */
  keepAliveMs: 72_000,
  /** Added to what the client is told against a race. */
  keepAliveGraceMs: 1_000,
  /** Connections in total and per client address, without trusted proxies. */
  connections: { total: 4_096, address: 1_024 },
  /**
   * Above share `from`, idle connections close after `keepAliveMs`, checked each `everyMs`; above
   * `fullFrom` a new one first frees `freed` of this thread's, and counts as waiting for `newMs`.
   * Readers are closed for clients with more than `readersOfClient`. `probePlaces`: past the total,
   * for `probes`.
   */
  crowd: {
    ...{ from: 0.75, keepAliveMs: 5_000, everyMs: 1_000 },
    ...{ fullFrom: 15 / 16, freed: 1 / 16, newMs: 100, readersOfClient: 64 },
    ...{ probePlaces: 64, probes: ['/healthz', '/readyz', '/startupz'] },
  },
  /** Unanswered requests per connection; at more, it closes without starting them. */
  owedAnswers: 64,
  /** Input of a closing connection is discarded. */
  lingeringClose: { totalMs: 30_000, idleMs: 2_000, bytes: 64 * 1024 * 1024 },
  /** Answers ready in time reach a client that closed its side; above `tarpit.holdMs`. */
  halfClosedMs: 250,
  /** Closes a connection with a pending answer and no traffic. */
  stalledMs: 120_000,
  /** For the service to answer a request. */
  requestAnswerMs: 60_000,
  /** The same for a request that met a silent store (D179). */
  silentStoreMs: 700,
  /** Keyed requests: in total, per account, per client of a public key. */
  inFlight: { total: 512, account: 128, pageClient: 16 },
  fairTurns: { few: 1, many: 32, sharedMs: 10_000, waiting: 128 },
  /** Requests without a key, by client address; each connection has at most one waiting. */
  openFairTurns: { few: 1, many: 4, sharedMs: 10_000, waiting: 4_096 },
  /**
   * D218. Interval of measuring, and of caching; unmeasured time that is an incident; what is kept
   * and shown; answers needed to judge, and the error share that is an incident.
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
  },
  failuresLoggedPerSecond: 10,
  loggedPathChars: 256,
  /** D138. */
  remarkChars: 200,
  fastPathGroup: 64,
  /** Spans queued, and sent in one request; between requests, and for one. */
  tracing: { queue: 2_048, batch: 512, everyMs: 5_000, exportMs: 3_000 },
} as const;
