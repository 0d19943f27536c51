/**
 * Fifteen conditions and the ten lines: what they cost at a point over HTTP beside `byggelinjer`, on a parcel in
 * process beside one statement of PostGIS, what places share against PostGIS, and the memory that they take. `--scale=1`
 * is the whole country, `--memory` leaves PostgreSQL and HTTP out, `--rate` is of requests a second; `--parcels` and
 * `--polygons` are judged (TEST_HEAVY=1: 20,000 and 5,000).
 */
import { sql } from 'kysely';
import type { PointUtm32 } from '../src/geo/point.ts';
import type { Store } from '../src/db/connect.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import type { LayerId } from '../src/layers/keys.ts';
import type { ConditionId } from '../src/layers/conditions/condition.ts';
import { EngineCache, SnapshotSet } from '../src/core/held/snapshot-set.ts';
import { areaPlace } from '../src/core/land/drawn-area.ts';
import { readHeld } from '../src/registers/conditions/index/held.ts';
import { readPlaces } from '../src/registers/conditions/store.ts';
import type { PlacesQuestion, PlacesRead } from '../src/registers/conditions/store.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { differencesOf, starAt } from '../test/support/condition-judge.ts';
import { amountOf } from '../test/support/run-settings.ts';
import { judgeRows } from './condition-judge.ts';
import { fillStore, publish } from './fill.ts';
import { serverUs } from './harness/database-cpu.ts';
import { pace } from './harness/contest.ts';
import { get } from './harness/load.ts';
import { interleave, median, processCpuUs, quantile } from './harness/measure.ts';
import { flag, numberOption, scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { ask, isFromMemory, measureServer, startService } from './harness/server.ts';
import { openMigrated, openPostgres } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';
import { areaSnapshot } from './national/areas.ts';
import {
  NATIONAL_CONDITIONS,
  conditionFeatures,
  conditionSnapshot,
  dayOf,
} from './national/conditions.ts';
import type { GeneratedCondition } from './national/conditions.ts';
import { Land, normalFrom, randomFrom, toCentimetre } from './national/land.ts';
import { lineSnapshot } from './national/lines.ts';
import { linesPath, placesOf } from './places.ts';

const LAYERS: readonly LayerId[] = [...NATIONAL_CONDITIONS, ...LINE_KEYS];
const MIB = 2 ** 20;
const PARCELS = 4_000;
const HELD_AGAINST = 300;
/** Of the store, whose filling takes longer than what is measured: of the same density. */
const STORE_SCALE = 0.02;
const PER_SECOND = numberOption('rate', 200);
const ROUNDS = 3;
const ROUND_MS = 5_000;

export async function benchConditions(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const scale = scaleOption(0.1);
  // Parcels lie among the lines of a tenth, which are as dense.
  const part = new Land(Math.min(scale, 0.1));
  const whole = setOf(new Land(scale), part);
  return [
    row('scale of the generated country', scale, 'of national size'),
    ...sizeRows(whole, scale),
    ...(await parcelRows(whole, part)),
    ...(flag('memory') ? [] : await storeRows(cleanup)),
  ];
}

function setOf(land: Land, part = land): SnapshotSet {
  const copy = { version: 1, syncedAtMs: Date.now(), held: false };
  const buffers = [
    ...NATIONAL_CONDITIONS.map((id) => conditionSnapshot(land, id)),
    ...LINE_KEYS.map((key) => lineSnapshot(part, key)),
    areaSnapshot(part, 'kommune'),
  ];
  const layers = buffers.map((buffer) => {
    const snapshot = openLayerSnapshot(buffer, { verified: true });
    return [snapshot.meta.layer, { copy, snapshot }] as const;
  });
  return new SnapshotSet(1, new Map(layers), new EngineCache());
}

function sizeRows({ layers }: SnapshotSet, scale: number): BenchRow[] {
  const own = NATIONAL_CONDITIONS.map((id) => layers.get(id)!.snapshot);
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const bytes = sum(own.map(({ buffer }) => buffer.byteLength));
  return [
    row('rows of fifteen conditions', sum(own.map(({ meta }) => meta.featureCount)), 'rows'),
    row('their vertices', sum(own.map(({ meta }) => meta.vertexCount)), 'vertices'),
    row('memory of fifteen conditions', bytes / MIB, 'MiB'),
    row('the same at national size, all threads share it', bytes / MIB / scale, 'MiB', {
      gate: '<= 900 (goal 400)',
    }),
  ];
}

/** Of 20 km², around the first place. */
function largeArea(land: Land): Uint8Array {
  const random = randomFrom(25);
  const [{ xUtm32: x, yUtm32: y }] = land.points(1, 5) as [PointUtm32];
  const ring = Array.from({ length: 9_999 }, (_, n) => {
    const [angle, radius] = [(2 * Math.PI * n) / 9_999, 2_500 + 20 * random()];
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
  return areaPlace([[[...ring, ring[0]!, ring[1]!]]]).wkb;
}

/** Parcels of seventeen vertices, of a house's to a field's size, where people ask. */
function parcelsOf(land: Land, count: number): readonly Uint8Array[] {
  const random = randomFrom(54);
  return land.points(count, 5).map(({ xUtm32, yUtm32 }) => {
    const reach = 18 * Math.exp(0.6 * normalFrom(random));
    const ring = Array.from({ length: 16 }, (_, n) => {
      const radius = reach * (0.8 + 0.4 * random());
      const angle = (2 * Math.PI * n) / 16;
      return [
        toCentimetre(xUtm32 + radius * Math.cos(angle)),
        toCentimetre(yUtm32 + radius * Math.sin(angle)),
      ];
    }).flat();
    return areaPlace([[[...ring, ring[0]!, ring[1]!]]]).wkb;
  });
}

function asked(wkb: Uint8Array): PlacesQuestion {
  const today = new Date().toISOString().slice(0, 10);
  return { wkbs: [wkb], layers: LAYERS, radiusM: 500, today, mostObjects: 20, onLineM: 0.5 };
}

async function parcelRows(set: SnapshotSet, land: Land): Promise<BenchRow[]> {
  const parcels = parcelsOf(land, PARCELS);
  for (const wkb of parcels.slice(0, 1_000)) await readHeld(set, asked(wkb));
  const times: number[] = [];
  const cpuUs = await processCpuUs(async () => {
    for (const wkb of parcels) {
      const from = performance.now();
      await readHeld(set, asked(wkb));
      times.push(1000 * (performance.now() - from));
    }
  });
  const large = asked(largeArea(land));
  await readHeld(set, large);
  const ofLargeUs = await processCpuUs(() => readHeld(set, large));
  const meanUs = times.reduce((a, b) => a + b, 0) / PARCELS;
  return [
    row('20 km² of 10,000 vertices, processor time', ofLargeUs / 1000, 'ms'),
    row('parcel of 17 vertices, 25 layers, mean', meanUs, 'µs', { gate: '<= 400 (goal 100)' }),
    row('the same, processor time', cpuUs / PARCELS, 'µs'),
    row('the same, median', median(times), 'µs'),
    row('the same, p99', quantile(times, 0.99), 'µs', { gate: '<= 5000 (goal 1000)' }),
  ];
}

async function storeRows(cleanup: Cleanup): Promise<BenchRow[]> {
  const data = await openPostgres(cleanup);
  const land = new Land(STORE_SCALE);
  const store = await openMigrated(cleanup, data, { maxConnections: 1 });
  await fillStore(store, land);
  for (const id of NATIONAL_CONDITIONS) await fillCondition(store, land, id);
  await sql`vacuum analyze`.execute(store.db);
  const set = setOf(land);
  return [
    ...(await statementRows(store, land, set)),
    ...(await sharedRows(store, land, set)),
    ...(await httpRows(cleanup, data.settings, land)),
  ];
}

async function fillCondition(store: Store, land: Land, id: ConditionId): Promise<void> {
  const all = [...conditionFeatures(land, id)];
  for (let n = 0; n < all.length; n += 2_000)
    await insertConditions(store, id, all.slice(n, n + 2_000));
  await sql`
    insert into condition_piece (layer, key, geom)
    select layer, key, ST_Subdivide(geom, 64) from condition_feature where layer = ${id}`.execute(
    store.db,
  );
  await publish(store, id);
}

async function insertConditions(
  store: Store,
  id: ConditionId,
  rows: readonly GeneratedCondition[],
) {
  const attributes = rows.map(({ key, values }) =>
    JSON.stringify({ validFrom: dayOf(Number(key)), validTo: null, values }),
  );
  await sql`
    insert into condition_feature (layer, key, object_id, standing, adopted, content_hash, attributes,
      area_m2, valid_from, geom)
    select ${id}, key, key, 'in_force', true, '\\x00', attributes::jsonb, 1000,
      (attributes::jsonb->>'validFrom')::date, ST_Multi(sound_geometry(ST_GeomFromWKB(wkb, 25832), 3))
    from unnest(${rows.map(({ key }) => key)}::text[], ${attributes}::text[],
      ${rows.map(({ wkb }) => Buffer.from(wkb))}::bytea[]) as given (key, attributes, wkb)`.execute(
    store.db,
  );
}

/** Parcels where people ask, and polygons up to 3 km wide, half of them with a hole. */
async function sharedRows(store: Store, land: Land, set: SnapshotSet): Promise<BenchRow[]> {
  const random = randomFrom(55);
  const count = (name: string, gate: number, night: number) =>
    numberOption(name, amountOf({ gate, night }));
  const polygons = land
    .points(count('polygons', 500, 5_000), 6)
    .map(({ xUtm32, yUtm32 }) => areaPlace([starAt(xUtm32, yUtm32, random)]).wkb);
  const kinds = [
    { name: 'parcels', wkbs: parcelsOf(land, count('parcels', 2_000, 20_000)) },
    { name: 'polygons', wkbs: polygons },
  ];
  const rows: BenchRow[] = [];
  for (const { name, wkbs } of kinds) {
    const places = wkbs.map((wkb) => ({ ...asked(wkb), layers: NATIONAL_CONDITIONS }));
    rows.push(...(await judgeRows(store, set, { name, places })));
  }
  return rows;
}

async function statementRows(store: Store, land: Land, set: SnapshotSet): Promise<BenchRow[]> {
  const parcels = parcelsOf(land, HELD_AGAINST);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db);
  const pid = rows[0]!.pid;
  const from = serverUs(pid);
  const stored: PlacesRead[] = [];
  for (const wkb of parcels) stored.push(await readPlaces(store, asked(wkb)));
  const theirsUs = (serverUs(pid) - from) / parcels.length;
  const ours: PlacesRead[] = [];
  const oursUs = await processCpuUs(async () => {
    for (let round = 0; round < 5; round++) {
      ours.length = 0;
      for (const wkb of parcels) ours.push(await readHeld(set, asked(wkb)));
    }
  });
  const differs = (wkb: Uint8Array, n: number): boolean => {
    const place = { ...asked(wkb), layers: NATIONAL_CONDITIONS };
    return differencesOf(place, ours[n]!, stored[n]!).length > 0;
  };
  return [
    row('the statement of PostGIS, processor time of a parcel', theirsUs, 'µs', {
      beside: ['from memory', oursUs / 5 / parcels.length],
      ratioGate: '>= 10 (goal 50)',
    }),
    row(
      `parcels of ${HELD_AGAINST} that differ from it`,
      parcels.filter(differs).length,
      'parcels',
      {
        gate: '0',
      },
    ),
  ];
}

async function httpRows(
  cleanup: Cleanup,
  settings: Readonly<Record<string, string>>,
  land: Land,
): Promise<BenchRow[]> {
  const server = await startService(cleanup, settings);
  const lag = LAYERS.map((layer) => layer.replace('forhold_', '')).join(',');
  const places = placesOf(land);
  const paths = {
    lines: places.map((place) => get(linesPath(place), server.key)),
    conditions: places.map((place) =>
      get(linesPath(place).replace('natur/byggelinjer', 'forhold') + `&lag=${lag}`, server.key),
    ),
  };
  const at = (requests: readonly Buffer[]) => async (round: number) =>
    (await pace(server, requests, { durationMs: ROUND_MS, round, perSecond: PER_SECOND })).p99Ms;
  const contestants = { lines: at(paths.lines), conditions: at(paths.conditions) };
  const times = await interleave(contestants, { rounds: ROUNDS, warmUps: 1 });
  const sample = await ask(server, new TextDecoder().decode(paths.conditions[0]).split(' ')[1]!);
  if (!isFromMemory(sample)) throw new Error('Not answered from memory.');
  const load = { connections: 4, durationMs: ROUND_MS };
  const lines = await measureServer(server, { requests: paths.lines, ...load });
  const conditions = await measureServer(server, { requests: paths.conditions, ...load });
  return [
    row(`25 layers at a point over HTTP, p99 at ${PER_SECOND}/s`, median(times.conditions), 'ms', {
      beside: ['byggelinjer', median(times.lines)],
      ratioGate: '<= 2.5 (goal 1.5)',
    }),
    row('the same, processor time of the server', conditions.cpuUs, 'µs', {
      beside: ['byggelinjer', lines.cpuUs],
    }),
    row('body of it, mean', conditions.bodyBytes, 'bytes', {
      beside: ['byggelinjer', lines.bodyBytes],
    }),
  ];
}
