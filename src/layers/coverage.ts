/**
 * The land that a source claims to cover (D142). Outside it nothing was measured, so nothing is answered:
 * what a source does not know of is never told as not being there.
 */

export const COVERAGE_LIMITS = {
  /** Of a polygon: every pair of its edges is looked at. */
  corners: 2_000,
  /** Of a list: there are 98 municipalities. */
  codes: 98,
  /** How old the land of municipalities may be that was read from the store, milliseconds. */
  againMs: 30_000,
} as const;

/** A part of the country; null in its place: the whole of it (D35). */
export type Coverage = PolygonCoverage | MunicipalityCoverage;

export interface PolygonCoverage {
  readonly kind: 'polygon';
  /** What it is called in answers and on pages. */
  readonly name: string;
  /**
   * Closed rings that bound the land, x, y, x, y …, EPSG:25832 metres: a place is covered when it lies
   * within an odd number of them.
   */
  readonly borders: readonly (readonly number[])[];
}

/** The areas that the mirrored municipalities have: none of them, until those are mirrored. */
export interface MunicipalityCoverage {
  readonly kind: 'municipalities';
  readonly name: string;
  /** Four digits each, as DAGI has them. */
  readonly codes: readonly string[];
}

/** What is said where one is named and has no name of its own. */
export function municipalitiesName(codes: readonly string[]): string {
  const last = codes.at(-1) ?? '';
  return codes.length === 1
    ? `kommune ${last}`
    : `kommunerne ${codes.slice(0, -1).join(', ')} og ${last}`;
}
