import { toWgs84 } from './project.ts';

export type Bounds = readonly [number, number, number, number];

const CENTRAL_X_M = 500_000;

/** The sides are curves: latitude has its extreme at a corner or on the central meridian. */
export function boundsInDegrees([west, south, east, north]: Bounds): Bounds {
  const xs = [west, east, ...(west < CENTRAL_X_M && east > CENTRAL_X_M ? [CENTRAL_X_M] : [])];
  const places = xs.flatMap((xUtm32) =>
    [south, north].map((yUtm32) => toWgs84({ xUtm32, yUtm32 })),
  );
  return boundsAround(places.map(({ lon, lat }) => [lon, lat, lon, lat]));
}

export function grown([west, south, east, north]: Bounds, by: number): Bounds {
  return [west - by, south - by, east + by, north + by];
}

export function boundsAround(boxes: readonly Bounds[]): Bounds {
  const around: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [west, south, east, north] of boxes) {
    around[0] = Math.min(around[0], west);
    around[1] = Math.min(around[1], south);
    around[2] = Math.max(around[2], east);
    around[3] = Math.max(around[3], north);
  }
  return around;
}

/** West, south, east, north of each. */
export function emptyBoxes(count: number): Float64Array {
  const boxes = new Float64Array(4 * count);
  for (let at = 0; at < boxes.length; at += 4) {
    boxes.fill(Infinity, at, at + 2);
    boxes.fill(-Infinity, at + 2, at + 4);
  }
  return boxes;
}

export function widen(boxes: number[] | Float64Array, at: number, x: number, y: number): void {
  if (x < boxes[at]!) boxes[at] = x;
  if (y < boxes[at + 1]!) boxes[at + 1] = y;
  if (x > boxes[at + 2]!) boxes[at + 2] = x;
  if (y > boxes[at + 3]!) boxes[at + 3] = y;
}

export function boundsOfXy(xy: Float64Array): Bounds {
  if (xy.length === 0) return [0, 0, 0, 0];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    west = Math.min(west, xy[i]!);
    south = Math.min(south, xy[i + 1]!);
    east = Math.max(east, xy[i]!);
    north = Math.max(north, xy[i + 1]!);
  }
  return [west, south, east, north];
}
