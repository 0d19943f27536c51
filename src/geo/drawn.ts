/** Small shapes of questions: every edge is tested. */
import { boundsOfXy } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import { ringsCover } from './covers.ts';
import { geometryDistance } from './distance.ts';
import { orient } from './orient.ts';
import type { PointUtm32 } from './point.ts';
import { RING, RingSink } from './wkb.ts';

/** EPSG:25832, edges included. */
export interface Drawn {
  readonly box: Bounds;
  covers(point: PointUtm32): boolean;
  /** `ST_Intersects` with an area. */
  meets(rings: RingSink): boolean;
}

export function circleAround(center: PointUtm32, radiusM: number): Drawn {
  const { xUtm32: x, yUtm32: y } = center;
  return {
    box: [x - radiusM, y - radiusM, x + radiusM, y + radiusM],
    covers: (point) => Math.hypot(point.xUtm32 - x, point.yUtm32 - y) <= radiusM,
    meets: (rings) => geometryDistance(rings, center) <= radiusM,
  };
}

/** Limit of the pairs of coordinates compared. */
const COMPARED = 400_000_000;

export function polygonOfRings(
  rings: readonly (readonly PointUtm32[])[],
  tooMany: () => Error,
): Drawn {
  const sink = new RingSink();
  for (const [i, ring] of rings.entries()) {
    sink.addRing(i === 0 ? RING.shell : RING.hole);
    for (const { xUtm32, yUtm32 } of ring) sink.xy.append([xUtm32, yUtm32]);
  }
  let left = COMPARED / sink.xy.length;
  return {
    box: boundsOfXy(sink.xy.view()),
    covers: (point) => ringsCover(sink, point),
    meets: (other) => {
      left -= other.xy.length;
      if (left < 0) throw tooMany();
      return hasVertexIn(sink, other) || hasVertexIn(other, sink) || edgesCross(sink, other);
    },
  };
}

function hasVertexIn(outer: RingSink, { xy, starts }: RingSink): boolean {
  const numbers = xy.view();
  return starts.view().some((from) => {
    const point = { xUtm32: numbers[2 * from]!, yUtm32: numbers[2 * from + 1]! };
    return ringsCover(outer, point);
  });
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

function* edgesOf({ xy, starts }: RingSink): Generator<Edge> {
  const [numbers, froms] = [xy.view(), starts.view()];
  for (const [ring, from] of froms.entries()) {
    const end = froms[ring + 1] ?? numbers.length / 2;
    for (let n = from; n + 1 < end; n++) {
      yield [numbers[2 * n]!, numbers[2 * n + 1]!, numbers[2 * n + 2]!, numbers[2 * n + 3]!];
    }
  }
}

function edgesCross(a: RingSink, b: RingSink): boolean {
  const others = [...edgesOf(b)];
  for (const edge of edgesOf(a)) {
    if (others.some((other) => cross(edge, other))) return true;
  }
  return false;
}

function cross(p: Edge, q: Edge): boolean {
  if (Math.max(p[0], p[2]) < Math.min(q[0], q[2])) return false;
  if (Math.max(q[0], q[2]) < Math.min(p[0], p[2])) return false;
  if (Math.max(p[1], p[3]) < Math.min(q[1], q[3])) return false;
  if (Math.max(q[1], q[3]) < Math.min(p[1], p[3])) return false;
  const side = ([ax, ay, bx, by]: Edge, x: number, y: number): number =>
    Math.sign(orient(new Float64Array([ax, ay, bx, by, x, y])));
  const isApart = (line: Edge, other: Edge): boolean =>
    side(line, other[0], other[1]) * side(line, other[2], other[3]) > 0;
  return !isApart(p, q) && !isApart(q, p);
}

export type Position = readonly number[];
export type Polygon = readonly (readonly Position[])[];

export function isListOf<T>(
  value: unknown,
  is: (each: unknown) => each is T,
): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

export function isPolygon(value: unknown): value is Polygon {
  return isListOf(value, isRing) && value.length > 0;
}

function isRing(value: unknown): value is readonly Position[] {
  if (!isListOf(value, isPosition) || value.length < 4) return false;
  const [first, last] = [value[0], value.at(-1)];
  return first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every(Number.isFinite);
}
