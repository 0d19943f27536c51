/**
 * The two cadastre lines: zones along the coast, published as one piece per parcel. Most pieces
 * share their corners with the neighbour; some meet in a T where only one side has the vertex, and
 * there the vertex lies off the other side's edge by what rounding to a millimetre leaves.
 */
import type { SampleFeature } from './feature.ts';
import type { Place, Position, Ring, SampleGeometry } from './geometry.ts';
import { at, boxRing, placeOf, polygon, position, reversed, ring } from './geometry.ts';
import type { Island, Islet } from './island.ts';
import { CENTRE, COAST_VERTICES, ISLETS } from './island.ts';
import type { Random } from './random.ts';
import { createRandom, hashText } from './random.ts';

/** Vertices every parcel boundary has by itself; others only where a cut meets it. */
const NATIVE_STEP = 3;

interface Strip {
  readonly name: string;
  readonly island: Island;
  /** Coast indexes; `to` may run past the end of the ring. */
  readonly from: number;
  readonly to: number;
  /** Width of the zone at a coast index, metres. */
  readonly widthAt: (k: number) => number;
}

type Shape = (k: number) => Place;

/** Strandbeskyttelse: 300 m, 100 m at the summer houses, none in the harbour; all of the islets. */
export function beachZoneFeatures(island: Island): SampleFeature[] {
  const strip: Strip = {
    name: 'strand',
    island,
    from: HARBOUR.to,
    to: HARBOUR.from + COAST_VERTICES,
    widthAt: beachWidth,
  };
  const pieces = [
    ...stripPieces(strip),
    ...slicedIslet(island, 'south'),
    ...(['outer', 'beacon'] as const).map((name) => polygon(ring(island.isletCoasts[name]))),
  ];
  return pieces.map(cadastreFeature(BEACH));
}

/** Klitfredning: the west coast, up to 460 m. It overlaps the beach zone, which is another layer. */
export function duneZoneFeatures(island: Island): SampleFeature[] {
  const strip: Strip = { name: 'klit', island, from: 300, to: 420, widthAt: () => 460 };
  return stripPieces(strip).map(cadastreFeature(DUNES));
}

const HARBOUR = { from: 600, to: 615 } as const;
const SUMMER_HOUSES = { from: 480, to: 561 } as const;

function beachWidth(index: number): number {
  const k = index % COAST_VERTICES;
  const inside = Math.min(k - SUMMER_HOUSES.from, SUMMER_HOUSES.to - k);
  return 300 - 200 * Math.max(0, Math.min(1, inside / 6));
}

/** Two rows of parcels: at the water and behind. Their cuts are drawn apart, so many meet in a T. */
function stripPieces(strip: Strip): SampleGeometry[] {
  const random = createRandom(`strip/${strip.name}`);
  const middle = shoreline(strip, 0.45);
  const inner = shoreline(strip, 1);
  const seaward = drawCuts(strip, random, [3, 6]);
  const landward = drawCuts(strip, random, [5, 9]);
  const coast: Shape = (k) => placeOf(at(strip.island.coast, k % COAST_VERTICES));
  const pieces: SampleGeometry[] = [];
  for (const [k0, k1] of pairs(seaward)) {
    const outer = vertices(coast, range(k0, k1));
    const back = vertices(middle, boundary([k0, k1], strip, landward));
    pieces.push(polygon(ring([...outer, ...reversed(back)])));
  }
  pairs(landward).forEach(([k0, k1], i) => {
    const outer = vertices(middle, boundary([k0, k1], strip, seaward));
    const back = vertices(inner, boundary([k0, k1], strip, []));
    const shell = ring([...outer, ...reversed(back)]);
    // A built-up yard left out of the zone: an inner edge that is a real edge.
    const yard = i % 12 === 5 && strip.widthAt(k0) === strip.widthAt(k1);
    pieces.push(yard ? polygon(shell, reversed(yardRing(outer, back))) : polygon(shell));
  });
  return pieces;
}

function yardRing(outer: Ring, back: Ring): Ring {
  const a = placeOf(at(outer, Math.floor(outer.length / 2)));
  const b = placeOf(at(back, Math.floor(back.length / 2)));
  const middle = { x: Math.round((a.x + b.x) / 2), y: Math.round((a.y + b.y) / 2) };
  return boxRing(middle, { minX: -15, minY: -15, maxX: 15, maxY: 15 });
}

