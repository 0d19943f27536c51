/**
 * For areas that `isSoundArea` refuses (D144), equal to the store's `sound_geometry`: a part is
 * what its shell surrounds without what its holes surround; an area is the union of its parts.
 */
import InteriorPointArea from 'jsts/org/locationtech/jts/algorithm/InteriorPointArea.js';
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import PrecisionModel from 'jsts/org/locationtech/jts/geom/PrecisionModel.js';
import NodedSegmentString from 'jsts/org/locationtech/jts/noding/NodedSegmentString.js';
import MCIndexSnapRounder from 'jsts/org/locationtech/jts/noding/snapround/MCIndexSnapRounder.js';
import Polygonizer from 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js';
import ArrayList from 'jsts/java/util/ArrayList.js';
import { jtsFactory } from './jts.ts';
import type { JtsAt as At } from './jts.ts';
import { signedRingArea } from './ring-area.ts';
import { RING, multiPolygonWkb, ringsOfWkb } from './wkb.ts';

/** Coordinates are rounded to a thousandth of a millimetre. */
const STEPS_PER_M = 1e6;

/** A piece between two crossings, in steps. */
type Edge = readonly [number, number, number, number];

interface Ring {
  readonly part: number;
  readonly steps: readonly number[];
  readonly edges: Edge[];
}

interface JtsRing {
  getCoordinates(): readonly At[];
}
interface JtsPolygon {
  getExteriorRing(): JtsRing;
  getNumInteriorRing(): number;
  getInteriorRingN(n: number): JtsRing;
}
interface List<T> {
  add(item: T): void;
  toArray(): T[];
}

export interface RepairedArea {
  readonly wkb: Uint8Array;
  /** Even-odd takes doubly covered land for a hole. */
  readonly evenOddM2: number;
}

/**
 * Polygons in EPSG:25832; null: no area. Vertices are unchanged; a crossing moves by half a step at
 * most. Throws where rings cannot be assembled.
 */
export function repairArea(wkb: Uint8Array): RepairedArea | null {
  const { rings, backToMetres } = readRings(wkb);
  nodeRings(rings);
  const all = facesOf(rings.flatMap(({ edges }) => edges));
  const covers = readerOf(rings);
  const pieces = all.filter(covers);
  // The border between two covered pieces is no edge of the area.
  const whole = facesOf(outlineOf(pieces)).filter(covers);
  if (whole.length === 0) return null;
  return {
    wkb: multiPolygonWkb(
      whole.map((face) => ringsOf(face).map((ring) => ring.getCoordinates().flatMap(backToMetres))),
    ),
    evenOddM2: all
      .filter((face) => isOdd(rings, pointIn(face)))
      .reduce((sum, face) => sum + areaOf(face), 0),
  };
}

/** Relative to the area's own origin, where a double resolves a thousand times finer. */
function readRings(wkb: Uint8Array): {
  readonly rings: readonly Ring[];
  readonly backToMetres: (at: At) => readonly number[];
} {
  const sink = ringsOfWkb(wkb);
  const [xy, starts] = [sink.xy.view(), sink.starts.view()];
  const x0 = Math.floor(xy[0] ?? 0);
  const y0 = Math.floor(xy[1] ?? 0);
  const given = new Map<string, readonly [number, number]>();
  let part = -1;
  const rings = Array.from(sink.kinds.view(), (kind, ring): Ring => {
    if (kind !== RING.shell && kind !== RING.hole) throw new Error('An area is made of polygons.');
    if (kind === RING.shell) part++;
    const steps: number[] = [];
    for (let n = starts[ring]!; n < (starts[ring + 1] ?? xy.length / 2); n++) {
      const at = [xy[2 * n]!, xy[2 * n + 1]!] as const;
      const x = Math.round((at[0] - x0) * STEPS_PER_M);
      const y = Math.round((at[1] - y0) * STEPS_PER_M);
      given.set(`${x} ${y}`, at);
      if (x !== steps.at(-2) || y !== steps.at(-1)) steps.push(x, y);
    }
    return { part, steps, edges: [] };
  });
  const backToMetres = ({ x, y }: At) =>
    given.get(`${x} ${y}`) ?? [x0 + x / STEPS_PER_M, y0 + y / STEPS_PER_M];
  return { rings, backToMetres };
}

