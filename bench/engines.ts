/**
 * The engines over generated data of national density. `--scale=1` is the whole country (minutes to generate, 1 GB); the default takes seconds.
 */
import { join } from 'node:path';
import type { PointUtm32 } from '../src/geo/point.ts';
import { toUtm32Into, toWgs84All } from '../src/geo/project.ts';
import { LINE_KEYS, THEMES } from '../src/layers/keys.ts';
import { AreaEngine } from '../src/snapshot/areas.ts';
import { loadSnapshot, saveSnapshot } from '../src/snapshot/files.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { LineEngine } from '../src/snapshot/lines.ts';
import { microsecondsPerItem, quantile, seconds } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { temporaryDirectory } from './harness/store.ts';
import { areaSnapshot } from './national/areas.ts';
import { Land } from './national/land.ts';
import { lineSnapshot } from './national/lines.ts';

const RADIUS_M = 500;
const PLACES = 20_000;

export async function benchEngines(): Promise<readonly BenchRow[]> {
  const scale = scaleOption();
  const land = new Land(scale);
  const places = land.points(PLACES, 5);
  const started = performance.now();
  const lines = LINE_KEYS.map((key) => lineSnapshot(land, key));
  const areas = THEMES.map((theme) => areaSnapshot(land, theme));
  const snapshots = { lines, areas };
  const engines = enginesOf(snapshots, { verified: true });
  const buildS = (performance.now() - started) / 1000;
  return [
    row(`scale of the generated country`, scale, 'of national size'),
    ...benchSizes(engines, { buffers: [...lines, ...areas], buildS }),
    ...benchLines(engines.lines, places),
    ...benchAreas(engines.areas, places),
    await benchLoad(snapshots, places),
  ];
}

interface Snapshots {
  readonly lines: readonly SharedArrayBuffer[];
  readonly areas: readonly SharedArrayBuffer[];
}

interface Engines {
  readonly lines: readonly LineEngine[];
  readonly areas: readonly AreaEngine[];
}

/** `verified`: the checksums are known to be right. */
function enginesOf({ lines, areas }: Snapshots, options?: { readonly verified: boolean }): Engines {
  return {
    lines: lines.map((buffer) => new LineEngine(openLayerSnapshot(buffer, options))),
    areas: areas.map((buffer) => new AreaEngine(openLayerSnapshot(buffer, options))),
  };
}

function p99Us(places: readonly PointUtm32[], work: (place: PointUtm32) => number): number {
  const times = places.map((place) => {
    const start = process.hrtime.bigint();
    work(place);
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  return quantile(times, 0.99);
}

function benchSizes(
  { lines, areas }: Engines,
  { buffers, buildS }: { readonly buffers: readonly SharedArrayBuffer[]; readonly buildS: number },
): BenchRow[] {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const metas = [...lines, ...areas].map(({ snapshot }) => snapshot.meta);
  const vertices = sum(metas.map(({ vertexCount }) => vertexCount));
  const bytes = sum(buffers.map(({ byteLength }) => byteLength));
  const features = sum(lines.map(({ snapshot }) => snapshot.meta.featureCount));
  return [
    row('line features', features, 'features'),
    row('vertices of lines and areas', vertices, 'vertices'),
    row('snapshots in memory', bytes / 2 ** 20, 'MiB'),
    row('generate and build, per million vertices', buildS / (vertices / 1e6), 's'),
  ];
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

function benchLines(lines: readonly LineEngine[], places: readonly PointUtm32[]): BenchRow[] {
  const meanUs = microsecondsPerItem(places, (place) => measureAll(lines, place));
  const slowUs = p99Us(places, (place) => measureAll(lines, place));
  const natur = lines[LINE_KEYS.indexOf('natur')]!;
  const own = microsecondsPerItem(places, (place) => natur.measure(place, RADIUS_M).count);
  return [
    row('ten lines at 500 m, mean', meanUs, 'µs', { gate: '<= 50 (goal 10)' }),
    row('ten lines at 500 m, p99', slowUs, 'µs'),
    row('protected nature at 500 m, mean', own, 'µs'),
  ];
}

function benchAreas(areas: readonly AreaEngine[], places: readonly PointUtm32[]): BenchRow[] {
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
  const meanUs = microsecondsPerItem(places, lookUp);
  const slowUs = p99Us(places, lookUp);
  return [
    row('six areas from lon/lat, mean', meanUs, 'µs', { gate: '<= 2 (goal 0.5)' }),
    row('six areas from lon/lat, p99', slowUs, 'µs', { gate: '<= 15 (goal 5)' }),
  ];
}

/** From files on disk to the first answer: read, check the sum, open, answer. */
async function benchLoad(
  { lines, areas }: Snapshots,
  places: readonly PointUtm32[],
): Promise<BenchRow> {
  await using cleanup = new AsyncDisposableStack();
  const dir = temporaryDirectory(cleanup);
  const buffers = [...lines, ...areas];
  const paths = buffers.map((_, i) => join(dir, `${i}.idx`));
  for (const [i, path] of paths.entries()) await saveSnapshot(path, buffers[i]!);
  const elapsedS = await seconds(async () => {
    const loaded = await Promise.all(paths.map((path) => loadSnapshot(path)));
    const found = enginesOf({
      lines: loaded.slice(0, lines.length),
      areas: loaded.slice(lines.length),
    });
    measureAll(found.lines, places[0]!);
    for (const engine of found.areas) engine.covering(places[0]!);
  });
  return row('from files to the first answer of everything', elapsedS, 's', {
    gate: '<= 5 at national size (goal 2)',
  });
}
