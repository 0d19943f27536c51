/** Whether every polygon is one ring that meets itself nowhere, and so is sound: most parcels are, and JTS takes longer. */
import { orient } from '../../../geo/orient.ts';
import { RING } from '../../../geo/wkb.ts';
import type { RingSink } from '../../../geo/wkb.ts';

/** Every pair of edges is tested: a larger ring is left to others. */
const MOST_EDGES = 100;
const six = new Float64Array(6);

/** false: unknown. */
export function areSimple({ xy, starts, kinds }: RingSink): boolean {
  for (let ring = 0; ring < kinds.length; ring++) {
    const from = starts.items[ring]!;
    const end = ring + 1 < starts.length ? starts.items[ring + 1]! : xy.length / 2;
    if (kinds.items[ring] !== RING.shell || end - from < 4 || end - from > MOST_EDGES) return false;
    if (!isSimple(xy.items, from, end - 1)) return false;
  }
  return true;
}

/** `last`: the vertex that repeats the first. */
function isSimple(xy: Float64Array, from: number, last: number): boolean {
  for (let one = from; one < last; one++) {
    const next = one + 2 > last ? from + 1 : one + 2;
    // An edge that is none, or runs back along the one before.
    if (sideOf(xy, one, next) === 0 && !isAhead(xy, one, next)) return false;
    for (let other = one + 2; other < last; other++) {
      if (one === from && other === last - 1) continue;
      if (meet(xy, one, other)) return false;
    }
  }
  return true;
}

/** Of an edge, by its first vertex, the side that a vertex is on. */
function sideOf(xy: Float64Array, edge: number, vertex: number): number {
  six.set(xy.subarray(2 * edge, 2 * edge + 4));
  six[4] = xy[2 * vertex]!;
  six[5] = xy[2 * vertex + 1]!;
  return orient(six);
}

function isAhead(xy: Float64Array, edge: number, vertex: number): boolean {
  const [ax, ay, bx, by] = [xy[2 * edge]!, xy[2 * edge + 1]!, xy[2 * edge + 2]!, xy[2 * edge + 3]!];
  return (bx - ax) * (xy[2 * vertex]! - bx) + (by - ay) * (xy[2 * vertex + 1]! - by) > 0;
}

function meet(xy: Float64Array, one: number, other: number): boolean {
  for (const axis of [0, 1]) {
    const [a, b] = [xy[2 * one + axis]!, xy[2 * one + 2 + axis]!];
    const [p, q] = [xy[2 * other + axis]!, xy[2 * other + 2 + axis]!];
    if (Math.max(a, b) < Math.min(p, q) || Math.max(p, q) < Math.min(a, b)) return false;
  }
  return (
    sideOf(xy, one, other) * sideOf(xy, one, other + 1) <= 0 &&
    sideOf(xy, other, one) * sideOf(xy, other, one + 1) <= 0
  );
}
