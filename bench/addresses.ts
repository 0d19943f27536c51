/**
 * The book of addresses and its finder at `--scale=` of national size: nearest beside PostGIS,
 * autocomplete beside a scan of all road names, datavask on two threads beside one.
 */
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import type { AddressFinder } from '../src/layers/addresses.ts';
import { openAddressBook } from '../src/addresses/book.ts';
import type { OpenAddressBook } from '../src/addresses/book.ts';
import { buildAddressBook } from '../src/addresses/build-book.ts';
import { createAddressFinder } from '../src/addresses/finder.ts';
import { fold } from '../src/addresses/fold.ts';
import { findPostgres } from '../test/support/postgres-binaries.ts';
import { startCluster } from '../test/support/postgres-cluster.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { addressDrawer, MUTATIONS } from './national/mutations.ts';
import { option } from './option.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const RADIUS_M = 100;
const PLACES = 20_000;
const ROUNDS = 5;
const SLICE = 100;
/** Autocomplete requests a second, and how many are asked. */
const ASKED_PER_S = 200;
const ASKED = 4_000;
const WASHED = 6_000;

export async function benchAddresses(): Promise<readonly BenchRow[]> {
  const scale = Number(option('scale') ?? '0.03');
  const land = new Land(scale);
  const started = performance.now();
  const buffer = buildAddressBook(1, nationalAddresses(land));
  const builtS = (performance.now() - started) / 1000;
  const opening = performance.now();
  const book = openAddressBook(buffer);
  const openMs = performance.now() - opening;
  const indexing = performance.now();
  const finder = createAddressFinder(book);
  const indexMs = performance.now() - indexing;
  const mebibytes = buffer.byteLength / 2 ** 20;
  return [
    row({ what: 'scale of the generated country', value: scale, unit: 'of national size' }),
    row({ what: 'access addresses', value: book.accessCount, unit: 'addresses' }),
    row({ what: 'unit addresses', value: book.unitCount, unit: 'addresses' }),
    row({ what: 'generate and build the book', value: builtS, unit: 's' }),
    row({
      what: 'book in memory',
      value: mebibytes,
      unit: 'MiB',
      gate: { text: '<= 400 at national size', pass: mebibytes <= 400 },
    }),
    row({ what: 'open it, checksum included', value: openMs, unit: 'ms' }),
    row({ what: 'ready the finder', value: indexMs, unit: 'ms' }),
    ...(await benchNearest(book, land)),
    ...benchSuggest(book, finder),
    ...(await benchWashRate(book)),
  ];
}

async function benchNearest(book: OpenAddressBook, land: Land): Promise<readonly BenchRow[]> {
  const xy = placesNear(book, land);
  const points = Array.from({ length: xy.length / 2 }, (_, i) => {
    return { xUtm32: xy[2 * i]!, yUtm32: xy[2 * i + 1]! };
  });
  const meanUs = timePerItem(points, (point) => book.nearest(point, RADIUS_M)?.distanceM ?? 0);
  const engineUs = timePerItem(points, (point) => book.nearestPlace(point, RADIUS_M));
  const judge = await postgisNearest(book, xy);
  const reference =
    judge === null ? {} : { reference: { what: 'PostGIS, set-based', value: judge.meanUs } };
  const rows = [
    row({
      what: `nearest address within ${RADIUS_M} m, its place`,
      value: engineUs,
      unit: 'µs',
      ...reference,
      gate: { text: '<= 2 (goal 0.4)', pass: engineUs <= 2 },
    }),
    row({ what: '… with the whole record', value: meanUs, unit: 'µs', ...reference }),
  ];
  if (judge === null) return rows;
  let different = 0;
  for (const [i, point] of points.entries()) {
    if ((book.nearest(point, RADIUS_M)?.address.id ?? null) !== judge.ids[i]) different += 1;
  }
  const gate = { text: '0', pass: different === 0 };
  const what = `answers other than PostGIS's, of ${points.length}`;
  return [...rows, row({ what, value: different, unit: 'points', gate })];
}

