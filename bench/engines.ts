/**
 * The engines over generated data of national density, beside Turf and which-polygon in the same
 * process. `--scale=1` is the whole country (minutes to generate, 1 GB); the default takes seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { booleanPointInPolygon, pointToLineDistance } from '@turf/turf';
import proj4 from 'proj4';
import whichPolygon from 'which-polygon';
import type { PointUtm32 } from '../src/geo/point.ts';
import { toUtm32, toUtm32Into, toWgs84All } from '../src/geo/project.ts';
import { readWkb, RING, RingSink } from '../src/geo/wkb.ts';
import { LINE_KEYS, THEMES } from '../src/layers/keys.ts';
import type { LineKey } from '../src/layers/keys.ts';
import { AreaEngine } from '../src/snapshot/areas.ts';
import { loadSnapshot, saveSnapshot } from '../src/snapshot/files.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { LineEngine } from '../src/snapshot/lines.ts';
import { NearestPointEngine } from '../src/snapshot/points.ts';
import { areaFeatures, areaSnapshot } from './national/areas.ts';
import { Land } from './national/land.ts';
import { lineFeatures, lineSnapshot } from './national/lines.ts';
import { openPoints, pointSnapshot } from './national/points.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const RADIUS_M = 500;
const NEAREST_RADIUS_M = 250;
const PLACES = 20_000;
const ROUNDS = 5;
const SLICE = 100;

export async function benchEngines(): Promise<readonly BenchRow[]> {
  const scale = Number(option('scale') ?? '0.03');
  const land = new Land(scale);
  const places = pointsOf(land.places(PLACES, 5));
  const buffers: SharedArrayBuffer[] = [];
  const keep = (buffer: SharedArrayBuffer): SharedArrayBuffer => {
    buffers.push(buffer);
    return buffer;
  };
  const built = performance.now();
  const lines = LINE_KEYS.map((key) => lineEngine(keep(lineSnapshot(land, key))));
  const areas = THEMES.map((theme) => new AreaEngine(open(keep(areaSnapshot(land, theme)))));
  const nearest = new NearestPointEngine(openPoints(keep(pointSnapshot(land)), { verified: true }));
  const buildS = (performance.now() - built) / 1000;
  return [
    row({ what: `scale of the generated country`, value: scale, unit: 'of national size' }),
    ...benchSizes({ lines, areas, nearest, buffers, buildS }),
    benchProjection(places),
    ...benchLines(land, lines, places),
    ...benchAreas(land, areas, places),
    benchNearest(nearest, places),
    await benchLoad(buffers, places),
    ...benchGrowth(scale),
  ];
}

function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
}

function open(buffer: SharedArrayBuffer): ReturnType<typeof openLayerSnapshot> {
  return openLayerSnapshot(buffer, { verified: true });
}

function lineEngine(buffer: SharedArrayBuffer): LineEngine {
  return new LineEngine(open(buffer));
}

function pointsOf(xy: Float64Array): PointUtm32[] {
  return Array.from({ length: xy.length / 2 }, (_, i) => {
    return { xUtm32: xy[2 * i]!, yUtm32: xy[2 * i + 1]! };
  });
}

/**
 * Microseconds per place. Places go in slices short enough to be left alone by the scheduler, and of
 * each slice the fastest round counts: a busy machine slows this down but does not show in it.
 * `work` returns something, so that it cannot be left out.
 */
function timePerPlace(places: readonly PointUtm32[], work: (place: PointUtm32) => number): number {
  const slices = Math.ceil(places.length / SLICE);
  const best = new Float64Array(slices).fill(Infinity);
  let kept = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let slice = 0; slice < slices; slice++) {
      const some = places.slice(slice * SLICE, (slice + 1) * SLICE);
      const start = performance.now();
      for (const place of some) kept += work(place);
      best[slice] = Math.min(best[slice]!, performance.now() - start);
    }
  }
  if (Number.isNaN(kept)) throw new Error('A benchmark answered NaN.');
  return (best.reduce((a, b) => a + b, 0) * 1000) / places.length;
}

function quantileUs(places: readonly PointUtm32[], work: (place: PointUtm32) => number): number {
  const times = new Float64Array(places.length);
  for (const [i, place] of places.entries()) {
    const start = process.hrtime.bigint();
    work(place);
    times[i] = Number(process.hrtime.bigint() - start) / 1000;
  }
  times.sort();
  return times[Math.floor(0.99 * times.length)]!;
}