/** The line at a share of the zone's width, drawn straight between its native vertices. */
function shoreline(strip: Strip, share: number): Shape {
  const native = (k: number): Place => {
    const out = placeOf(at(strip.island.coast, k % COAST_VERTICES));
    const reach = Math.hypot(out.x - CENTRE.x, out.y - CENTRE.y);
    const keep = 1 - (share * strip.widthAt(k)) / reach;
    return placeOf(
      position({
        x: CENTRE.x + (out.x - CENTRE.x) * keep,
        y: CENTRE.y + (out.y - CENTRE.y) * keep,
      }),
    );
  };
  return (k) => {
    const before = native(k - (k % NATIVE_STEP));
    const after = native(k - (k % NATIVE_STEP) + NATIVE_STEP);
    const part = (k % NATIVE_STEP) / NATIVE_STEP;
    return {
      x: before.x + (after.x - before.x) * part,
      y: before.y + (after.y - before.y) * part,
    };
  };
}

function drawCuts(strip: Strip, random: Random, [min, max]: readonly [number, number]): number[] {
  const cuts = [strip.from];
  for (;;) {
    const next = at(cuts, cuts.length - 1) + random.integer(min, max);
    if (next + min > strip.to) break;
    cuts.push(next);
  }
  return [...cuts, strip.to];
}

/**
 * The indexes at which a piece has a vertex: its own corners, the native ones, and those where the
 * row on the other side is cut, unless the neighbour's corner is left bare (every other one).
 */
function boundary([k0, k1]: Span, strip: Strip, across: readonly number[]): number[] {
  const bare = (k: number): boolean => hashText(`${strip.name}/bare/${k}`) % 2 === 0;
  return range(k0, k1).filter(
    (k) => k === k0 || k === k1 || k % NATIVE_STEP === 0 || (across.includes(k) && !bare(k)),
  );
}

type Span = readonly [number, number];

function pairs(cuts: readonly number[]): Span[] {
  return cuts.slice(1).map((k1, i) => [at(cuts, i), k1] as const);
}

function range(k0: number, k1: number): number[] {
  return Array.from({ length: k1 - k0 + 1 }, (_, i) => k0 + i);
}

function vertices(shape: Shape, indexes: readonly number[]): Position[] {
  return indexes.map((k) => position(shape(k)));
}

/** An islet in eight slices that all meet in the middle. */
function slicedIslet(island: Island, name: Islet): SampleGeometry[] {
  const coast = ring(island.isletCoasts[name]);
  const middle = position(ISLETS[name].centre);
  const step = (coast.length - 1) / 8;
  return Array.from({ length: 8 }, (_, i) =>
    polygon(ring([middle, ...coast.slice(i * step, (i + 1) * step + 1)])),
  );
}

interface CadastreLayer {
  readonly tematype: string;
  readonly firstParcel: number;
  readonly zoneId: number;
}
const BEACH = { tematype: 'Strandbeskyttelse', firstParcel: 9_900_001, zoneId: 23 };
const DUNES = { tematype: 'Klitfredning', firstParcel: 9_800_001, zoneId: 41 };

function cadastreFeature({ tematype, firstParcel, zoneId }: CadastreLayer) {
  return (geometry: SampleGeometry, i: number): SampleFeature => {
    const typeName = `${tematype}Flade_Gaeldende`;
    const key = `${firstParcel + i}_${zoneId}`;
    const random = createRandom(`${typeName}/${key}`);
    const day = String(random.integer(1, 28)).padStart(2, '0');
    return {
      id: `${typeName}.${key}`,
      properties: {
        forretningshaendelse: 'Afledt ændring',
        senesteSagLokalId: String(random.integer(90_000_000, 99_999_999)),
        forretningsproces: 'Anden sagskategori',
        'id.namespace': 'http://data.gov.dk/Matriklen/JordstykkeTemaflade',
        'id.lokalId': key,
        paataenktHandling: null,
        registreringFra: `${random.integer(2018, 2025)}-06-${day}T00:14:58.562Z`,
        virkningFra: `${random.integer(2000, 2017)}-11-${day}T23:00:00.000Z`,
        virkningsaktoer: 'Prøvestyrelsen (opdigtet)',
        temaFladeID: zoneId,
        tematype,
        jordstykkeLokalId: String(firstParcel + i),
      },
      geometry,
    };
  };
}
