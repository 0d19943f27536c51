/** Invented rings, and the plainest possible answers about them: every edge is looked at, nothing is indexed. */
import { edgeDistance } from '../../src/geo/segment.ts';
import { orient } from '../../src/geo/orient.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';

/** A ring or line: x, y, x, y … in metres. */
type Path = readonly number[];

export const positionsOf = (path: Path): [number, number][] =>
  path.flatMap((x, i): [number, number][] => (i % 2 === 0 ? [[x, path[i + 1]!]] : []));

/** A closed ring around a point, star-shaped, with coordinates rounded to centimetres. `least`: of the radius. */
export function star(
  centre: PointUtm32,
  options: {
    readonly radiusM: number;
    readonly corners: number;
    readonly random: () => number;
    readonly least?: number;
  },
): Path {
  const { radiusM, corners, random, least = 0.4 } = options;
  const ring: number[] = [];
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * i) / corners;
    const length = radiusM * (least + (1 - least) * random());
    ring.push(
      Math.round((centre.xUtm32 + length * Math.cos(angle)) / 0.01) * 0.01,
      Math.round((centre.yUtm32 + length * Math.sin(angle)) / 0.01) * 0.01,
    );
  }
  return [...ring, ring[0]!, ring[1]!];
}

export function box(x: number, y: number, width: number, height = width): Path {
  return [x, y, x + width, y, x + width, y + height, x, y + height, x, y];
}

export function bowTie(x: number, y: number, width: number, height = width): Path {
  return [x, y, x + width, y + height, x + width, y, x, y + height, x, y];
}

export function pathsDistance(paths: readonly Path[], { xUtm32, yUtm32 }: PointUtm32): number {
  const point = { px: xUtm32, py: yUtm32 };
  let best = Infinity;
  for (const path of paths) {
    const xy = Float64Array.from(path);
    for (let edge = 0; 2 * edge + 3 < xy.length; edge++) {
      best = Math.min(best, edgeDistance(xy, edge, point));
    }
  }
  return best;
}

/** Even-odd over all rings, the boundary included, by exact orientation. */
export function holds(rings: readonly Path[], { xUtm32, yUtm32 }: PointUtm32): boolean {
  let inside = false;
  const q = new Float64Array(6);
  q[4] = xUtm32;
  q[5] = yUtm32;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
      for (let j = 0; j < 4; j++) q[j] = ring[i + j]!;
      const side = orient(q);
      const inBox =
        xUtm32 >= Math.min(ax, bx) &&
        xUtm32 <= Math.max(ax, bx) &&
        yUtm32 >= Math.min(ay, by) &&
        yUtm32 <= Math.max(ay, by);
      if (side === 0 && inBox) return true;
      if (ay > yUtm32 !== by > yUtm32 && side > 0 === by > ay) inside = !inside;
    }
  }
  return inside;
}
