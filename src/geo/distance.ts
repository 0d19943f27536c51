import { ringsCover } from './covers.ts';
import type { PointUtm32 } from './point.ts';
import { edgeDistance } from './segment.ts';
import type { RingSink } from './wkb.ts';

/** Metres, 0 inside an area: as `ST_Distance`. */
export function geometryDistance(rings: RingSink, point: PointUtm32): number {
  if (ringsCover(rings, point)) return 0;
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  const at = { px: point.xUtm32, py: point.yUtm32 };
  let nearest = Infinity;
  for (const [ring, from] of starts.entries()) {
    const end = starts[ring + 1] ?? xy.length / 2;
    // A ring of one vertex is a point.
    if (end - from === 1) {
      const [dx, dy] = [at.px - xy[2 * from]!, at.py - xy[2 * from + 1]!];
      nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy));
    }
    for (let n = from; n + 1 < end; n++) nearest = Math.min(nearest, edgeDistance(xy, n, at));
  }
  return nearest;
}