function benchSizes(made: {
  readonly lines: readonly LineEngine[];
  readonly areas: readonly AreaEngine[];
  readonly nearest: NearestPointEngine;
  readonly buffers: readonly SharedArrayBuffer[];
  readonly buildS: number;
}): BenchRow[] {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const metas = [...made.lines, ...made.areas].map(({ snapshot }) => snapshot.meta);
  const vertices = sum(metas.map(({ vertexCount }) => vertexCount));
  const bytes = sum(made.buffers.map(({ byteLength }) => byteLength));
  const lineFeaturesCount = sum(made.lines.map(({ snapshot }) => snapshot.meta.featureCount));
  return [
    row({ what: 'line features', value: lineFeaturesCount, unit: 'features' }),
    row({ what: 'vertices of lines and areas', value: vertices, unit: 'vertices' }),
    row({ what: 'address points', value: made.nearest.points.ranks.length, unit: 'points' }),
    row({ what: 'snapshots in memory', value: bytes / 2 ** 20, unit: 'MiB' }),
    row({
      what: 'generate and build, per million vertices',
      value: made.buildS / (vertices / 1e6),
      unit: 's',
    }),
  ];
}

function benchProjection(places: readonly PointUtm32[]): BenchRow {
  const lonLat = lonLatOf(places);
  const judge = proj4(
    'EPSG:4326',
    '+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs',
  );
  let i = 0;
  const next = (): number => (i = (i + 2) % lonLat.length);
  return row({
    what: 'WGS84 to EPSG:25832, one point',
    value: timePerPlace(places, () => {
      const at = next();
      return toUtm32({ lon: lonLat[at]!, lat: lonLat[at + 1]! }).xUtm32;
    }),
    unit: 'µs',
    reference: {
      what: 'proj4',
      value: timePerPlace(places, () => {
        const at = next();
        return judge.forward<[number, number]>([lonLat[at]!, lonLat[at + 1]!])[0];
      }),
    },
  });
}

function lonLatOf(places: readonly PointUtm32[]): Float64Array {
  const lonLat = Float64Array.from(places.flatMap(({ xUtm32, yUtm32 }) => [xUtm32, yUtm32]));
  toWgs84All(lonLat, lonLat);
  return lonLat;
}

function measureAll(lines: readonly LineEngine[], place: PointUtm32): number {
  let count = 0;
  for (const engine of lines) count += engine.measure(place, RADIUS_M).count;
  return count;
}

function benchLines(
  land: Land,
  lines: readonly LineEngine[],
  places: readonly PointUtm32[],
): BenchRow[] {
  const meanUs = timePerPlace(places, (place) => measureAll(lines, place));
  const p99Us = quantileUs(places, (place) => measureAll(lines, place));
  const natur = lines[LINE_KEYS.indexOf('natur')]!;
  const own = timePerPlace(places, (place) => natur.measure(place, RADIUS_M).count);
  return [
    row({
      what: 'ten lines at 500 m, mean',
      value: meanUs,
      unit: 'µs',
      gate: { text: '<= 50 (goal 10)', pass: meanUs <= 50 },
    }),
    row({ what: 'ten lines at 500 m, p99', value: p99Us, unit: 'µs' }),
    row({
      what: 'protected nature at 500 m, mean',
      value: own,
      unit: 'µs',
      reference: { what: 'Turf over the features near, found for free', value: turfLines(land) },
    }),
  ];
}

type Ring = [number, number][];
interface PlainPolygon {
  readonly type: 'Feature';
  readonly properties: { readonly code: string };
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: Ring[][] };
}

function plainPolygon(wkb: Uint8Array, code: string): PlainPolygon {
  const sink = new RingSink();
  readWkb(wkb, sink);
  const coordinates: Ring[][] = [];
  for (let r = 0; r < sink.kinds.length; r++) {
    const end = r + 1 < sink.kinds.length ? sink.starts.items[r + 1]! : sink.xy.length / 2;
    const ring: Ring = [];
    for (let v = sink.starts.items[r]!; v < end; v++) {
      ring.push([sink.xy.items[2 * v]!, sink.xy.items[2 * v + 1]!]);
    }
    if (sink.kinds.items[r] === RING.shell) coordinates.push([ring]);
    else coordinates.at(-1)?.push(ring);
  }
  return { type: 'Feature', properties: { code }, geometry: { type: 'MultiPolygon', coordinates } };
}

/** Turf on what lies near each of a few places; finding it is not timed. Degrees, as Turf wants. */
function turfLines({ scale }: Land): number {
  const near = 600;
  // A corner of the country is enough, and its polygons as objects fit in memory.
  const land = new Land(Math.min(scale, 0.02));
  const places = pointsOf(land.places(40, 8));
  const all = [...lineFeatures(land, 'natur')].map(({ wkb, key }) => plainPolygon(wkb, key));
  const tasks = places.map((place) => {
    const polygons = all.filter(({ geometry }) => {
      const [x, y] = geometry.coordinates[0]![0]![0]!;
      return Math.abs(x - place.xUtm32) < near && Math.abs(y - place.yUtm32) < near;
    });
    return { point: inDegrees([place.xUtm32, place.yUtm32]), polygons: polygons.map(degrees) };
  });
  const start = performance.now();
  let nearest = Infinity;
  for (const { point, polygons } of tasks) {
    for (const { shell, polygon } of polygons) {
      if (booleanPointInPolygon(point, polygon)) nearest = 0;
      nearest = Math.min(nearest, pointToLineDistance(point, shell, { units: 'meters' }));
    }
  }
  if (Number.isNaN(nearest)) throw new Error('Turf answered NaN.');
  return ((performance.now() - start) * 1000) / tasks.length;
}

