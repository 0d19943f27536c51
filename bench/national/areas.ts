/**
 * The six DAGI themes at the density of 1:10,000: about 4 M vertices in all. The country is cut in
 * crooked parishes; the other themes are groups of them, so borders coincide as they do in DAGI,
 * and the finely drawn coast weighs on every theme.
 */
import { wkbCovers } from '../../src/geo/covers.ts';
import { signedRingArea } from '../../src/geo/ring-area.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { AREA_LAYERS } from '../../src/registers/areas/mirror.ts';
import type { AreaId } from '../../src/layers/keys.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { randomFrom, toCentimetre } from './land.ts';
import type { Land } from './land.ts';

/** Side of a parish, metres: 2,140 of them cover the country. */
const PARISH_M = 4_480;
/** Edges of a border between two parishes, and of one towards the sea. Powers of two. */
const INNER_EDGES = 64;
const COAST_EDGES = 1_024;

/** Areas of each theme at scale 1; of another its least rows. */
const COUNTS: Readonly<Partial<Record<AreaId, number>>> = {
  region: 5,
  kommune: 99,
  sogn: Infinity,
  retskreds: 24,
  politikreds: 12,
  opstillingskreds: 92,
  postnummer: 1_090,
};

interface Parish {
  readonly column: number;
  readonly row: number;
}

/** A border between two lattice nodes, walked once in each direction. */
interface Side {
  readonly from: Parish;
  readonly to: Parish;
  /** The parish beyond it. */
  readonly beyond: Parish;
}

export function areaSnapshot(land: Land, theme: AreaId): SharedArrayBuffer {
  const builder = new LayerSnapshotBuilder({ layer: theme, geometry: 'area', version: 1 });
  for (const feature of areaFeatures(land, theme)) builder.add(feature);
  return builder.finish();
}

/** The theme's areas, each with its rings traced from the parish borders. */
export function* areaFeatures(land: Land, theme: AreaId): Generator<SnapshotFeature> {
  const parishes = listParishes(land);
  const count = COUNTS[theme] ?? AREA_LAYERS[theme].guards.minRows;
  const groupOf = groups(parishes, Math.min(count * land.scale ** 0.5 + 1, parishes.size));
  const members = new Map<number, Parish[]>();
  for (const parish of parishes.values()) {
    const group = groupOf(parish);
    members.set(group, [...(members.get(group) ?? []), parish]);
  }
  for (const [group, list] of members) {
    const sides = list.flatMap(sidesOf).filter(({ beyond }) => groupOf(beyond) !== group);
    const rings = link(sides).map((ring) => draw(ring, parishes));
    const code = String(group + 1).padStart(4, '0');
    yield {
      key: code,
      objectId: code,
      standing: 'in_force',
      adopted: true,
      attributes: JSON.stringify({ code, name: `${theme} ${code}`, regionCode: null }),
      wkb: multiPolygonWkb(shellsWithHoles(rings)),
      areaM2: list.length * PARISH_M ** 2,
    };
  }
}

function nameOf({ column, row }: Parish): string {
  return `${column},${row}`;
}

function listParishes(land: Land): Map<string, Parish> {
  const parishes = new Map<string, Parish>();
  for (let column = 97; column < 202; column++) {
    for (let row = 1_345; row < 1_436; row++) {
      const parish = { column, row };
      if (!land.isLand((column + 0.5) * PARISH_M, (row + 0.5) * PARISH_M)) continue;
      parishes.set(nameOf(parish), parish);
    }
  }
  return parishes;
}

/** Parishes by the nearest of so many seats; -1 is the sea. */
function groups(parishes: Map<string, Parish>, count: number): (parish: Parish) => number {
  const all = [...parishes.values()];
  const random = randomFrom(count);
  const seats = Array.from(
    { length: Math.floor(count) },
    () => all[Math.floor(random() * all.length)]!,
  );
  const groupOf = new Map<string, number>();
  for (const [i, parish] of all.entries()) {
    let best = i;
    let least = Infinity;
    for (const [seat, { column, row }] of seats.entries()) {
      const square = (parish.column - column) ** 2 + (parish.row - row) ** 2;
      if (count < all.length && square < least) {
        least = square;
        best = seat;
      }
    }
    groupOf.set(nameOf(parish), best);
  }
  return (parish) => groupOf.get(nameOf(parish)) ?? -1;
}

/** Counter-clockwise, the parish on the left. */
function sidesOf({ column, row }: Parish): Side[] {
  const node = (east: number, north: number): Parish => ({
    column: column + east,
    row: row + north,
  });
  const [sw, se, ne, nw] = [node(0, 0), node(1, 0), node(1, 1), node(0, 1)];
  return [
    { from: sw, to: se, beyond: node(0, -1) },
    { from: se, to: ne, beyond: node(1, 0) },
    { from: ne, to: nw, beyond: node(0, 1) },
    { from: nw, to: sw, beyond: node(-1, 0) },
  ];
}

