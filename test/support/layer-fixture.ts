/**
 * Invented layers for the engines' tests, and the plainest possible answers about them: every edge
 * of every feature is looked at, nothing is indexed.
 */
import { edgeDistance } from '../../src/geo/segment.ts';
import { orient } from '../../src/geo/orient.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { multiLineWkb } from './multi-line.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import type { LayerSnapshot } from '../../src/snapshot/layer.ts';

/** A ring or line: x, y, x, y … in metres. */
type Path = readonly number[];

export interface Shape {
  readonly id: string;
  readonly repealed?: boolean;
  readonly adopted?: boolean;
  /** Polygons (shell, holes …) of an area; each lone path one line of a line feature. */
  readonly polygons?: readonly (readonly Path[])[];
  readonly lines?: readonly Path[];
}

/** A closed ring around a point, star-shaped, with coordinates rounded to centimetres. */
export function star(
  centre: PointUtm32,
  options: {
    readonly radiusM: number;
    readonly corners: number;
    readonly random: () => number;
  },
): Path {
  const { radiusM, corners, random } = options;
  const ring: number[] = [];
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * i) / corners;
    const length = radiusM * (0.4 + 0.6 * random());
    ring.push(
      Math.round((centre.xUtm32 + length * Math.cos(angle)) / 0.01) * 0.01,
      Math.round((centre.yUtm32 + length * Math.sin(angle)) / 0.01) * 0.01,
    );
  }
  return [...ring, ring[0]!, ring[1]!];
}

/** A closed rectangle. */
export function box(x: number, y: number, width: number, height = width): Path {
  return [x, y, x + width, y, x + width, y + height, x, y + height, x, y];
}

/** Edges that only one shape in force has: the dissolved zone of shapes that share whole edges. */
export function zoneEdgesOf(shapes: readonly Shape[]): Path[] {
  const edges = new Map<string, { path: Path; times: number }>();
  const inForce = shapes.filter(({ repealed }) => repealed !== true);
  for (const path of inForce.flatMap(pathsOf).flatMap(edgesOf)) {
    const ends = [path.slice(0, 2).join(), path.slice(2).join()].sort();
    if (ends[0] === ends[1]) continue;
    const known = edges.get(ends.join(';')) ?? { path, times: 0 };
    known.times += 1;
    edges.set(ends.join(';'), known);
  }
  return [...edges.values()].filter(({ times }) => times % 2 === 1).map(({ path }) => path);
}

function edgesOf(ring: Path): Path[] {
  const edges: Path[] = [];
  for (let i = 0; i + 3 < ring.length; i += 2) edges.push(ring.slice(i, i + 4));
  return edges;
}

/** Encodes and opens a layer. Zone edges default to `zoneEdgesOf`. */
export function layerOf(
  shapes: readonly Shape[],
  options: { readonly zoneEdges?: readonly Path[]; readonly cellM?: number } = {},
): LayerSnapshot {
  const geometry = shapes.some(({ lines }) => lines !== undefined) ? 'line' : 'area';
  const { cellM } = options;
  const builder = new LayerSnapshotBuilder({
    layer: geometry === 'line' ? 'dige' : 'natur',
    geometry,
    version: 7,
    ...(cellM === undefined ? {} : { cellM }),
  });
  for (const shape of shapes) {
    builder.add({
      key: `key-${shape.id}`,
      objectId: shape.id,
      standing: shape.repealed === true ? 'repealed' : 'in_force',
      adopted: shape.adopted === true,
      attributes: JSON.stringify({ name: `Named ${shape.id}`, statusCode: null }),
      wkb: shape.lines ? multiLineWkb(shape.lines) : multiPolygonWkb(shape.polygons ?? []),
      areaM2: geometry === 'line' ? null : 1,
    });
  }
  if (geometry === 'area') {
    builder.withZones();
    for (const edge of options.zoneEdges ?? zoneEdgesOf(shapes)) builder.addZoneEdge(lineWkb(edge));
  }
  return openLayerSnapshot(builder.finish());
}

export interface PlainAnswer {
  readonly within: boolean;
  readonly uncertain: boolean;
  readonly distanceM: number | null;
  readonly count: number;
  readonly hit: string | null;
  readonly repealed: readonly { readonly id: string; readonly distanceM: number }[];
}

/** The building-line answer by D23 to D31, looking at everything. */
export function plainAnswer(
  shapes: readonly Shape[],
  point: PointUtm32,
  options: { readonly radiusM: number; readonly zoneEdges?: readonly Path[] },
): PlainAnswer {
  const zoneEdges = options.zoneEdges ?? zoneEdgesOf(shapes);
  const isLine = shapes.some(({ lines }) => lines !== undefined);
  const near = shapes
    .map((shape) => {
      const edgeM = pathsDistance(pathsOf(shape), point);
      const inside = !isLine && (edgeM === 0 || holds(shape, point));
      return {
        shape,
        inside,
        edgeM,
        distanceM: inside ? 0 : edgeM,
        signedM: inside ? -edgeM : edgeM,
      };
    })
    .filter(({ distanceM }) => distanceM <= options.radiusM);
  const inForce = near.filter(({ shape }) => shape.repealed !== true);
  const at = inForce.filter(({ inside, edgeM }) => (isLine ? edgeM <= 2 : inside));
  const byHit = [...at].sort(
    (a, b) =>
      Number(b.shape.adopted === true) - Number(a.shape.adopted === true) ||
      a.signedM - b.signedM ||
      (a.shape.id < b.shape.id ? -1 : 1),
  );
  const nearestM = Math.min(...inForce.map(({ distanceM }) => distanceM));
  const distanceM = at.length > 0 && !isLine ? -pathsDistance(zoneEdges, point) : nearestM;
  return {
    within: at.length > 0,
    uncertain: at.length > 0 && at.every(({ shape }) => shape.adopted !== true),
    distanceM: inForce.length === 0 ? null : distanceM + 0,
    count: inForce.length,
    hit: byHit[0]?.shape.id ?? null,
    repealed: near
      .filter(({ shape }) => shape.repealed === true)
      .map(({ shape, signedM }) => ({ id: shape.id, distanceM: signedM + 0 }))
      .sort((a, b) => a.distanceM - b.distanceM || (a.id < b.id ? -1 : 1))
      .slice(0, 20),
  };
}

export function pathsOf(shape: Shape): readonly Path[] {
  return shape.lines ?? (shape.polygons ?? []).flat();
}

export function pathsDistance(paths: readonly Path[], { xUtm32, yUtm32 }: PointUtm32): number {
  const point = { px: xUtm32, py: yUtm32 };
  let best = Infinity;
  for (const path of paths) {
    const xy = flat(path);
    for (let edge = 0; 2 * edge + 3 < xy.length; edge++) {
      best = Math.min(best, edgeDistance(xy, edge, point));
    }
  }
  return best;
}

const flattened = new WeakMap<Path, Float64Array>();

function flat(path: Path): Float64Array {
  const known = flattened.get(path) ?? Float64Array.from(path);
  flattened.set(path, known);
  return known;
}

/** Even-odd over all rings, the boundary included, by exact orientation. */
export function holds(shape: Shape, { xUtm32, yUtm32 }: PointUtm32): boolean {
  let inside = false;
  const q = new Float64Array(6);
  q[4] = xUtm32;
  q[5] = yUtm32;
  for (const ring of (shape.polygons ?? []).flat()) {
    const xy = flat(ring);
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [xy[i]!, xy[i + 1]!, xy[i + 2]!, xy[i + 3]!];
      for (let j = 0; j < 4; j++) q[j] = xy[i + j]!;
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