/** Half at addresses or a few metres off, half anywhere on land. */
function placesNear(book: OpenAddressBook, land: Land): Float64Array {
  const xy = land.places(PLACES, 5);
  const random = randomFrom(31);
  for (let i = 0; i < PLACES; i += 2) {
    const { position } = book.accessAt(Math.floor(random() * book.accessCount));
    if (position === null) continue;
    xy[2 * i] = position.xUtm32 + Math.floor(60 * random()) - 30;
    xy[2 * i + 1] = position.yUtm32 + Math.floor(60 * random()) - 30;
  }
  return xy;
}

/** PostGIS over the same points; null when there is none on this machine. */
async function postgisNearest(
  book: OpenAddressBook,
  xy: Float64Array,
): Promise<{ meanUs: number; ids: readonly (string | null)[] } | null> {
  if (findPostgres() === null) return null;
  const cluster = await startCluster();
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  try {
    await client.connect();
    await client.query('create extension postgis');
    await client.query('create table address (id uuid, point geometry(point, 25832))');
    await client.query('create table asked (place int, point geometry(point, 25832))');
    const addresses = function* () {
      for (let i = 0; i < book.accessCount; i++) {
        const { id, position, status } = book.accessAt(i);
        if (status === 3 && position !== null)
          yield [id, position.xUtm32, position.yUtm32] as const;
      }
    };
    await insert(client, 'address', { type: 'uuid', rows: addresses() });
    const asked = Array.from({ length: xy.length / 2 }, (_, i) => {
      return [i, xy[2 * i]!, xy[2 * i + 1]!] as const;
    });
    await insert(client, 'asked', { type: 'int', rows: asked });
    await client.query('create index on address using gist (point)');
    await client.query('vacuum analyze address');
    const timed = `
      select count(near.id) from asked left join lateral (
        select id from address where st_dwithin(address.point, asked.point, ${RADIUS_M})
        order by address.point <-> asked.point limit 1) near on true`;
    await client.query(timed);
    const start = performance.now();
    await client.query(timed);
    const meanUs = ((performance.now() - start) * 1000) / asked.length;
    const { rows } = await client.query<{ id: string | null }>(`
      select near.id from asked left join lateral (
        select id from address where st_dwithin(address.point, asked.point, ${RADIUS_M})
        order by st_distance(address.point, asked.point), id limit 1) near on true
      order by asked.place`);
    return { meanUs, ids: rows.map(({ id }) => id) };
  } finally {
    await client.end();
    await cluster.stop();
  }
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
function benchSuggest(book: OpenAddressBook, finder: AddressFinder): readonly BenchRow[] {
  const draw = addressDrawer(book, randomFrom(41));
  const random = randomFrom(42);
  const texts: string[] = [];
  while (texts.length < ASKED) {
    const { roadName, houseNumber, postcode, floor, door } = draw('unit', false);
    const unit = floor === null ? '' : `, ${floor}. ${door ?? ''}`;
    const whole = `${roadName} ${houseNumber}${unit}, ${postcode.code} ${postcode.name}`;
    const typed = random() < 0.2 ? whole.toLowerCase().replace(/[aeiou]/, '') : whole;
    const last = Math.min(typed.length, roadName.length + 4 + Math.floor(20 * random()));
    for (let n = 1; n <= last; n++) texts.push(typed.slice(0, n));
  }
  const ask = (text: string): number =>
    finder.suggest({
      ...{ text, caret: text.length, depth: 'unit', limit: 20 },
      ...{ municipalityCodes: [], postcodes: [] },
    }).length;
  for (const text of texts.slice(0, 1_000)) ask(text);
  const served = Float64Array.from(texts.slice(0, ASKED), (text) => {
    const start = performance.now();
    ask(text);
    return performance.now() - start;
  });
  const queued = queueAt(served, ASKED_PER_S);
  const names = Array.from({ length: book.columns.names.count - 1 }, (_, i) =>
    fold(book.columns.names.at(i + 1)),
  );
  const scanned = Float64Array.from(texts.slice(0, 300), (text) => {
    const start = performance.now();
    const folded = fold(text);
    names.filter((name) => name.startsWith(folded)).slice(0, 20);
    return performance.now() - start;
  });
  const p99 = quantile(queued, 0.99);
  return [
    row({
      what: 'autocomplete, one keystroke, median',
      value: quantile(served, 0.5) * 1000,
      unit: 'µs',
      reference: { what: 'scan of all road names', value: quantile(scanned, 0.5) * 1000 },
    }),
    row({ what: 'autocomplete, one keystroke, slowest', value: quantile(served, 1), unit: 'ms' }),
    row({
      what: `autocomplete at ${ASKED_PER_S} requests/s in one thread, p99`,
      value: p99,
      unit: 'ms',
      gate: { text: '<= 30 (goal 10)', pass: p99 <= 30 },
    }),
  ];
}

/** Waiting and service of requests that come by chance so many a second, by Lindley's recursion. */
function queueAt(served: Float64Array, perSecond: number): Float64Array {
  const random = randomFrom(43);
  let waiting = 0;
  return served.map((ms) => {
    const total = waiting + ms;
    waiting = Math.max(0, total + (Math.log(1 - random()) * 1000) / perSecond);
    return total;
  });
}

async function benchWashRate(book: OpenAddressBook): Promise<readonly BenchRow[]> {
  const texts = washTexts(book, WASHED);
  const alone = await washIn(book.buffer, [texts]);
  const both = await washIn(book.buffer, [texts, washTexts(book, WASHED)]);
  return [
    row({
      what: 'datavask, mutated texts, two threads',
      value: both.perSecond,
      unit: 'addresses/s',
      reference: { what: 'one thread', value: alone.perSecond },
      gate: { text: '>= 1,000 (goal 5,000)', pass: both.perSecond >= 1_000 },
    }),
    row({
      what: '… by the processor time of two cores',
      value: 2 * both.perCoreSecond,
      unit: 'addresses/s',
      reference: { what: 'one thread', value: alone.perCoreSecond },
    }),
  ];
}

/** Texts of every mutation in turn. */
function washTexts(book: OpenAddressBook, count: number): readonly string[] {
  const random = randomFrom(51);
  const draw = addressDrawer(book, random);
  const mutations = Object.entries(MUTATIONS);
  const texts: string[] = [];
  for (let i = 0; texts.length < count; i++) {
    const [name, mutate] = mutations[i % mutations.length]!;
    const text = mutate(draw('unit', name.startsWith('former')), random);
    if (text !== null) texts.push(text);
  }
  return texts;
}

/** Addresses a second over all threads, each with its own finder over the one book; and of one core. */
async function washIn(
  buffer: SharedArrayBuffer,
  shares: readonly (readonly string[])[],
): Promise<{ perSecond: number; perCoreSecond: number }> {
  const begin = new Int32Array(new SharedArrayBuffer(4));
  const workers = shares.map(
    (texts) =>
      new Worker(new URL('./address-washer.ts', import.meta.url), {
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

/** Of slices the fastest round counts, as in the other engines' rows. */
function timePerItem<T>(items: readonly T[], work: (item: T) => number): number {
  const best = new Float64Array(Math.ceil(items.length / SLICE)).fill(Infinity);
  let kept = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const slice of best.keys()) {
      const some = items.slice(slice * SLICE, (slice + 1) * SLICE);
      const start = performance.now();
      for (const item of some) kept += work(item);
      best[slice] = Math.min(best[slice]!, performance.now() - start);
    }
  }
  if (Number.isNaN(kept)) throw new Error('A benchmark answered NaN.');
  return (best.reduce((a, b) => a + b, 0) * 1000) / items.length;
}

function quantile(values: Float64Array, share: number): number {
  const sorted = values.slice().sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
