export const DAWA_LIMITS = {
  /** Rows of one answer. A list that has more is refused, never cut. */
  rows: 1_000,
  /** Rows that cost one unit. */
  rowsPerUnit: 100,
  /** Rows that may come before those of a page. */
  skippedRows: 10_000,
  /** Areas of one answer with their geometries. */
  geometries: 150,
  suggestions: { default: 20, max: 100 },
  /** How far `reverse` looks, metres. */
  reverseM: 1_000,
  circleM: 5_000,
  polygonPoints: 500,
  polygonSideM: 20_000,
} as const;
