/** WGS84 (EPSG:4326) in decimal degrees. */
export interface PointWgs84 {
  readonly lon: number;
  readonly lat: number;
}

/** ETRS89 / UTM zone 32N (EPSG:25832) in metres: easting x, northing y. */
export interface PointUtm32 {
  readonly xUtm32: number;
  readonly yUtm32: number;
}

/** One point in both frames, projected once at the edge. */
export interface Point {
  readonly wgs84: PointWgs84;
  readonly utm32: PointUtm32;
}

/** The boxes of D35: a point outside all of them is outside Denmark. WGS84 degrees. */
export const DENMARK_BOXES = [
  { minLon: 7.7, maxLon: 13.2, minLat: 54.4, maxLat: 58.0 },
  { minLon: 14.5, maxLon: 15.4, minLat: 54.8, maxLat: 55.6 },
] as const;

/** The boxes' extent, WGS84 degrees: west, south, east, north. */
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
