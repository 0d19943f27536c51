import { ORIENT_ERROR, orient } from '../geo/orient.ts';
import { edgeDistance } from '../geo/segment.ts';

/**
 * `covers`: on the edge exactly, as ST_Covers. `distance`: as ST_Distance = 0, which includes
 * points less than a nanometre away.
 */
export type OnEdgeRule = 'covers' | 'distance';

/** Beyond this no rule puts a point on an edge. */
const ON_EDGE_M = 1e-8;

/** Of the kernel moved last: only one is active. */
const point = { px: 0, py: 0 };
const sixNumbers = new Float64Array(6);

export class EdgeKernel {
  readonly #xy: Float64Array;
  readonly #zoneBits: Uint32Array;
  readonly #onEdgeRule: OnEdgeRule;
  /** That improved on the limit of the last `least…` call. */
  nearestEdge = 0;
  #isOnEdge = false;

  constructor(
    { xy, zoneBits }: { readonly xy: Float64Array; readonly zoneBits: Uint32Array },
    onEdgeRule: OnEdgeRule,
  ) {
    this.#xy = xy;
    this.#zoneBits = zoneBits;
    this.#onEdgeRule = onEdgeRule;
  }

  moveTo(px: number, py: number): void {
    point.px = px;
    point.py = py;
  }

  onEdge(): boolean {
    return this.#isOnEdge;
  }

  forgetEdge(): void {
    this.#isOnEdge = false;
  }