/** Sides joined end to end. Where four meet, the sharpest left turn keeps rings from touching. */
function link(sides: readonly Side[]): Side[][] {
  const leaving = new Map<string, Side[]>();
  for (const side of sides) {
    leaving.set(nameOf(side.from), [...(leaving.get(nameOf(side.from)) ?? []), side]);
  }
  const rings: Side[][] = [];
  for (const first of sides) {
    const ring: Side[] = [];
    let side: Side | undefined = first;
    while (side !== undefined) {
      const choices: Side[] = leaving.get(nameOf(side.from)) ?? [];
      if (!choices.includes(side)) break;
      choices.splice(choices.indexOf(side), 1);
      ring.push(side);
      const onward: Side[] = leaving.get(nameOf(side.to)) ?? [];
      side = onward.length < 2 ? onward[0] : leftmost(side, onward);
    }
    if (ring.length > 0) rings.push(ring);
  }
  return rings;
}

function leftmost(before: Side, choices: readonly Side[]): Side | undefined {
  const turn = (next: Side): number =>
    (before.to.column - before.from.column) * (next.to.row - next.from.row) -
    (before.to.row - before.from.row) * (next.to.column - next.from.column);
  return [...choices].sort((a, b) => turn(b) - turn(a))[0];
}

/** Vertices of a ring of sides. */
function draw(ring: readonly Side[], parishes: Map<string, Parish>): number[] {
  const path: number[] = [];
  for (const side of ring) {
    const edges = parishes.has(nameOf(side.beyond)) ? INNER_EDGES : COAST_EDGES;
    const border = drawSide(side, edges);
    for (let i = 0; i + 2 < border.length; i++) path.push(border[i]!);
  }
  return [...path, path[0]!, path[1]!];
}

const drawn = new Map<string, number[]>();

/** The same crooked line from both of its sides, to the bit. */
function drawSide({ from, to }: Side, edges: number): number[] {
  const isForward = from.column < to.column || from.row < to.row;
  const [start, end] = isForward ? [from, to] : [to, from];
  const name = `${nameOf(start)} ${nameOf(end)} ${edges}`;
  let line = drawn.get(name);
  if (line === undefined) {
    line = displace(nodeOf(start), nodeOf(end), {
      edges,
      seed: start.column * 4_099 + start.row * 7 + (start.row === end.row ? 1 : 0),
    });
    drawn.set(name, line);
  }
  if (isForward) return line;
  const back: number[] = [];
  for (let i = line.length - 2; i >= 0; i -= 2) back.push(line[i]!, line[i + 1]!);
  return back;
}

function nodeOf({ column, row }: Parish): [number, number] {
  const random = randomFrom(column * 65_537 + row);
  const shift = (): number => (random() - 0.5) * 0.3 * PARISH_M;
  return [toCentimetre(column * PARISH_M + shift()), toCentimetre(row * PARISH_M + shift())];
}

/** Midpoint displacement, small enough that neighbouring borders do not meet. */
function displace(
  from: readonly [number, number],
  to: readonly [number, number],
  { edges, seed }: { readonly edges: number; readonly seed: number },
): number[] {
  const random = randomFrom(seed);
  const line = new Array<number>(2 * (edges + 1));
  [line[0], line[1]] = from;
  [line[2 * edges], line[2 * edges + 1]] = to;
  for (let span = edges; span > 1; span >>= 1) {
    for (let i = 0; i < edges; i += span) {
      const [a, b, middle] = [2 * i, 2 * (i + span), 2 * i + span];
      const dx = line[b]! - line[a]!;
      const dy = line[b + 1]! - line[a + 1]!;
      const off = 0.22 * (random() - 0.5);
      line[middle] = toCentimetre((line[a]! + line[b]!) / 2 - dy * off);
      line[middle + 1] = toCentimetre((line[a + 1]! + line[b + 1]!) / 2 + dx * off);
    }
  }
  return line;
}

/** Rings that run counter-clockwise are shells; the holes go with the first, which holds them. */
function shellsWithHoles(rings: readonly number[][]): number[][][] {
  const isShell = (ring: readonly number[]): boolean =>
    signedRingArea(Float64Array.from(ring), 0, ring.length / 2) > 0;
  const shells = rings.filter(isShell).map((ring) => [ring]);
  for (const hole of rings.filter((ring) => !isShell(ring))) {
    const start = { xUtm32: hole[0]!, yUtm32: hole[1]! };
    const owner = shells.find(([shell]) => wkbCovers(multiPolygonWkb([[shell!]]), start));
    (owner ?? shells[0])?.push(hole);
  }
  return shells;
}
