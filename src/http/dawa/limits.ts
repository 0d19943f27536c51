export const DAWA_LIMITS = {
  rows: 1_000,
  /** DAWA's clients ask for 150 ids at once. */
  ids: 400,
  scannedRows: 20_000,
  rowsPerUnit: 100,
  /** Rows per unit in lists without addresses. */
  listedPerUnit: 1_000,
  skippedRows: 1_000_000,
  suggestions: 20,
  reverseM: 1_000,
  circleM: 5_000,
  polygonPoints: 500,
  polygonSideM: 20_000,
} as const;
