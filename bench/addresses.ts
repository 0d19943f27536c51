/**
 * The address index and its finder at `--scale=` of national size: nearest beside PostGIS,
 * autocomplete beside a scan of all road names, datavask on two threads beside one.
 */
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { PointUtm32 } from '../src/geo/point.ts';
import type { AddressFinder } from '../src/registers/addresses/addresses.ts';
import { NO_FILTER } from '../src/registers/addresses/addresses.ts';
import { openAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import type { OpenAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../src/registers/addresses/index/finder.ts';
import { normalize } from '../src/names/normalize.ts';
import { findPostgres } from '../test/support/postgres-binaries.ts';
import { microsecondsPerItem, quantile, seconds } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openClient, openPostgres } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land, pointsOf, randomFrom } from './national/land.ts';
import { addressDrawer, MUTATIONS } from './national/mutations.ts';
import { typedTexts } from './national/typing.ts';

const RADIUS_M = 100;
const PLACES = 20_000;
/** Autocomplete requests a second, and how many are asked. */
const ASKED_PER_S = 200;
const ASKED = 4_000;
const CLEANSED = 6_000;

export async function benchAddresses(): Promise<readonly BenchRow[]> {
  const scale = scaleOption();
  const land = new Land(scale);
  const [buffer, buildMs] = timed(() => buildAddressIndex(1, nationalAddresses(land)));
  const [addressIndex, openMs] = timed(() => openAddressIndex(buffer));
  const [finder, readyMs] = timed(() => createAddressFinder(addressIndex));
  return [
    row('scale of the generated country', scale, 'of national size'),
    row('access addresses', addressIndex.accessCount, 'addresses'),
    row('unit addresses', addressIndex.unitCount, 'addresses'),
    row('generate and build the index', buildMs / 1000, 's'),
    row('index in memory', buffer.byteLength / 2 ** 20, 'MiB', { gate: '<= 400 at national size' }),
    row('open it, checksum included', openMs, 'ms'),
    row('ready the finder', readyMs, 'ms'),
    ...(await benchNearest(addressIndex, land)),
    ...benchSuggest(addressIndex, finder),
    ...(await benchCleansingRate(addressIndex)),
  ];
}

function timed<T>(work: () => T): [result: T, ms: number] {
  const started = performance.now();
  return [work(), performance.now() - started];
}

async function benchNearest(
  addressIndex: OpenAddressIndex,
  land: Land,
): Promise<readonly BenchRow[]> {
  const xy = placesNear(addressIndex, land);
  const points = pointsOf(xy);
  const recordUs = microsecondsPerItem(
    points,
    (point) => addressIndex.nearest(point, RADIUS_M)?.distanceM ?? 0,
  );
  const placeUs = microsecondsPerItem(points, (point) =>
    addressIndex.nearestPlace(point, RADIUS_M),
  );
  const judge = await postgisNearest(addressIndex, xy);
  const beside = judge === null ? undefined : (['PostGIS, set-based', judge.meanUs] as const);
  const what = `nearest address within ${RADIUS_M} m, its place`;
  const rows = [
    row(what, placeUs, 'µs', { beside, gate: '<= 2 (goal 0.4)' }),
    row('… with the whole record', recordUs, 'µs', { beside }),
  ];
  if (judge === null) return rows;
  const idOf = (point: PointUtm32) => addressIndex.nearest(point, RADIUS_M)?.address.id ?? null;
  const different = points.filter((point, i) => idOf(point) !== judge.ids[i]).length;
  const differences = `answers other than PostGIS's, of ${points.length}`;
  return [...rows, row(differences, different, 'points', { gate: '0' })];
}

