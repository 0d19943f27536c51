/**
 * What of a ring or a line a tile can show: without what lies beyond one of its sides, and without
 * vertices nearer to the one before than a step that nobody sees. Before anything is projected, because
 * a region at 1:10,000 has a million vertices and a tile shows some hundred of them.
 */
import type { Box } from '../../geo/box.ts';
import type { Growing } from '../../geo/growing.ts';

export interface ThinOptions {
  /** Of the tile and what is drawn around it. */
  readonly box: Box;
  /** Metres. */
  readonly stepM: number;
}

/** A stretch of vertices: those of one ring, from the first until past the last. */
export interface Vertices {
  readonly xy: Float64Array;
  readonly from: number;
  readonly until: number;
}

/**
 * Appends what is left of a ring or a line to `target`, its first and last vertex always, and returns how
 * many vertices that is; 0: all of it lies beyond one side. Within the box the geometry moves by less
 * than a step: a vertex beyond the side that both its neighbours lie beyond is left out with the triangle
 * of the three, which is beyond it, too.
 */
export function thinInto(
  target: Growing<Float64Array>,
  { xy, from, until }: Vertices,
  { box, stepM }: ThinOptions,
): number {
  const begin = target.length;
  const last = until - 1;
  const square = stepM * stepM;
  let keptX = xy[2 * from]!;
  let keptY = xy[2 * from + 1]!;
  let keptSides = sidesOf(keptX, keptY, box);
  let common = keptSides;
  target.push(keptX);
  target.push(keptY);
  for (let vertex = from + 1; vertex <= last; vertex++) {
    const x = xy[2 * vertex]!;
    const y = xy[2 * vertex + 1]!;
    const sides = sidesOf(x, y, box);
    common &= sides;
    if (vertex < last) {
      const dx = x - keptX;
      const dy = y - keptY;
      if (dx * dx + dy * dy < square) continue;
      const both = keptSides & sides;
      if (both !== 0 && (both & sidesOf(xy[2 * vertex + 2]!, xy[2 * vertex + 3]!, box)) !== 0)
        continue;
    }
    target.push(x);
    target.push(y);
    keptX = x;
    keptY = y;
    keptSides = sides;
  }
  if (common === 0) return (target.length - begin) / 2;
  target.length = begin;
  return 0;
}

/** A bit for each side of the box that a point lies beyond. */
function sidesOf(x: number, y: number, { minX, minY, maxX, maxY }: Box): number {
  return (x < minX ? 1 : x > maxX ? 2 : 0) | (y < minY ? 4 : y > maxY ? 8 : 0);
}