/** Snap rounding: afterwards edges meet only at their ends. */
function nodeRings(rings: readonly Ring[]): void {
  const strings = new ArrayList([]) as List<unknown>;
  for (const ring of rings) {
    const { steps } = ring;
    if (steps.length < 4) continue;
    const coordinates: unknown[] = [];
    for (let n = 0; n < steps.length; n += 2) {
      coordinates.push(new Coordinate(steps[n], steps[n + 1]));
    }
    strings.add(new NodedSegmentString(coordinates, ring));
  }
  const noder = new MCIndexSnapRounder(new PrecisionModel(1));
  noder.computeNodes(strings);
  const pieces = (noder.getNodedSubstrings() as List<JtsRing & { getData(): Ring }>).toArray();
  for (const piece of pieces) piece.getData().edges.push(...edgesOf(piece));
}

function facesOf(edges: readonly Edge[]): JtsPolygon[] {
  const polygonizer = new Polygonizer();
  polygonizer.setCheckRingsValid(false);
  for (const [ax, ay, bx, by] of new Map(edges.map((edge) => [keyOf(edge), edge])).values()) {
    polygonizer.add(jtsFactory.createLineString([new Coordinate(ax, ay), new Coordinate(bx, by)]));
  }
  return (polygonizer.getPolygons() as List<JtsPolygon>).toArray();
}

function keyOf([ax, ay, bx, by]: Edge): string {
  const isForward = ax < bx || (ax === bx && ay < by);
  return isForward ? `${ax} ${ay} ${bx} ${by}` : `${bx} ${by} ${ax} ${ay}`;
}

function outlineOf(faces: readonly JtsPolygon[]): Edge[] {
  const alone = new Map<string, Edge>();
  for (const edge of faces.flatMap(ringsOf).flatMap(edgesOf)) {
    const key = keyOf(edge);
    if (!alone.delete(key)) alone.set(key, edge);
  }
  return [...alone.values()];
}

function edgesOf(ring: JtsRing): Edge[] {
  const at = ring.getCoordinates();
  return at.slice(1).map(({ x, y }, n): Edge => [at[n]!.x, at[n]!.y, x, y]);
}

/** Holes outside their shell cover nothing (D155). */
function readerOf(rings: readonly Ring[]): (face: JtsPolygon) => boolean {
  const parts = [...Map.groupBy(rings, ({ part }) => part).values()];
  return (face) => {
    const at = pointIn(face);
    return parts.some(
      ([shell, ...holes]) => goesRound(shell!, at) && !holes.some((hole) => goesRound(hole, at)),
    );
  };
}

function pointIn(face: JtsPolygon): At {
  return InteriorPointArea.getInteriorPoint(face);
}

function goesRound(ring: Ring, at: At): boolean {
  return turnsOf(ring, at) !== 0;
}

function turnsOf({ edges }: Ring, { x, y }: At): number {
  let turns = 0;
  for (const [ax, ay, bx, by] of edges) {
    if (ay > y === by > y) continue;
    const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
    if (by > ay ? side > 0 : side < 0) turns += by > ay ? 1 : -1;
  }
  return turns;
}

function isOdd(rings: readonly Ring[], at: At): boolean {
  return rings.reduce((sum, ring) => sum + turnsOf(ring, at), 0) % 2 !== 0;
}

function areaOf(face: JtsPolygon): number {
  const sizes = ringsOf(face).map((ring) => {
    const steps = Float64Array.from(ring.getCoordinates().flatMap(({ x, y }) => [x, y]));
    return Math.abs(signedRingArea(steps, 0, steps.length / 2)) / STEPS_PER_M ** 2;
  });
  return sizes.reduce((area, size, n) => (n === 0 ? size : area - size), 0);
}

function ringsOf(polygon: JtsPolygon): JtsRing[] {
  const holes = Array.from({ length: polygon.getNumInteriorRing() }, (_, n) =>
    polygon.getInteriorRingN(n),
  );
  return [polygon.getExteriorRing(), ...holes];
}
