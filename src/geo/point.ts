/** EPSG:4326, decimal degrees. */
export interface PointWgs84 {
  readonly lon: number;
  readonly lat: number;
}

/** EPSG:25832, metres: easting, northing. */
export interface PointUtm32 {
  readonly xUtm32: number;
  readonly yUtm32: number;
}

export interface Point {
  readonly wgs84: PointWgs84;
  readonly utm32: PointUtm32;
}

/** D35: a point outside all of them is outside Denmark. WGS84 degrees. */
export const DENMARK_BOXES = [
  { minLon: 7.7, maxLon: 13.2, minLat: 54.4, maxLat: 58.0 },
  { minLon: 14.5, maxLon: 15.4, minLat: 54.8, maxLat: 55.6 },
] as const;

export const DENMARK_BOUNDS = [
  Math.min(...DENMARK_BOXES.map(({ minLon }) => minLon)),
  Math.min(...DENMARK_BOXES.map(({ minLat }) => minLat)),
  Math.max(...DENMARK_BOXES.map(({ maxLon }) => maxLon)),
  Math.max(...DENMARK_BOXES.map(({ maxLat }) => maxLat)),
] as const;

/** D35: edges included. NaN is outside. */
export function isInDenmark({ lon, lat }: PointWgs84): boolean {
  return DENMARK_BOXES.some(
    (box) => lon >= box.minLon && lon <= box.maxLon && lat >= box.minLat && lat <= box.maxLat,
  );
}
