/** `ST_Covers`, boundary included, by a test of every edge: for single questions. */
import { orient } from './orient.ts';
import type { PointUtm32 } from './point.ts';
import { RING, ringsOfWkb } from './wkb.ts';
import type { RingSink } from './wkb.ts';

/** `wkb`: polygons in EPSG:25832. Throws on anything else. */
export function wkbCovers(wkb: Uint8Array, point: PointUtm32): boolean {
  const rings = ringsOfWkb(wkb);
  if (rings.kinds.view().some((kind) => !isOfArea(kind))) {
    throw new Error('An area is made of polygons.');
  }
  return ringsCover(rings, point);
}

function isOfArea(kind: number | undefined): boolean {
  return kind === RING.shell || kind === RING.hole;
}

/** By structure (D144, repair.ts); points and lines cover nothing. */
export function ringsCover(rings: RingSink, { xUtm32: x, yUtm32: y }: PointUtm32): boolean {
  // Making a view of a small list takes longer than searching most parcels.
  const { items: xy, length } = rings.xy;
  const { items: starts } = rings.starts;
  const { items: kinds, length: count } = rings.kinds;
  const q = new Float64Array([0, 0, 0, 0, x, y]);
  let covered = false;
  for (let ring = 0; ring < count; ring++) {
    if (!isOfArea(kinds[ring])) continue;
    const isShell = kinds[ring] === RING.shell;
    if (isShell && covered) return true;
    // The part of a hole outside its shell is neither area nor edge (D155).
    if (!isShell && !covered) continue;
    const end = ring + 1 < count ? starts[ring + 1]! : length / 2;
    let turns = 0;
    let isOn = false;
    for (let n = starts[ring]!; n + 1 < end && !isOn; n++) {
      const ay = xy[2 * n + 1]!;
      const by = xy[2 * n + 3]!;
      if ((ay < y && by < y) || (ay > y && by > y)) continue;
      q[0] = xy[2 * n]!;
      q[1] = ay;
      q[2] = xy[2 * n + 2]!;
      q[3] = by;
      const crossing = crosses(q);
      if (crossing === 'on') isOn = true;
      else turns += crossing;
    }
    covered = isOn || isShell === (turns !== 0);
  }
  return covered;
}

/**
 * 'on': the point is on the edge. 1 or -1: its eastward ray crosses an edge that runs north or
 * south (half-open in y, so a vertex counts once). Else 0.
 */
export function crosses(q: Float64Array): 'on' | -1 | 0 | 1 {
  const { 0: ax = 0, 1: ay = 0, 2: bx = 0, 3: by = 0, 4: x = 0, 5: y = 0 } = q;
  if (y < Math.min(ay, by) || y > Math.max(ay, by) || x > Math.max(ax, bx)) return 0;
  const side = orient(q);
  if (side === 0 && x >= Math.min(ax, bx)) return 'on';
  if (ay > y === by > y || by > ay !== side > 0) return 0;
  return by > ay ? 1 : -1;
}
