/** The land that a source claims to cover (D142). Outside it nothing is answered. */

export const COVERAGE_LIMITS = {
  /** Of a polygon: every pair of its edges is checked. */
  corners: 2_000,
  /** Of a list: there are 98 municipalities. */
  codes: 98,
  /** Maximum age of a land of municipalities read from the store, milliseconds. */
  againMs: 30_000,
} as const;

/** A part of the country; null stands for the whole (D35). */
export type Coverage = PolygonCoverage | MunicipalityCoverage;

export interface PolygonCoverage {
  readonly kind: 'polygon';
  readonly name: string;
  /** Closed rings, x, y, x, y …, EPSG:25832 metres: covered is what an odd number of them contain. */
  readonly borders: readonly (readonly number[])[];
}

/** The areas of the mirrored municipalities; no land until they are mirrored. */
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
