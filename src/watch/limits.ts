/** Limits of watch-lists (D234, D235) with their units. Shared ones are in `../kernel/limits.ts`. */
export const WATCH_LIMITS = {
  perAccount: 20,
  nameChars: { min: 1, max: 120 },
  /** Objects of one list. */
  objects: 100_000,
  polygons: 1_000,
  /** Characters of an object as text: of a polygon its WKT. */
  objectChars: 600_000,
  /** Positions of the polygons of a list together. */
  positions: 200_000,
  /** Positions of a piece of a polygon, as it is compared. */
  pieceVertices: 256,
  bodyBytes: 8 * 1024 * 1024,
  /** Bodies that are read at a time, by account and in all. */
  bodies: { each: 1, total: 4 },
  /** Objects in one answer. */
  page: { default: 100, max: 10_000 },
  /** Tests of an account in a window, milliseconds. */
  tests: { limit: 10, windowMs: 60_000 },
  /** Events of one delivery with their rows; numbers; characters of them in all, and of one geometry. */
  payload: { events: 100, numbers: 1_000, chars: 400_000, geometryChars: 2_000 },
  /** Watched objects that are named with an event. */
  namedObjects: 10,
  /** Events compared at a time, and characters of their geometries. */
  batch: { events: 20_000, geometryChars: 16 * 1024 * 1024 },
  /** Lists compared with a batch at a time, and objects of theirs. */
  group: { lists: 500, objects: 1_000_000 },
  /** Ids in one statement. */
  ids: 5_000,
  /** Interval of looking for a new transaction, milliseconds. */
  pollMs: 10_000,
  /** After which a process that compares is taken for dead, milliseconds. */
  leaseMs: 60_000,
  /** How long stopping waits for the comparison under way, milliseconds. */
  stopMs: 3_000,
} as const;