function inDegrees([x, y]: [number, number]): [number, number] {
  const lonLat = Float64Array.of(x, y);
  toWgs84All(lonLat, lonLat);
  return [lonLat[0]!, lonLat[1]!];
}

function degrees({ geometry }: PlainPolygon) {
  const coordinates = geometry.coordinates[0]![0]!.map(inDegrees);
  return {
    shell: { type: 'LineString' as const, coordinates },
    polygon: { type: 'Polygon' as const, coordinates: [coordinates] },
  };
}

function benchAreas(
  land: Land,
  areas: readonly AreaEngine[],
  places: readonly PointUtm32[],
): BenchRow[] {
  const lonLat = lonLatOf(places);
  const projected = new Float64Array(2);
  const found = new Uint32Array(64);
  let i = 0;
  const lookUp = (): number => {
    i = (i + 2) % lonLat.length;
    toUtm32Into({ lon: lonLat[i]!, lat: lonLat[i + 1]! }, projected);
    const point = { xUtm32: projected[0]!, yUtm32: projected[1]! };
    let count = 0;
    for (const engine of areas) count += engine.coversInto(point, found);
    return count;
  };
  const meanUs = timePerPlace(places, lookUp);
  const p99Us = quantileUs(places, lookUp);
  const queries = THEMES.map((theme) =>
    whichPolygon({
      type: 'FeatureCollection',
      features: [...areaFeatures(land, theme)].map(({ wkb, key }) => plainPolygon(wkb, key)),
    }),
  );
  const some = places.slice(0, 200);
  const which = timePerPlace(some, ({ xUtm32, yUtm32 }) => {
    return queries.filter((query) => query([xUtm32, yUtm32]) !== null).length;
  });
  return [
    row({
      what: 'six areas from lon/lat, mean',
      value: meanUs,
      unit: 'µs',
      reference: { what: 'which-polygon, six themes, projected', value: which },
      gate: { text: '<= 2 (goal 0.5)', pass: meanUs <= 2 },
    }),
    row({
      what: 'six areas from lon/lat, p99',
      value: p99Us,
      unit: 'µs',
      gate: { text: '<= 15 (goal 5)', pass: p99Us <= 15 },
    }),
  ];
}

function benchNearest(engine: NearestPointEngine, places: readonly PointUtm32[]): BenchRow {
  const meanUs = timePerPlace(places, (place) => engine.nearest(place, NEAREST_RADIUS_M));
  return row({
    what: 'nearest address within 250 m, mean',
    value: meanUs,
    unit: 'µs',
    gate: { text: '<= 2 (goal 0.4)', pass: meanUs <= 2 },
  });
}

/** From files on disk to the first answer: read, check the sum, open, answer. */
async function benchLoad(
  buffers: readonly SharedArrayBuffer[],
  places: readonly PointUtm32[],
): Promise<BenchRow> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-engines-'));
  try {
    const paths = buffers.map((_, i) => join(dir, `${i}.idx`));
    for (const [i, path] of paths.entries()) await saveSnapshot(path, buffers[i]!);
    const start = performance.now();
    const loaded = await Promise.all(paths.map((path) => loadSnapshot(path)));
    const lines = LINE_KEYS.map((_, i) => new LineEngine(openLayerSnapshot(loaded[i]!)));
    const areas = THEMES.map((_, i) => new AreaEngine(openLayerSnapshot(loaded[10 + i]!)));
    const points = new NearestPointEngine(openPoints(loaded[16]!));
    measureAll(lines, places[0]!);
    for (const engine of areas) engine.covering(places[0]!);
    points.nearest(places[0]!, NEAREST_RADIUS_M);
    const seconds = (performance.now() - start) / 1000;
    return row({
      what: 'from files to the first answer of everything',
      value: seconds,
      unit: 's',
      gate: { text: '<= 5 at national size (goal 2)', pass: seconds <= 5 },
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** What ten times as many features cost a lookup: on ten times the land, and on the same land. */
function benchGrowth(scale: number): BenchRow[] {
  const key: LineKey = 'natur';
  const measure = (land: Land, density: number): number => {
    const engine = lineEngine(lineSnapshot(land, key, density));
    const places = pointsOf(land.places(PLACES / 4, 6));
    return timePerPlace(places, (place) => engine.measure(place, RADIUS_M).count);
  };
  const small = new Land(scale / 10);
  const base = measure(small, 1);
  const reference = { what: 'a tenth of the features', value: base };
  return [
    row({
      what: 'protected nature, ten times the land',
      value: measure(new Land(scale), 1),
      unit: 'µs',
      reference,
    }),
    row({
      what: 'protected nature, ten times the density',
      value: measure(small, 10),
      unit: 'µs',
      reference,
    }),
  ];
}
