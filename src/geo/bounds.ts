import { toWgs84 } from './project.ts';

export type Bounds = readonly [number, number, number, number];

/** The grid's central meridian: a parallel that touches a box from above peaks there. */
const CENTRAL_X_M = 500_000;

/**
 * The degrees that contain a box of metres. Its sides are curves: latitude has its extreme at a
 * corner or on the central meridian.
 */
export function boundsInDegrees([west, south, east, north]: Bounds): Bounds {
  const xs = [west, east, ...(west < CENTRAL_X_M && east > CENTRAL_X_M ? [CENTRAL_X_M] : [])];
  const places = xs.flatMap((xUtm32) =>
    [south, north].map((yUtm32) => toWgs84({ xUtm32, yUtm32 })),
  );
  const lons = places.map(({ lon }) => lon);
  const lats = places.map(({ lat }) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}
