import { toWgs84 } from './project.ts';

export type Bounds = readonly [number, number, number, number];

const CENTRAL_X_M = 500_000;

/** The sides are curves: latitude has its extreme at a corner or on the central meridian. */
export function boundsInDegrees([west, south, east, north]: Bounds): Bounds {
  const xs = [west, east, ...(west < CENTRAL_X_M && east > CENTRAL_X_M ? [CENTRAL_X_M] : [])];
  const places = xs.flatMap((xUtm32) =>
    [south, north].map((yUtm32) => toWgs84({ xUtm32, yUtm32 })),
  );
  const lons = places.map(({ lon }) => lon);
  const lats = places.map(({ lat }) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

/** null: there are none. */
export function boundsAround(boxes: readonly Bounds[]): Bounds | null {
  const side = (at: 0 | 1 | 2 | 3, of: (...values: number[]) => number): number =>
    of(...boxes.map((box) => box[at]));
  if (boxes.length === 0) return null;
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

export function boundsOfXy(xy: Float64Array): Bounds {
  if (xy.length === 0) return [0, 0, 0, 0];
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    box[0] = Math.min(box[0], xy[i]!);
    box[1] = Math.min(box[1], xy[i + 1]!);
    box[2] = Math.max(box[2], xy[i]!);
    box[3] = Math.max(box[3], xy[i + 1]!);
  }
  return box;
}
