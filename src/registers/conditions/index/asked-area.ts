/** Cuts an area into windows that meet few edges and few cells of a layer. */
import { boundsOfXy } from '../../../geo/bounds.ts';
import type { Bounds } from '../../../geo/bounds.ts';
import { RING } from '../../../geo/wkb.ts';
import type { RingSink } from '../../../geo/wkb.ts';
import { Sweep } from './sweep.ts';
import type { SweptWindow } from './sweep.ts';

/** Polygons taken together. Edges: ax, ay, bx, by, metres in EPSG:25832. */
export type AskedArea = ReturnType<typeof askedArea>;

export interface Window extends SweptWindow {
  readonly areaM2: number;
}

/** Larger windows are cut, as are those with more edges unless already small. */
const MOST_SIDE_M = 300;
const MOST_EDGES = 64;
const LEAST_SIDE_M = 2;

/** Registers round to centimetres: no corner and no cut of a window lies on an edge by rule. */
const ODD = { west: 0.013_719, south: 0.019_341, east: 0.017_173, north: 0.011_337, cut: 0.493_71 };

export function askedArea({ xy, starts, kinds }: RingSink) {
  const [flat, from] = [xy.view(), starts.view()];
  const edges: number[] = [];
  const owners: number[] = [];
  let polygons = 0;
  for (const [ring, kind] of kinds.view().entries()) {
    if (kind === RING.shell) polygons += 1;
    const end = from[ring + 1] ?? flat.length / 2;
    for (let v = from[ring]!; v + 1 < end; v++) {
      edges.push(flat[2 * v]!, flat[2 * v + 1]!, flat[2 * v + 2]!, flat[2 * v + 3]!);
      owners.push(polygons - 1);
    }
  }
  return {
    ...{ bounds: boundsOfXy(flat), polygons },
    ...{ edges: Float64Array.from(edges), owners: Uint32Array.from(owners) },
  };
}

interface Part {
  readonly box: Bounds;
  readonly edges: Uint32Array;
}

/** Windows without ground of the area are left out. */
export function* windowsOf(area: AskedArea): Generator<Window> {
  const [west, south, east, north] = area.bounds;
  const box = [west - ODD.west, south - ODD.south, east + ODD.east, north + ODD.north] as const;
  const parts: Part[] = [{ box, edges: Uint32Array.from(area.owners, (_, edge) => edge) }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const side = Math.max(part.box[2] - part.box[0], part.box[3] - part.box[1]);
    const isCrowded = part.edges.length > MOST_EDGES && side > LEAST_SIDE_M;
    if (part.edges.length === 0 && !holds(area, part.box[0], part.box[1]).includes(1)) continue;
    if (side > MOST_SIDE_M || isCrowded) parts.push(...halves(area, part));
    else yield windowOf(area, part);
  }
}

function halves(area: AskedArea, { box, edges }: Part): readonly Part[] {
  const [west, south, east, north] = box;
  const x = west + (east - west) * ODD.cut;
  const y = south + (north - south) * ODD.cut;
  const boxes: readonly Bounds[] =
    east - west > north - south
      ? [
          [west, south, x, north],
          [x, south, east, north],
        ]
      : [
          [west, south, east, y],
          [west, y, east, north],
        ];
  return boxes.map((half) => ({
    box: half,
    edges: edges.filter((edge) => meets(area.edges, edge, half)),
  }));
}

function meets(edges: Float64Array, edge: number, [west, south, east, north]: Bounds): boolean {
  const [ax, ay] = [edges[4 * edge]!, edges[4 * edge + 1]!];
  const [bx, by] = [edges[4 * edge + 2]!, edges[4 * edge + 3]!];
  if ((ax < west && bx < west) || (ax > east && bx > east)) return false;
  return !((ay < south && by < south) || (ay > north && by > north));
}

function holds({ edges, owners, polygons }: AskedArea, x: number, y: number): Uint8Array {
  const inside = new Uint8Array(polygons);
  for (let edge = 0; edge < owners.length; edge++) {
    const ay = edges[4 * edge + 1]!;
    const by = edges[4 * edge + 3]!;
    if (ay > y === by > y) continue;
    const ax = edges[4 * edge]!;
    const at = ax + ((y - ay) * (edges[4 * edge + 2]! - ax)) / (by - ay);
    if (at < x) inside[owners[edge]!]! ^= 1;
  }
  return inside;
}

const sweep = new Sweep();

function windowOf(area: AskedArea, { box, edges: numbers }: Part): Window {
  const [west, south, east, north] = box;
  const edges = new Float64Array(4 * numbers.length);
  const owners = new Uint32Array(numbers.length);
  for (let n = 0; n < numbers.length; n++) {
    const edge = numbers[n]!;
    edges.set(area.edges.subarray(4 * edge, 4 * edge + 4), 4 * n);
    owners[n] = area.owners[edge]!;
  }
  const holdsCorner = holds(area, west, south);
  const shape = { west, south, width: east - west, height: north - south };
  const window = { ...shape, edges, owners, holdsCorner };
  if (numbers.length === 0) return { ...window, areaM2: shape.width * shape.height };
  sweep.begin(window);
  return { ...window, areaM2: sweep.run().askedM2 };
}
