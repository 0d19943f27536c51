/** Limits of the edge, each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const HTTP_LIMITS = {
  /** Codes or names one filter may list. */
  addressFilterValues: 100,
  /** Characters of a point id. */
  pointIdChars: { min: 1, max: 64 },
  /** Properties of all objects of a JSON body together: no batch has more. */
  bodyKeys: 1_000,
  /** Time a client has for sending one request, and the service for answering it, milliseconds. */
  requestReceiveMs: 30_000,
  /** A connection on which nothing is asked is kept this long, milliseconds. */
  keepAliveMs: 72_000,
  /** ... and so much longer than its client is told, so that both do not race, milliseconds. */
  keepAliveGraceMs: 1_000,
  /** Connections: in all, and of one client address (that of a trusted proxy is nobody's: not counted). */
  connections: { total: 4_096, address: 1_024 },
  /** Answers one connection may owe: what is asked past them is not begun, and the connection closes. */
  owedAnswers: 64,
  /**
   * A connection that is to be closed is read, and what comes thrown away, so that its client gets the
   * last answer: in all, of silence, and bytes. Milliseconds.
   */
  lingeringClose: { totalMs: 30_000, idleMs: 2_000, bytes: 64 * 1024 * 1024 },
  /** A client that has closed its side may be reading still, or gone: it gets what is answered this soon. */
  halfClosedMs: 50,
  /** A connection on which nothing moves while an answer is owed is closed after this, milliseconds. */
  stalledMs: 120_000,
  requestAnswerMs: 60_000,
  /** Keyed requests worked on at a time: in all, for one account, for one client of a public key. */
  inFlight: { total: 512, account: 128, pageClient: 16 },
  /** Requests of one account begun in one turn of the event loop: see plugins/fair-scheduler.ts. */
  fairTurns: { few: 1, many: 32, sharedMs: 10_000, waiting: 128 },
  /** The same of requests without a key, by client address; each connection has at most one that waits. */
  openFairTurns: { few: 1, many: 4, sharedMs: 10_000, waiting: 4_096 },
  /** Answers that no burst pays for (refusals, open pages), for one client: see plugins/tarpit.ts. */
  tarpit: {
    burst: 400,
    perSecond: 200,
    tooManyCounts: 4,
    holdMs: [50, 150],
    held: 1_000,
    clients: 50_000,
  },
  /** Failures logged with their cause in a second, by one process; the rest are counted. */
  failuresLoggedPerSecond: 10,
  /** Characters of a path that a line of the log tells. */
  loggedPathChars: 256,
  /** Letters of an operator's remark on a change that is confirmed (D138). */
  remarkChars: 200,
  /** Single lookups that are answered together on the fast path. */
  fastPathGroup: 64,
} as const;
