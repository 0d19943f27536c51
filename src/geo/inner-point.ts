import type { PointUtm32 } from './point.ts';
import type { RingSink } from './wkb.ts';

/** Closed. `starts`: the first vertex of each. */
export interface FlatRings {
  readonly xy: Float64Array;
  readonly starts: ArrayLike<number>;
}

/** The middle of the widest stretch inside, halfway up; null: an area without height. */
export function innerPoint(rings: RingSink): PointUtm32 | null {
  const xy = rings.xy.view();
  const yUtm32 = heightBetween(xy);
  if (yUtm32 === null) return null;
  const crossings = crossingsAt({ xy, starts: rings.starts.view() }, yUtm32);
  let widest = -1;
  let xUtm32 = Number.NaN;
  for (let n = 0; n + 1 < crossings.length; n += 2) {
    const [from, to] = [crossings[n]!, crossings[n + 1]!];
    if (to - from <= widest) continue;
    widest = to - from;
    xUtm32 = (from + to) / 2;
  }
  return widest > 0 ? { xUtm32, yUtm32 } : null;
}

/** Returns a northing that meets no vertex. */
function heightBetween(xy: Float64Array): number | null {
  let [south, north] = [Infinity, -Infinity];
  for (let i = 1; i < xy.length; i += 2) {
    south = Math.min(south, xy[i]!);
    north = Math.max(north, xy[i]!);
  }
  const middle = (south + north) / 2;
  for (let i = 1; i < xy.length; i += 2) {
    const y = xy[i]!;
    if (y <= middle) south = Math.max(south, y);
    else north = Math.min(north, y);
  }
  return north > south ? (south + north) / 2 : null;
}

/** Crossings of a parallel with rings `from` to `until` (exclusive). A vertex counts once. */
export function crossingsAt(
  { xy, starts }: FlatRings,
  y: number,
  [from, until]: readonly [number, number] = [0, starts.length],
): number[] {
  const crossings: number[] = [];
  for (let ring = from; ring < until; ring++) {
    const end = starts[ring + 1] ?? xy.length / 2;
    for (let n = starts[ring]!; n + 1 < end; n++) {
      const [ax, ay, bx, by] = [xy[2 * n]!, xy[2 * n + 1]!, xy[2 * n + 2]!, xy[2 * n + 3]!];
      if (ay > y !== by > y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
  }
  return crossings.sort((a, b) => a - b);
}