  distanceTo(edge: number): number {
    return edgeDistance(this.#xy, edge, point);
  }

  /** Returns `limit` when no edge is nearer. */
  leastSquare(start: number, count: number, limit: number): number {
    const xy = this.#xy;
    const { px, py } = point;
    let best = limit;
    let i = 2 * start;
    let ax = xy[i]! - px;
    let ay = xy[i + 1]! - py;
    if (ax * ax + ay * ay < best) {
      best = ax * ax + ay * ay;
      this.nearestEdge = start;
    }
    for (let edge = start; edge < start + count; edge++) {
      i += 2;
      const bx = xy[i]! - px;
      const by = xy[i + 1]! - py;
      const dx = bx - ax;
      const dy = by - ay;
      const atEnd = bx * bx + by * by;
      if (atEnd < best) {
        best = atEnd;
        this.nearestEdge = edge;
      }
      const along = -(ax * dx + ay * dy);
      const square = dx * dx + dy * dy;
      if (along > 0 && along < square) {
        const cross = ax * dy - ay * dx;
        if (cross * cross < best * square) {
          best = (cross * cross) / square;
          this.nearestEdge = edge;
        }
      }
      ax = bx;
      ay = by;
    }
    return best;
  }

  leastZoneSquare(start: number, count: number, limit: number): number {
    const end = start + count;
    let best = limit;
    let from = start;
    while (from < end) {
      while (from < end && !this.#isZoneEdge(from)) from += 1;
      let to = from;
      while (to < end && this.#isZoneEdge(to)) to += 1;
      if (to > from) best = this.leastSquare(from, to - from, best);
      from = to;
    }
    return best;
  }

  #isZoneEdge(edge: number): boolean {
    return ((this.#zoneBits[edge >>> 5]! >>> (edge & 31)) & 1) === 1;
  }

  /**
   * Squares decide, except within TOLERANCE_M of the radius, where the distance is computed as
   * PostGIS does.
   */
  reaches(start: number, count: number, radius: number): boolean {
    const surely = (radius - TOLERANCE_M) * (radius - TOLERANCE_M);
    const possibly = (radius + TOLERANCE_M) * (radius + TOLERANCE_M);
    const end = start + count;
    for (let from = start; from < end; from += STRIDE) {
      const to = Math.min(end, from + STRIDE);
      const square = this.leastSquare(from, to - from, possibly);
      if (square < surely) return true;
      if (square >= possibly) continue;
      for (let edge = from; edge < to; edge++) if (this.distanceTo(edge) <= radius) return true;
    }
    return false;
  }

  /**
   * Of the path from the cell's centre to the point. Exact; vertices on the path count to one side.
   */
  crossings(start: number, count: number, at: Float64Array): number {
    let crossed = 0;
    let wasLeft = this.#isLeftOfPath(start, at);
    for (let edge = start; edge < start + count; edge++) {
      const isLeft = this.#isLeftOfPath(edge + 1, at);
      if (this.#isAlong(edge) && this.#holdsPoint(edge)) this.#isOnEdge = true;
      if (isLeft !== wasLeft && this.#separates(edge, at)) crossed ^= 1;
      wasLeft = isLeft;
    }
    return crossed;
  }

  ringParity(start: number, end: number): number {
    const xy = this.#xy;
    const { px, py } = point;
    let inside = 0;
    for (let edge = start; edge + 1 < end; edge++) {
      const ay = xy[2 * edge + 1]!;
      const by = xy[2 * edge + 3]!;
      if (this.#isAlong(edge) && this.#holdsPoint(edge)) this.#isOnEdge = true;
      if (ay > py === by > py) continue;
      if (this.#sideOf(edge, px, py) > 0 === by > ay) inside ^= 1;
    }
    return inside;
  }

  #isAlong(edge: number): boolean {
    const { px, py } = point;
    const ax = this.#xy[2 * edge]! - px;
    const bx = this.#xy[2 * edge + 2]! - px;
    if ((ax > ON_EDGE_M && bx > ON_EDGE_M) || (ax < -ON_EDGE_M && bx < -ON_EDGE_M)) return false;
    const ay = this.#xy[2 * edge + 1]! - py;
    const by = this.#xy[2 * edge + 3]! - py;
    return !((ay > ON_EDGE_M && by > ON_EDGE_M) || (ay < -ON_EDGE_M && by < -ON_EDGE_M));
  }

  #holdsPoint(edge: number): boolean {
    if (this.#onEdgeRule === 'distance') return this.distanceTo(edge) === 0;
    const xy = this.#xy;
    const { px, py } = point;
    const ax = xy[2 * edge]!;
    const ay = xy[2 * edge + 1]!;
    const bx = xy[2 * edge + 2]!;
    const by = xy[2 * edge + 3]!;
    const inBox = (ax - px) * (bx - px) <= 0 && (ay - py) * (by - py) <= 0;
    return inBox && (px - ax) * (by - ay) === (bx - ax) * (py - ay);
  }

  #isLeftOfPath(vertex: number, at: Float64Array): boolean {
    const pathX = at[0]! - at[2]!;
    const pathY = at[1]! - at[3]!;
    const left = pathX * (this.#xy[2 * vertex + 1]! - at[3]!);
    const right = pathY * (this.#xy[2 * vertex]! - at[2]!);
    const determinant = left - right;
    const bound = ORIENT_ERROR * (Math.abs(left) + Math.abs(right));
    if (determinant > bound) return true;
    if (determinant < -bound || (pathX === 0 && pathY === 0)) return false;
    const q = sixNumbers;
    q[0] = at[2]!;
    q[1] = at[3]!;
    q[2] = at[0]!;
    q[3] = at[1]!;
    q[4] = this.#xy[2 * vertex]!;
    q[5] = this.#xy[2 * vertex + 1]!;
    return orient(q) > 0;
  }

  #separates(edge: number, at: Float64Array): boolean {
    return this.#sideOf(edge, at[0]!, at[1]!) > 0 !== this.#sideOf(edge, at[2]!, at[3]!) > 0;
  }

  #sideOf(edge: number, x: number, y: number): number {
    const q = sixNumbers;
    q[0] = this.#xy[2 * edge]!;
    q[1] = this.#xy[2 * edge + 1]!;
    q[2] = this.#xy[2 * edge + 2]!;
    q[3] = this.#xy[2 * edge + 3]!;
    q[4] = x;
    q[5] = y;
    return orient(q);
  }
}

/** Squares and PostGIS' rounded feet differ by far less. */
const TOLERANCE_M = 1e-7;

/** Between two checks for an early stop. */
const STRIDE = 8;
