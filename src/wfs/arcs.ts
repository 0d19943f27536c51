/** Chords none farther than a millimetre from their arc (D246). Vertices are x y z, in metres. */
import { GeometryRefused } from './gml-grammar.ts';

const APART_M = 0.001;
const MOST_ADDED = 10_000;
/** Below it coordinates are degrees, in which an arc is not part of a circle. */
const MOST_DEGREES = 360;

type Vertex = readonly [x: number, y: number, z: number];

/** `added` counts new vertices, and those of the geometry before. Throws GeometryRefused. */
export function chordsOf(flat: readonly number[], isCircle: boolean, added: { count: number }) {
  const [first, ...others] = verticesOf(flat);
  if (first === undefined || (isCircle ? others.length !== 2 : others.length % 2 === 1)) {
    throw new GeometryRefused(`arcs of ${flat.length / 3} vertices`);
  }
  if (flat.every((value) => Math.abs(value) <= MOST_DEGREES)) {
    throw new GeometryRefused('arcs in degrees are not read');
  }
  const chords: number[] = [...first];
  let from = first;
  const add = (to: Vertex, centre: Centre | null): void => {
    const between = centre === null ? [] : onArc(from, to, centre);
    added.count += between.length / 3;
    if (added.count > MOST_ADDED) throw new GeometryRefused('arcs of too many chords');
    for (const value of [...between, ...to]) chords.push(value);
    from = to;
  };
  for (let n = 0; n < others.length; n += 2) {
    const [through = first, to = first] = others.slice(n, n + 2);
    const centre = centreOf(from, through, to);
    if (isCircle && centre === null) throw new GeometryRefused('a circle on one line');
    for (const next of isCircle ? [through, to, first] : [through, to]) add(next, centre);
  }
  if (isCircle) added.count += 1;
  return chords;
}

function verticesOf(flat: readonly number[]): readonly Vertex[] {
  return Array.from({ length: flat.length / 3 }, (_, n): Vertex => {
    const [x = 0, y = 0, z = 0] = flat.slice(3 * n, 3 * n + 3);
    return [x, y, z];
  });
}

interface Centre {
  readonly x: number;
  readonly y: number;
  /** 1: counterclockwise. */
  readonly turn: 1 | -1;
}

/**
 * null: they are on one line. An arc that ends where it begins is a whole circle, its second vertex
 * opposite.
 */
function centreOf([x, y]: Vertex, [bx, by]: Vertex, [cx, cy]: Vertex): Centre | null {
  if (cx === x && cy === y) return { x: (x + bx) / 2, y: (y + by) / 2, turn: 1 };
  const [b, c] = [
    [bx - x, by - y],
    [cx - x, cy - y],
  ] as const;
  const twice = 2 * (b[0] * c[1] - b[1] * c[0]);
  if (twice === 0) return null;
  const [bb, cc] = [b[0] ** 2 + b[1] ** 2, c[0] ** 2 + c[1] ** 2];
  return {
    x: x + (c[1] * bb - b[1] * cc) / twice,
    y: y + (b[0] * cc - c[0] * bb) / twice,
    turn: twice > 0 ? 1 : -1,
  };
}

function onArc([ax, ay, z]: Vertex, [bx, by]: Vertex, { x, y, turn }: Centre): number[] {
  const radius = Math.hypot(ax - x, ay - y);
  const start = Math.atan2(ay - y, ax - x);
  const whole = 2 * Math.PI;
  const angle = (turn * (Math.atan2(by - y, bx - x) - start) + whole) % whole;
  const count = Math.ceil(angle / Math.min(Math.PI / 4, Math.sqrt((8 * APART_M) / radius)));
  if (!(count <= MOST_ADDED)) throw new GeometryRefused('arcs of too many chords');
  return Array.from({ length: Math.max(0, count - 1) }, (_, n) => {
    const at = start + (turn * angle * (n + 1)) / count;
    return [x + radius * Math.cos(at), y + radius * Math.sin(at), z];
  }).flat();
}