/** Half at addresses or a few metres off, half anywhere on land. */
function placesNear(addressIndex: OpenAddressIndex, land: Land): Float64Array {
  const xy = land.places(PLACES, 5);
  const random = randomFrom(31);
  for (let i = 0; i < PLACES; i += 2) {
    const { position } = addressIndex.accessAt(Math.floor(random() * addressIndex.accessCount));
    if (position === null) continue;
    xy[2 * i] = position.xUtm32 + Math.floor(60 * random()) - 30;
    xy[2 * i + 1] = position.yUtm32 + Math.floor(60 * random()) - 30;
  }
  return xy;
}

/** PostGIS over the same points; null when there is none on this machine. */
async function postgisNearest(
  addressIndex: OpenAddressIndex,
  xy: Float64Array,
): Promise<{ meanUs: number; ids: readonly (string | null)[] } | null> {
  if (findPostgres() === null) return null;
  await using cleanup = new AsyncDisposableStack();
  const { databaseUrl } = await openPostgres(cleanup);
  const client = await openClient(cleanup, databaseUrl);
  await client.query('create extension postgis');
  await client.query('create table address (id uuid, point geometry(point, 25832))');
  await client.query('create table asked (place int, point geometry(point, 25832))');
  const addresses = function* () {
    for (let i = 0; i < addressIndex.accessCount; i++) {
      const { id, position, status } = addressIndex.accessAt(i);
      if (status === 3 && position !== null) yield [id, position.xUtm32, position.yUtm32] as const;
    }
  };
  await insert(client, 'address', { type: 'uuid', rows: addresses() });
  const asked = Array.from({ length: xy.length / 2 }, (_, i) => {
    return [i, xy[2 * i]!, xy[2 * i + 1]!] as const;
  });
  await insert(client, 'asked', { type: 'int', rows: asked });
  await client.query('create index on address using gist (point)');
  await client.query('vacuum analyze address');
  const nearest = `
    select count(near.id) from asked left join lateral (
      select id from address where st_dwithin(address.point, asked.point, ${RADIUS_M})
      order by address.point <-> asked.point limit 1) near on true`;
  await client.query(nearest);
  const meanUs = ((await seconds(() => client.query(nearest))) * 1e6) / asked.length;
  const { rows } = await client.query<{ id: string | null }>(`
    select near.id from asked left join lateral (
      select id from address where st_dwithin(address.point, asked.point, ${RADIUS_M})
      order by st_distance(address.point, asked.point), id limit 1) near on true
    order by asked.place`);
  return { meanUs, ids: rows.map(({ id }) => id) };
}

async function insert(
  client: pg.Client,
  table: string,
  { type, rows }: { type: string; rows: Iterable<readonly [string | number, number, number]> },
): Promise<void> {
  let some: (readonly [string | number, number, number])[] = [];
  const flush = async (): Promise<void> => {
    await client.query(
      `insert into ${table}
       select key, st_setsrid(st_makepoint(x, y), 25832)
       from unnest($1::${type}[], $2::float8[], $3::float8[]) as given (key, x, y)`,
      [some.map(([key]) => key), some.map(([, x]) => x), some.map(([, , y]) => y)],
    );
    some = [];
  };
  for (const each of rows) if (some.push(each) === 20_000) await flush();
  await flush();
}

