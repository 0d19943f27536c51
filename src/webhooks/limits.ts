/** Limits of webhooks (interface: Limits; D109), each with its unit. What rooms share is in `../kernel/limits.ts`. */
export const WEBHOOK_LIMITS = {
  /** Of one account; characters of an address and of a description. */
  perAccount: 20,
  urlChars: { min: 1, max: 2_048 },
  descriptionChars: 200,
  /** DNS, connect, TLS, headers and body of one attempt together, milliseconds. */
  attemptMs: 10_000,
  /** Attempts of a delivery, and the wait after each that failed but the last, milliseconds. */
  attempts: 5,
  waitsMs: [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000],
  /** Bytes of the head of a receiver's answer, and of its body that are read and thrown away. */
  responseHeadBytes: 16 * 1024,
  responseBodyBytes: 64 * 1024,
  /** Deliveries that wait for one endpoint; of more the oldest fails (sql/migrations/0042, 0045). */
  backlog: 10_000,
  /**
   * Attempts at a time: in all, of them to endpoints that fail, of one account, to one endpoint, and to one
   * address: of one account (`address`) and of all.
   */
  inFlight: { total: 64, failing: 32, account: 16, endpoint: 2, address: 4, addressOfAll: 32 },
  /**
   * Attempts claimed at a time, the gap between their requests and the rest after them, milliseconds: to
   * those who answer while lookups are answered on the machine; to those that fail while others were sent
   * to less than `besideMs` ago, and while nobody was.
   */
  pace: {
    besideLookups: { atOnce: 4, gapMs: 15, restMs: 15 },
    failingBeside: { atOnce: 4, gapMs: 0, restMs: 20 },
    failingAlone: { atOnce: 16, gapMs: 0, restMs: 20 },
    besideMs: 500,
  },
  /** Deliveries shown, and how long ended ones are kept, milliseconds; rows deleted at a time. */
  logShown: 100,
  logKeptMs: 30 * 24 * 3_600_000,
  logDeletedAtOnce: 1_000,
  /** Test pings of an account in a while (D104). */
  pings: { limit: 10, windowMs: 60_000 },
  /** An attempt belongs to its process so long: what dies is noticed after it. Milliseconds. */
  leaseMs: 15_000,
  /** Between two looks for due deliveries, and for what has ended, milliseconds. */
  pollMs: { postgres: 500, embedded: 250 },
  sweepMs: 5_000,
  /** A look at what is due rests so many times as long as it took, at most so long, milliseconds. */
  lookRest: { times: 10, mostMs: 2_000 },
  /** Due deliveries looked through before endpoints are looked through instead. */
  dueLooked: 2_000,
  /** Endpoints with something due that a process lists, and that it is told of between two looks. */
  dueListed: 2_000,
  /**
   * Results are written together after so long, milliseconds, or when there are so many; later while
   * lookups are answered on the machine: each write is a commit they may meet.
   */
  settleMs: { alone: 2, besideLookups: 50 },
  settleBatch: 64,
  /** Attempts whose process died that are taken back at a time. */
  reapedAtOnce: 200,
  /** An address that is busy, and a secret that cannot be read, are tried again so late, milliseconds. */
  addressBusyMs: 500,
  secretUnreadMs: 60_000,
  /** Answers of the DNS: tries, the time of each, and how long a checked one serves, milliseconds. */
  dns: { tries: 2, timeoutMs: 2_000, keptMs: 2_000, names: 10_000, addresses: 64 },
  /** Checking an address when an endpoint is registered or changed may take so long, milliseconds. */
  checkMs: 5_000,
  /** Receivers whose connections are kept, and how long an idle one is, milliseconds. */
  receivers: 512,
  receiverIdleMs: 2_000,
  /** Stopping waits so long for attempts under way; the rest count as interrupted, milliseconds. */
  stopMs: 3_000,
} as const;
