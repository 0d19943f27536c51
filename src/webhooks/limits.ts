/** Limits of webhooks (interface: Limits; D109). */
export const WEBHOOK_LIMITS = {
  perAccount: 20,
  urlChars: { min: 1, max: 2_048 },
  descriptionChars: 200,
  /** DNS, connect, TLS and answer of one attempt together. */
  attemptMs: 10_000,
  /** Attempts, and the wait after each failed one but the last. */
  attempts: 5,
  waitsMs: [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000],
  /** Bytes of the head, and of the body, which is discarded. */
  responseHeadBytes: 16 * 1024,
  responseBodyBytes: 64 * 1024,
  /** Waiting deliveries; beyond this the oldest fails (sql/migrations/0042, 0045). */
  backlog: 10_000,
  /** Attempts at a time; `address`: of one account, `addressOfAll`: of all. */
  inFlight: { total: 64, failing: 32, account: 16, endpoint: 2, address: 4, addressOfAll: 32 },
  /**
   * Attempts claimed at a time; gap between requests and rest afterwards. Failing endpoints: while
   * others were sent to less than `besideMs` ago, and otherwise.
   */
  pace: {
    besideLookups: { atOnce: 4, gapMs: 15, restMs: 15 },
    failingBeside: { atOnce: 4, gapMs: 0, restMs: 20 },
    failingAlone: { atOnce: 16, gapMs: 0, restMs: 20 },
    besideMs: 500,
  },
  /** Deliveries shown; retention; rows deleted at a time. */
  logShown: 100,
  logKeptMs: 30 * 24 * 3_600_000,
  logDeletedAtOnce: 1_000,
  /**
   * D236: wait before the oldest is retried at a failing endpoint, and greatest age of the change;
   * repeated at a time.
   */
  missed: { waitMs: 2 * 3_600_000, keptMs: 30 * 24 * 3_600_000, atOnce: 500 },
  /** Per account (D104). */
  pings: { limit: 10, windowMs: 60_000 },
  /** A dead process is noticed after this. */
  leaseMs: 15_000,
  /** Between reads of due deliveries, and clean-ups. */
  pollMs: { postgres: 500, embedded: 250 },
  sweepMs: 5_000,
  /** Multiple of the read's time; longest rest. */
  lookRest: { times: 10, mostMs: 2_000 },
  /** Due deliveries examined before endpoints are examined instead. */
  dueLooked: 2_000,
  /** Endpoints listed per process, and reported between two reads. */
  dueListed: 2_000,
  /** Longer beside lookups, which each commit may delay; results written together. */
  settleMs: { alone: 2, besideLookups: 50 },
  settleBatch: 64,
  reapedAtOnce: 200,
  /** Delay after a busy address or an unreadable secret. */
  addressBusyMs: 500,
  secretUnreadMs: 60_000,
  /** Attempts, timeout of each, and lifetime of a checked answer. */
  dns: { tries: 2, timeoutMs: 2_000, keptMs: 2_000, names: 10_000, addresses: 64 },
  /** For checking an address on registration or change. */
  checkMs: 5_000,
  /** Receivers with kept connections, and their idle time. */
  receivers: 512,
  receiverIdleMs: 2_000,
  /** Stopping waits for attempts; the rest count as interrupted. */
  stopMs: 3_000,
} as const;
