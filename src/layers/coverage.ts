/** Outside the land that a source claims to cover nothing is answered (D142). */

export const COVERAGE_LIMITS = {
  /** Most corners of a polygon: every pair of its edges is checked. */
  corners: 2_000,
  /** There are 98 municipalities. */
  codes: 98,
  /** Maximum age of a land of municipalities read from the store. */
  againMs: 30_000,
} as const;

/** A part of the country; null is the whole (D35). */
export type Coverage = PolygonCoverage | MunicipalityCoverage;

export interface PolygonCoverage {
  readonly kind: 'polygon';
  readonly name: string;
  /**
   * Closed rings, x, y, x, y …, EPSG:25832 metres: an odd number of them contain what is covered.
   */
  readonly borders: readonly (readonly number[])[];
}

/** No land until the municipalities are mirrored. */
export interface MunicipalityCoverage {
  readonly kind: 'municipalities';
  readonly name: string;
  readonly codes: readonly string[];
}

export function municipalitiesName(codes: readonly string[]): string {
  const last = codes.at(-1) ?? '';
  return codes.length === 1
    ? `kommune ${last}`
    : `kommunerne ${codes.slice(0, -1).join(', ')} og ${last}`;
}
