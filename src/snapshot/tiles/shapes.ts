/** Features of a tile as GeoJSON in the map's unit square. */
import type { Box } from '../../geo/box.ts';
import { growingFloats } from '../../geo/growing.ts';
import { toUnitSquareAll } from '../../geo/web-mercator.ts';
import { RING } from '../../geo/wkb.ts';
import type { Growing } from '../../geo/growing.ts';

type Position = [number, number];
export type Shape =
  | { readonly type: 'MultiPolygon'; readonly coordinates: Position[][][] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] };

export interface ShapeOptions extends ThinOptions {
  readonly unitM: number;
}

export interface Outlines {
  readonly meta: {
    readonly layer: string;
    readonly geometry: 'area' | 'line';
    readonly featureCount: number;
  };
  readonly xy: Float64Array;
  /** First vertex of each ring, and the end. */
  readonly ringStarts: Uint32Array;
  readonly ringKinds: Uint8Array;
  /** First ring of each feature, and the end. */
  readonly featureRings: Uint32Array;
}

/** A closed ring of fewer vertices has no area. */
const RING_VERTICES = 4;

/** null: the feature cannot be in the tile. A unit is the least size. */
export class Shapes {
  vertices = 0;
  readonly #outlines: Outlines;
  readonly #options: ShapeOptions;
  readonly #xy = growingFloats();

  constructor(outlines: Outlines, options: ShapeOptions) {
    this.#outlines = outlines;
    this.#options = options;
  }

  of(feature: number, box: Box): Shape | null {
    const { unitM } = this.#options;
    if (box.maxX - box.minX < unitM && box.maxY - box.minY < unitM) return this.#dot(box);
    const { featureRings, meta } = this.#outlines;
    const first = featureRings[feature]!;
    const end = featureRings[feature + 1]!;
    return meta.geometry === 'line' ? this.#lines(first, end) : this.#areas(first, end, box);
  }

  #lines(first: number, end: number): Shape | null {
    const coordinates: Position[][] = [];
    for (let ring = first; ring < end; ring++) {
      const line = this.#ring(ring);
      if (line.length > 1) coordinates.push(line);
    }
    return coordinates.length === 0 ? null : { type: 'MultiLineString', coordinates };
  }

  #areas(first: number, end: number, box: Box): Shape | null {
    const { ringKinds } = this.#outlines;
    const coordinates: Position[][][] = [];
    let isTouched = false;
    let isShown = false;
    for (let ring = first; ring < end; ring++) {
      const isHole = ringKinds[ring] === RING.hole;
      if (isHole && !isShown) continue;
      const outline = this.#ring(ring);
      if (!isHole) {
        isTouched ||= outline.length > 0;
        isShown = outline.length >= RING_VERTICES;
        if (isShown) coordinates.push([outline]);
      } else if (outline.length >= RING_VERTICES) coordinates.at(-1)?.push(outline);
    }
    if (coordinates.length > 0) return { type: 'MultiPolygon', coordinates };
    // Thinner than the step everywhere.
    return isTouched ? this.#dot(box) : null;
  }

  #ring(ring: number): Position[] {
    const { xy, ringStarts } = this.#outlines;
    const from = ringStarts[ring]!;
    const until = ringStarts[ring + 1]!;
    if (from === until) return [];
    this.#xy.length = 0;
    thinInto(this.#xy, { xy, from, until }, this.#options);
    return this.#positions();
  }

  #positions(): Position[] {
    const flat = this.#xy.view();
    toUnitSquareAll(flat, flat);
    const positions: Position[] = [];
    for (let i = 0; i < flat.length; i += 2) positions.push([flat[i]!, flat[i + 1]!]);
    this.vertices += positions.length;
    return positions;
  }

  #dot({ minX, minY, maxX, maxY }: Box): Shape {
    const half = this.#options.unitM / 2;
    const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
    const isLine = this.#outlines.meta.geometry === 'line';
    const west = x - half;
    const east = x + half;
    const corners = isLine
      ? [west, y, east, y]
      : [west, y - half, east, y - half, east, y + half, west, y + half, west, y - half];
    this.#xy.length = 0;
    this.#xy.append(corners);
    const positions = this.#positions();
    return isLine
      ? { type: 'MultiLineString', coordinates: [positions] }
      : { type: 'MultiPolygon', coordinates: [[positions]] };
  }
}

export interface ThinOptions {
  /** The tile with its margin. */
  readonly box: Box;
  readonly stepM: number;
}

/** `until` is exclusive. */
export interface Vertices {
  readonly xy: Float64Array;
  readonly from: number;
  readonly until: number;
}

/**
 * Returns the vertices added, always with the ends; 0: all lie beyond one side. Within the box the
 * geometry moves by less than a step. Before projecting: a region has a million vertices.
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

function sidesOf(x: number, y: number, { minX, minY, maxX, maxY }: Box): number {
  return (x < minX ? 1 : x > maxX ? 2 : 0) | (y < minY ? 4 : y > maxY ? 8 : 0);
}
