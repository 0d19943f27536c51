/** Limits of watch-lists (D234, D235). */
export const WATCH_LIMITS = {
  perAccount: 20,
  nameChars: { min: 1, max: 120 },
  /** Of one list. */
  objects: 100_000,
  polygons: 1_000,
  /** Characters of an object, such as a polygon's WKT. */
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
  /** Per account in a window, milliseconds. */
  tests: { limit: 10, windowMs: 60_000 },
  /** Events with rows; numbers; characters in total and of one geometry. */
  payload: { events: 100, numbers: 1_000, chars: 400_000, geometryChars: 2_000 },
  /** Watched objects named with an event. */
  namedObjects: 10,
  /** Events compared at a time, and characters of their geometries. */
  batch: { events: 20_000, geometryChars: 16 * 1024 * 1024 },
  /** Lists compared at a time, and their objects. */
  group: { lists: 500, objects: 1_000_000 },
  /** Ids in one statement. */
  ids: 5_000,
  /** Between checks for a new transaction, milliseconds. */
  pollMs: 10_000,
  /** A silent process counts as dead after this, milliseconds. */
  leaseMs: 60_000,
  /** Stopping waits for the current comparison, milliseconds. */
  stopMs: 3_000,
} as const;
