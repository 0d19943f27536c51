/** The least distance between a run of edges and those of a window, squared. */
import type { Window } from './asked-area.ts';

/** `limit` where none is nearer; 0 where edges cross. */
export function leastSquareBetween(
  xy: Float64Array,
  { start, count }: { readonly start: number; readonly count: number },
  { west, south, width, height, edges }: Window,
  limit: number,
): number {
  let best = limit;
  for (let edge = start; edge < start + count; edge++) {
    const [ax, ay] = [xy[2 * edge]! - west, xy[2 * edge + 1]! - south];
    const [bx, by] = [xy[2 * edge + 2]! - west, xy[2 * edge + 3]! - south];
    const dx = Math.max(0, -Math.max(ax, bx), Math.min(ax, bx) - width);
    const dy = Math.max(0, -Math.max(ay, by), Math.min(ay, by) - height);
    // Edges of the area may begin outside the window, and are nearer there only to edges of other windows.
    if (dx * dx + dy * dy >= best) continue;
    pair[0] = ax;
    pair[1] = ay;
    pair[2] = bx;
    pair[3] = by;
    for (let at = 0; at < edges.length && best > 0; at += 4) {
      pair[4] = edges[at]! - west;
      pair[5] = edges[at + 1]! - south;
      pair[6] = edges[at + 2]! - west;
      pair[7] = edges[at + 3]! - south;
      best = Math.min(best, squareBetween());
    }
  }
  return best;
}

/** ax, ay, bx, by of one edge, then of the other. */
const pair = new Float64Array(8);

function squareBetween(): number {
  if (areSides(0, 4) && areSides(4, 0)) return 0;
  return Math.min(squareTo(0, 4), squareTo(2, 4), squareTo(4, 0), squareTo(6, 0));
}

/** Whether the ends of the edge from `one` on are on both sides of the other. */
function areSides(one: number, other: number): boolean {
  const [x, y] = [pair[other]!, pair[other + 1]!];
  const [dx, dy] = [pair[other + 2]! - x, pair[other + 3]! - y];
  const a = dx * (pair[one + 1]! - y) - dy * (pair[one]! - x);
  const b = dx * (pair[one + 3]! - y) - dy * (pair[one + 2]! - x);
  return a * b < 0;
}

/** From a place to an edge. */
function squareTo(place: number, edge: number): number {
  const [x, y] = [pair[place]! - pair[edge]!, pair[place + 1]! - pair[edge + 1]!];
  const [dx, dy] = [pair[edge + 2]! - pair[edge]!, pair[edge + 3]! - pair[edge + 1]!];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : (x * dx + y * dy) / square;
  const at = Math.min(1, Math.max(0, along));
  const [offX, offY] = [x - at * dx, y - at * dy];
  return offX * offX + offY * offY;
}