/** Somebody typing addresses letter by letter, as many requests a second as the gate asks for. */
function benchSuggest(addressIndex: OpenAddressIndex, finder: AddressFinder): readonly BenchRow[] {
  const draw = addressDrawer(addressIndex, randomFrom(41));
  const random = randomFrom(42);
  const texts: string[] = [];
  while (texts.length < ASKED) {
    const { roadName, houseNumber, postcode, floor, door } = draw('unit', false);
    const unit = floor === null ? '' : `, ${floor}. ${door ?? ''}`;
    const whole = `${roadName} ${houseNumber}${unit}, ${postcode.code} ${postcode.name}`;
    texts.push(...typedTexts([{ whole, roadName }], random));
  }
  const ask = (text: string): number =>
    finder.suggest({
      ...{ text, caret: text.length, depth: 'unit', limit: 20 },
      ...NO_FILTER,
    }).length;
  for (const text of texts.slice(0, 1_000)) ask(text);
  const served = texts.slice(0, ASKED).map((text) => timed(() => ask(text))[1]);
  const names = Array.from({ length: addressIndex.columns.names.count - 1 }, (_, i) =>
    normalize(addressIndex.columns.names.at(i + 1)),
  );
  const scan = (text: string): unknown => {
    const folded = normalize(text);
    return names.filter((name) => name.startsWith(folded)).slice(0, 20);
  };
  const scanned = texts.slice(0, 300).map((text) => timed(() => scan(text))[1]);
  const p99Ms = quantile(queueAt(served, ASKED_PER_S), 0.99);
  return [
    row('autocomplete, one keystroke, median', quantile(served, 0.5) * 1000, 'µs', {
      beside: ['scan of all road names', quantile(scanned, 0.5) * 1000],
    }),
    row('autocomplete, one keystroke, slowest', quantile(served, 1), 'ms'),
    row(`autocomplete at ${ASKED_PER_S} requests/s in one thread, p99`, p99Ms, 'ms', {
      gate: '<= 30 (goal 10)',
    }),
  ];
}

/** Waiting and service of requests that come by chance so many a second, by Lindley's recursion. */
function queueAt(served: readonly number[], perSecond: number): number[] {
  const random = randomFrom(43);
  let waiting = 0;
  return served.map((ms) => {
    const total = waiting + ms;
    waiting = Math.max(0, total + (Math.log(1 - random()) * 1000) / perSecond);
    return total;
  });
}

async function benchCleansingRate(addressIndex: OpenAddressIndex): Promise<readonly BenchRow[]> {
  const texts = cleanseTexts(addressIndex, CLEANSED);
  const alone = await cleanseIn(addressIndex.buffer, [texts]);
  const both = await cleanseIn(addressIndex.buffer, [texts, cleanseTexts(addressIndex, CLEANSED)]);
  return [
    row('datavask, mutated texts, two threads', both.perSecond, 'addresses/s', {
      beside: ['one thread', alone.perSecond],
      gate: '>= 1,000 (goal 5,000)',
    }),
    row('… by the processor time of two cores', 2 * both.perCoreSecond, 'addresses/s', {
      beside: ['one thread', alone.perCoreSecond],
    }),
  ];
}

/** Texts of every mutation in turn. */
function cleanseTexts(addressIndex: OpenAddressIndex, count: number): readonly string[] {
  const random = randomFrom(51);
  const draw = addressDrawer(addressIndex, random);
  const mutations = Object.entries(MUTATIONS);
  const texts: string[] = [];
  for (let i = 0; texts.length < count; i++) {
    const [name, mutate] = mutations[i % mutations.length]!;
    const text = mutate(draw('unit', name.startsWith('former')), random);
    if (text !== null) texts.push(text);
  }
  return texts;
}

/** Addresses a second over all threads, each with its own finder over the one index; and of one core. */
async function cleanseIn(
  buffer: SharedArrayBuffer,
  shares: readonly (readonly string[])[],
): Promise<{ perSecond: number; perCoreSecond: number }> {
  const begin = new Int32Array(new SharedArrayBuffer(4));
  const workers = shares.map(
    (texts) =>
      new Worker(new URL('./address-cleanser.ts', import.meta.url), {
        workerData: { buffer, texts, begin },
      }),
  );
  const next = (worker: Worker): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await Promise.all(workers.map(next));
  const start = performance.now();
  Atomics.store(begin, 0, 1);
  Atomics.notify(begin, 0);
  const used = (await Promise.all(workers.map(next))) as number[];
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(workers.map((worker) => worker.terminate()));
  const count = shares.reduce((sum, { length }) => sum + length, 0);
  return { perSecond: count / seconds, perCoreSecond: count / used.reduce((a, b) => a + b, 0) };
}
