import { crosses } from './covers.ts';
import { orient } from './orient.ts';

type Ring = readonly number[];

export type PolygonFault = 'crossing' | 'hole-outside' | 'nested';

/** `polygons`: each a shell, then its holes. Tests every pair of edges. */
export function polygonFault(polygons: readonly (readonly Ring[])[]): PolygonFault | null {
  const edges = polygons.flat().flatMap(edgesOfRing);
  for (const [n, one] of edges.entries()) {
    for (let m = n + 1; m < edges.length; m++) {
      if (areCrossing(one, edges[m]!)) return 'crossing';
    }
  }
  for (const [n, [shell = [], ...holes]] of polygons.entries()) {
    if (holes.some((hole) => !holds([shell], hole))) return 'hole-outside';
    const others = polygons.filter((_, m) => m !== n);
    if (others.some((other) => holds(other, shell))) return 'nested';
  }
  return null;
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

function edgesOfRing(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let n = 0; n + 3 < ring.length; n += 2) {
    edges.push([ring[n]!, ring[n + 1]!, ring[n + 2]!, ring[n + 3]!]);
  }
  return edges;
}

/** Touching is not crossing. */
function areCrossing(one: Edge, other: Edge): boolean {
  const [ax, ay, bx, by] = one;
  const [cx, cy, dx, dy] = other;
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  return (
    sideOf(one, cx, cy) * sideOf(one, dx, dy) < 0 &&
    sideOf(other, ax, ay) * sideOf(other, bx, by) < 0
  );
}

function sideOf([ax, ay, bx, by]: Edge, x: number, y: number): number {
  return Math.sign(orient(new Float64Array([ax, ay, bx, by, x, y])));
}

/** Whether an odd number of `rings` contains the ring, by its first corner off their edges. */
function holds(rings: readonly Ring[], ring: Ring): boolean {
  for (let n = 0; n + 1 < ring.length; n += 2) {
    const [x, y] = [ring[n]!, ring[n + 1]!];
    const crossings = rings
      .flatMap(edgesOfRing)
      .map((edge) => crosses(new Float64Array([...edge, x, y])));
    if (crossings.includes('on')) continue;
    return crossings.filter((crossing) => crossing !== 0).length % 2 === 1;
  }
  return false;
}
