/** Limits of watch-lists (D234, D235). */
export const WATCH_LIMITS = {
  perAccount: 20,
  nameChars: { min: 1, max: 120 },
  /** Of one list. */
  objects: 100_000,
  polygons: 1_000,
  /** Such as a polygon's WKT. */
  objectChars: 600_000,
  /** Vertices of a list's polygons together. */
  positions: 200_000,
  /** Vertices of a part of a polygon, as compared. */
  pieceVertices: 256,
  bodyBytes: 8 * 1024 * 1024,
  /** Bodies read at a time: per account and in total. */
  bodies: { each: 1, total: 4 },
  /** Objects in one answer. */
  page: { default: 100, max: 10_000 },
  /** Per account. */
  tests: { limit: 10, windowMs: 60_000 },
  /** Events with rows; numbers; characters in total and of one geometry. */
  payload: { events: 100, numbers: 1_000, chars: 400_000, geometryChars: 2_000 },
  /** Watched objects named with an event. */
  namedObjects: 10,
  /** Compared at a time. */
  batch: { events: 20_000, geometryChars: 16 * 1024 * 1024 },
  /** Compared at a time. */
  group: { lists: 500, objects: 1_000_000 },
  /** Ids in one statement. */
  ids: 5_000,
  /** Between checks for a new transaction. */
  pollMs: 10_000,
  /** A silent process counts as dead after this. */
  leaseMs: 60_000,
  /** Stopping waits for the current comparison. */
  stopMs: 3_000,
} as const;
