/** The least distance between a run of edges and those of a window, squared. */
import type { SweptWindow } from './sweep.ts';

/** ax, ay, bx, by of one edge, then of the other. */
const pair = new Float64Array(8);

/** `limit` where none is nearer; 0 where edges cross. */
export function leastSquareBetween(
  xy: Float64Array,
  { start, count }: { readonly start: number; readonly count: number },
  { west, south, width, height, edges }: SweptWindow,
  limit: number,
): number {
  let best = limit;
  for (let at = 2 * start; at < 2 * (start + count); at += 2) {
    for (let n = 0; n < 4; n++) pair[n] = xy[at + n]!;
    // Edges of the area may begin outside the window, and are nearer there only to edges of other windows.
    if (boxSquare(west, south, west + width, south + height) >= best) continue;
    for (let edge = 0; edge < edges.length && best > 0; edge += 4) {
      const px = edges[edge]!;
      const py = edges[edge + 1]!;
      const qx = edges[edge + 2]!;
      const qy = edges[edge + 3]!;
      if (boxSquare(px, py, qx, qy) >= best) continue;
      pair[4] = px;
      pair[5] = py;
      pair[6] = qx;
      pair[7] = qy;
      best = Math.min(best, squareBetween());
    }
  }
  return best;
}

/** From the box of the one edge to that of these corners. */
function boxSquare(px: number, py: number, qx: number, qy: number): number {
  const x = gap(pair[0]!, pair[2]!, px, qx);
  const y = gap(pair[1]!, pair[3]!, py, qy);
  return x * x + y * y;
}

function gap(a: number, b: number, p: number, q: number): number {
  const after = Math.min(a, b) - Math.max(p, q);
  return after > 0 ? after : Math.max(0, Math.min(p, q) - Math.max(a, b));
}

function squareBetween(): number {
  if (areSides(0, 4) && areSides(4, 0)) return 0;
  return Math.min(squareTo(0, 4), squareTo(2, 4), squareTo(4, 0), squareTo(6, 0));
}

/** Whether the ends of the edge from `one` on are on both sides of the other. */
function areSides(one: number, other: number): boolean {
  const x = pair[other]!;
  const y = pair[other + 1]!;
  const dx = pair[other + 2]! - x;
  const dy = pair[other + 3]! - y;
  const a = dx * (pair[one + 1]! - y) - dy * (pair[one]! - x);
  const b = dx * (pair[one + 3]! - y) - dy * (pair[one + 2]! - x);
  return a * b < 0;
}

/** From a place to an edge. */
function squareTo(place: number, edge: number): number {
  const x = pair[place]! - pair[edge]!;
  const y = pair[place + 1]! - pair[edge + 1]!;
  const dx = pair[edge + 2]! - pair[edge]!;
  const dy = pair[edge + 3]! - pair[edge + 1]!;
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : (x * dx + y * dy) / square;
  const at = Math.min(1, Math.max(0, along));
  const offX = x - at * dx;
  const offY = y - at * dy;
  return offX * offX + offY * offY;
}
