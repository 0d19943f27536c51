/**
 * The part of a ring or line that a tile shows, without invisible steps. Before projecting: a
 * region has a million vertices.
 */
import type { Box } from '../../geo/box.ts';
import type { Growing } from '../../geo/growing.ts';

export interface ThinOptions {
  /** Of the tile and its margin. */
  readonly box: Box;
  /** Metres. */
  readonly stepM: number;
}

/** The vertices of one ring; `until` is exclusive. */
export interface Vertices {
  readonly xy: Float64Array;
  readonly from: number;
  readonly until: number;
}

/**
 * Appends the rest of a ring or line to `target`, always with its ends, and returns the number of
 * vertices; 0: all of it lies beyond one side. Within the box the geometry moves by less than a
 * step. A vertex is dropped whose neighbours are beyond the same side.
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

/** A bit for each side of the box that a point is beyond. */
function sidesOf(x: number, y: number, { minX, minY, maxX, maxY }: Box): number {
  return (x < minX ? 1 : x > maxX ? 2 : 0) | (y < minY ? 4 : y > maxY ? 8 : 0);
}
