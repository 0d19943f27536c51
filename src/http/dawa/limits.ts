export const DAWA_LIMITS = {
  rows: 1_000,
  /** Clients ask for 150 ids at once. */
  ids: 400,
  /** Looked through for one list. */
  scannedRows: 20_000,
  rowsPerUnit: 100,
  skippedRows: 10_000,
  geometries: 150,
  suggestions: { default: 20, max: 100 },
  reverseM: 1_000,
  circleM: 5_000,
  polygonPoints: 500,
  polygonSideM: 20_000,
} as const;
