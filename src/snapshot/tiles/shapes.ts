/** The part of a feature visible in a tile, as GeoJSON in the map's unit square. */
import type { Box } from '../../geo/box.ts';
import { growingFloats } from '../../geo/growing.ts';
import { toUnitSquareAll } from '../../geo/web-mercator.ts';
import { RING } from '../../geo/wkb.ts';
import { thinInto } from './thin.ts';
import type { ThinOptions } from './thin.ts';

type Position = [number, number];
export type Shape =
  | { readonly type: 'MultiPolygon'; readonly coordinates: Position[][][] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] };

export interface ShapeOptions extends ThinOptions {
  /** Metres per tile unit. */
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

/**
 * Creates shapes of one layer, and counts their vertices. null: the feature cannot be in the tile.
 * A unit is the least size.
 */
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
