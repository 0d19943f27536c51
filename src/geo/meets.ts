/** Whether two areas share a point, edges included (`ST_Intersects`): tests every edge, so for small ones. */
import { ringsCover } from './covers.ts';
import { orient } from './orient.ts';
import type { RingSink } from './wkb.ts';

export function ringsMeet(a: RingSink, b: RingSink): boolean {
  return hasVertexIn(a, b) || hasVertexIn(b, a) || edgesCross(a, b);
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
