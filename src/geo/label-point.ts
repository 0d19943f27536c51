import { crossingsAt } from './inner-point.ts';
import type { FlatRings } from './inner-point.ts';
import { signedRingArea } from './ring-area.ts';

const LINES = 15;

/** Within the widest stretch of rings `from` to `until` (exclusive); null: no area. */
export function labelPoint(
  rings: FlatRings,
  from: number,
  until: number,
): readonly [x: number, y: number] | null {
  const sides = sidesOfLargest(rings, from, until);
  if (sides === null) return null;
  const [south, north] = sides;
  let best = { width: 0, x: 0, y: 0 };
  for (let line = 0; line < LINES; line++) {
    const y = south + ((north - south) * (line + 0.5)) / LINES;
    const crossed = crossingsAt(rings, y, [from, until]);
    for (let n = 0; n + 1 < crossed.length; n += 2) {
      const [west = 0, east = 0] = [crossed[n], crossed[n + 1]];
      if (east - west > best.width) best = { width: east - west, x: (west + east) / 2, y };
    }
  }
  return best.width === 0 ? null : [best.x, best.y];
}

function sidesOfLargest(
  { xy, starts }: FlatRings,
  from: number,
  until: number,
): readonly [number, number] | null {
  let [largest, area] = [-1, 0];
  for (let ring = from; ring < until; ring++) {
    const size = Math.abs(signedRingArea(xy, starts[ring]!, starts[ring + 1]!));
    if (size > area) [largest, area] = [ring, size];
  }
  if (largest < 0) return null;
  let [south, north] = [Infinity, -Infinity];
  for (let n = starts[largest]!; n < starts[largest + 1]!; n++) {
    south = Math.min(south, xy[2 * n + 1]!);
    north = Math.max(north, xy[2 * n + 1]!);
  }
  return [south, north];
}
