import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { pageTask } from '../../src/wfs/page-task.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import { createWorkers } from '../../workers/pool.ts';

/** Pairs of `0 0, 10 0, 10 10, 0 0`. */
const pairs = (text: string): number[][] =>
  text.split(', ').map((pair) => pair.split(' ').map(Number));
const polygon = (corners: string) => ({ type: 'Polygon', coordinates: [pairs(corners)] });
const SQUARE = '700000 6200000, 700010 6200000, 700010 6200010, 700000 6200000';
const row = (id: string, more: object = {}) => ({
  Objekt_id: id,
  Statuskode: '3.0',
  Off_kode: 1,
  Systid_til: null,
  ...more,
});
const feature = (properties: object, geometry: unknown = polygon(SQUARE)) => ({
  type: 'Feature',
  properties,
  geometry,
});
const page = (features: unknown[], more: object = {}): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ type: 'FeatureCollection', numberMatched: 99, features, ...more }),
  );
const layer = LINE_LAYERS.soe;

const pool = createWorkers({ threads: 1 });
afterAll(() => pool.close());

describe('parsing a page', () => {
  test('accounts for every member once: feature, skipped or issue', () => {
    const parsed = parsePage(
      pageTask(
        layer,
        page([
          feature(row('a')),
          feature(row('b', { Statuskode: 4 })),
          feature(row('c', { Off_kode: 2 }), null),
          feature(row('d', { Systid_til: '2020-01-01' })),
          feature(row('e'), null),
          feature(row('f'), {
            type: 'LineString',
            coordinates: pairs('700000 6200000, 700001 6200000'),
          }),
          feature(
            row('g'),
            polygon('6200000 700000, 6200010 700000, 6200010 700010, 6200000 700000'),
          ),
          feature({ Statuskode: 3 }),
        ]),
      ),
    );
    expect(parsed).toMatchObject({ members: 8, numberMatched: 99, numberReturned: null });
    expect(parsed.features.map(({ key, standing, adopted }) => [key, standing, adopted])).toEqual([
      ['a', 'in_force', true],
      ['b', 'repealed', false],
    ]);
    expect(parsed.skipped).toEqual({ 'not public (Off_kode)': 1, 'old version (Systid_til)': 1 });
    expect(parsed.issues.map(({ key, reason }) => ({ key, reason }))).toEqual([
      { key: 'e', reason: 'no geometry' },
      { key: 'f', reason: 'a LineString where an area is expected' },
      { key: 'g', reason: '6200000 700000 in EPSG:25832 is not in or near Denmark' },
      { key: null, reason: 'no Objekt_id' },
    ]);
    const square = [700_000, 6_200_000, 700_010, 6_200_010];
    expect(parsed.issues.map(({ place }) => place?.box ?? null)).toEqual([
      null,
      [700_000, 6_200_000, 700_001, 6_200_000],
      null,
      square,
    ]);
  });

  test('hashes what is stored: equal features are equal, any change is a change', () => {
    const hashOf = (properties: object, geometry?: unknown): string => {
      const [one] = parsePage(pageTask(layer, page([feature(properties, geometry)]))).features;
      return Buffer.from(one?.hash ?? []).toString('hex');
    };
    const base = hashOf(row('a', { Link: 'https://a.dk' }));
    const turned = { Link: 'https://a.dk', ...row('a'), Bruger_id: 'x', Statuskode: 3 };
    expect(hashOf(turned)).toBe(base);
    expect(hashOf(row('a'))).not.toBe(base);
    expect(hashOf(row('a', { Link: 'https://a.dk', Statuskode: 2 }))).not.toBe(base);
    const other = polygon(SQUARE.replaceAll('700000 6200000', '700000 6200000.001'));
    expect(hashOf(row('a', { Link: 'https://a.dk' }), other)).not.toBe(base);
  });
});

describe('the worker threads', () => {
  test('take the bytes over, and give all geometries back in one buffer', async () => {
    const bytes = page([feature(row('a')), feature(row('b'))]);
    const { features } = await pool.parsePage(pageTask(layer, bytes));
    expect(bytes.byteLength).toBe(0);
    const buffers = new Set(features.flatMap(({ wkb, hash }) => [wkb.buffer, hash.buffer]));
    expect(buffers.size).toBe(1);
  });

  test('leave a slice of a larger buffer to its owner', async () => {
    const bytes = page([feature(row('a'))]);
    const larger = new Uint8Array(bytes.length + 100);
    larger.set(bytes, 50);
    const slice = larger.subarray(50, 50 + bytes.length);
    const { features } = await pool.parsePage(pageTask(layer, slice));
    expect(features).toHaveLength(1);
    expect(larger.byteLength).toBe(bytes.length + 100);
  });

  test('refuse what does not fit in the queue', async () => {
    const small = createWorkers({ threads: 1, queue: 1 });
    onTestFinished(() => small.close());
    const tasks = Array.from({ length: 6 }, () => small.parsePage(pageTask(layer, page([]))));
    const outcomes = await Promise.allSettled(tasks);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const outcome of refused) {
      expect((outcome as PromiseRejectedResult).reason).toMatchObject({ type: 'overloaded' });
    }
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  });

  test('serve who waits in the order they came, however many come after', async () => {
    const ended: number[] = [];
    let asked = 0;
    const client = async (): Promise<void> => {
      for (let time = 0; time < 10; time++) {
        const turn = asked++;
        await pool.parsePage(pageTask(layer, page([feature(row('a'))])));
        ended.push(turn);
      }
    };
    await Promise.all(Array.from({ length: 6 }, client));
    expect(ended).toEqual(Array.from({ length: 60 }, (_, turn) => turn));
  });
});

test('the result of a task that is given up when it is done already ends nobody', async () => {
  const task = () => pageTask(layer, page([feature(row('a'))]));
  await pool.parsePage(task());
  let givenUp = 0;
  for (let round = 0; givenUp < 5 && round < 200; round += 1) {
    const giveUp = new AbortController();
    const first = pool.parsePage(task());
    const second = pool.parsePage(task(), giveUp.signal).then(
      // The pool has read its message together with that of the first.
      () => 'answered',
      (error: unknown) => (error as Error).message,
    );
    await first.then(() => {
      // By then the thread has answered the second as well, and its message is the next to be read.
      const until = performance.now() + 30;
      while (performance.now() < until);
      giveUp.abort();
    });
    const ended = await second;
    if (ended === 'given up while waiting for a thread') givenUp += 1;
    else expect(ended).toBe('answered');
    await setImmediate();
  }
  expect(givenUp).toBe(5);
});
