/**
 * Features that cannot be read (D143), one kind after the other in a layer of sound ones: no point in one or
 * near one is answered no, whoever answers, at the first copy as at later ones; and what the version says of
 * them goes with it, and back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { lakeOf, lakesFrom, startGeoJsonWfs } from '../support/geojson-wfs.ts';
import { valueText } from '../../sample/data/feature.ts';
import { envelopeOf } from '../../sample/data/geometry.ts';
import { box, positionsOf } from '../support/layer-fixture.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';
import { oneIn } from '../support/run-settings.ts';

type Geometry = { readonly type: string; readonly [member: string]: unknown } | null | undefined;

const [X, Y] = [650_000, 6_314_000];
const SIDE_M = 60;
const SOUND = 150;
const signal = new AbortController().signal;

const bench = await opened(openMemoryBench());
const wfs = await opened(startGeoJsonWfs());
const catalogue = lakesFrom(wfs, bench.deps.catalogue);
const memory = bench.memoryIn(bench.newDirectory(), { catalogue });

async function forgetLakes(): Promise<void> {
  for (const table of [
    ...['line_feature', 'line_zone_edge', 'line_zone', 'change_event', 'change_transaction'],
    ...['layer_history', 'layer_state', 'register_refusal'],
  ]) {
    await bench.store.pool.query(`delete from ${table} where layer = 'soe'`);
  }
}
beforeEach(forgetLakes);

const square = (x: number, y: number) => positionsOf(box(x, y, SIDE_M));

/** Far from everything that is asked. */
const sound = (): object[] =>
  Array.from({ length: SOUND }, (_, n) => {
    const [x, y] = [X + 200 * (n % 20), Y - 20_000 + 200 * Math.floor(n / 20)];
    return lakeOf(10_000 + n, { type: 'Polygon', coordinates: [square(x, y)] });
  });

const sync = (options: Partial<SyncOptions> = {}): Promise<RunOutcome> =>
  syncLayer({ ...bench.deps, catalogue }, 'soe', { trigger: 'command', ...options });

async function loaded(): Promise<void> {
  const { rows } = await sql<{ generation: string }>`
    select generation::text from store_state`.execute(bench.store.db);
  await memory.refresh();
  expect(memory.current?.generation).toBe(Number(rows[0]?.generation));
}

/** What a point is answered by the store and by memory; they must agree. */
async function asked(...places: readonly (readonly [number, number])[]): Promise<string[]> {
  await loaded();
  const points = places.map(([xUtm32, yUtm32]) => pointFromUtm32({ xUtm32, yUtm32 }));
  const answers = await Promise.all(
    [null, memory].map(async (held) => {
      const { value } = await bench.lookups(held).buildingLines.at(points, ['soe'], { signal });
      return value.map(({ lines: [line] }) =>
        line?.status === 'ok' ? `${line.within} ${line.distanceM?.toFixed(1)}` : 'unavailable',
      );
    }),
  );
  expect(answers[1]).toEqual(answers[0]);
  return answers[0] ?? [];
}

const IN = [X + 30, Y + 30] as const;
const ON = [X + SIDE_M, Y + 30] as const;
const NEAR = [X + SIDE_M + 400, Y + 30] as const;
const FAR = [X + SIDE_M + 2_000, Y + 30] as const;

const ring = square(X, Y);
const open = (gapM: number) => [...ring.slice(0, 4), [X, Y + gapM]];
const polygon = (...rings: unknown[]): Geometry => ({ type: 'Polygon', coordinates: rings });
const parts = (...coordinates: unknown[]): Geometry => ({ type: 'MultiPolygon', coordinates });
const flat = [
  [X + 9, Y + 9],
  [X + 10, Y + 9],
  [X + 9, Y + 9],
];

/** Each one square at X, Y, broken. */
const PLACED: Readonly<Record<string, Geometry>> = {
  'a ring open by 1.1 mm': polygon(open(0.0011)),
  'a ring open by 1 m': polygon(open(1)),
  'a geometry collection': { type: 'GeometryCollection', geometries: [polygon(ring)] },
  'a hole of three points': polygon(ring, flat),
  'an empty hole': polygon(ring, []),
  'text for coordinates': polygon(ring.map(([x, y]) => [`${x}`, `${y}`])),
  'text with decimal commas': polygon(ring.map(([x, y]) => [`${x},0`, `${y},0`])),
  'a line in a layer of areas': { type: 'LineString', coordinates: ring },
  'rings nested too deep': { type: 'Polygon', coordinates: [[ring]] },
  'rings nested too little': { type: 'Polygon', coordinates: ring },
  'no shape but a bbox': { type: 'Polygon', coordinates: [], bbox: [X, Y, X + SIDE_M, Y + SIDE_M] },
};

/** A corner or a part is lost, and may have lain anywhere. */
const LOST: Readonly<Record<string, Geometry>> = {
  'a ring without its last point': polygon(ring.slice(0, 4)),
  'an empty part': parts([ring], []),
  'a part of three points': parts([ring], [flat]),
  'a null among coordinates': polygon([ring[0], [null, Y], ...ring.slice(2)]),
  'a position of one number': polygon([ring[0], [X + SIDE_M], ...ring.slice(2)]),
  'a corner at zero': polygon([ring[0], [0, 0], ...ring.slice(2)]),
  'three ordinates and an open ring': polygon(ring.slice(0, 4).map(([x, y]) => [x, y, 3])),
};

const UNPLACED: Readonly<Record<string, Geometry>> = {
  'null for a geometry': null,
  'no geometry member': undefined,
  'empty coordinates': { type: 'Polygon', coordinates: [] },
  'a point in a layer of areas': { type: 'Point', coordinates: [X, Y] },
  'every position at zero': polygon(ring.map(() => [0, 0])),
  'a text for a geometry': 'POLYGON' as never,
};

describe('a feature with', () => {
  const boxed = Object.entries(LOST).map(([what, geometry]): [string, Geometry] => [
    `${what}, in its box,`,
    { ...(geometry as object), type: geometry!.type, bbox: [X, Y, X + SIDE_M, Y + SIDE_M] },
  ]);
  test.each(oneIn(6, [...Object.entries(PLACED), ...boxed]))(
    '%s is a place of no answer',
    async (_what, geometry) => {
      wfs.features = [lakeOf(1, geometry), ...sound()];
      expect(told(await sync())).toBe('published');
      const none = 'unavailable';
      expect(await asked(IN, ON, NEAR, FAR)).toEqual([none, none, none, 'false undefined']);
      // The same answer of the source is nothing new, and what was not answered is not answered still.
      expect(told(await sync())).toBe('unchanged');
      expect(await asked(IN, FAR)).toEqual(['unavailable', 'false undefined']);
    },
  );

  test.each(oneIn(5, Object.entries({ ...UNPLACED, ...LOST })))(
    '%s lies where the copy before had it, and refuses a first copy',
    async (_what, geometry) => {
      wfs.features = [lakeOf(1, polygon(ring)), ...sound()];
      expect(told(await sync())).toBe('published');
      expect(await asked(IN)).toEqual(['true -30.0']);
      wfs.features = [lakeOf(1, geometry), ...sound()];
      expect(told(await sync())).toBe('published');
      expect(await asked(IN, NEAR, FAR)).toEqual(['unavailable', 'unavailable', 'false undefined']);
      // The copy before has it no more, only its place: that is where it stays.
      wfs.features = [...wfs.features, lakeOf(3, polygon(square(X + 9_000, Y)))];
      expect(told(await sync())).toBe('published');
      expect(await asked(IN, FAR)).toEqual(['unavailable', 'false undefined']);
      expect(told(await sync())).toBe('unchanged');
      await forgetLakes();
      expect(told(await sync())).toBe('refused: unplaced');
      const released = await sync({ liftedGuards: ['unplaced'] });
      expect(told(released)).toBe('published');
      expect('counts' in released && released.counts.notes.join()).toContain(
        'released without a place',
      );
      // Who was released once is not asked about each night.
      expect(told(await sync())).toBe('unchanged');
      wfs.features = [lakeOf(2, geometry), ...wfs.features];
      expect(told(await sync())).toBe('refused: unplaced');
    },
  );
});

const whole = (more: object) => lakeOf(1, polygon(ring), more);
const THERE = ['true -30.0', 'false 100.0', 'false 400.0', 'false undefined'];
const UNREAD = ['unavailable', 'unavailable', 'unavailable', 'false undefined'];
const BESIDE = lakeOf(2, polygon(square(X + SIDE_M + 500, Y)));

/** What is told in it, 100 m and 400 m from it, and far away; and whether the copy is outdated one day. */
test.each<[string, object[], string[], boolean?]>([
  ['whose ring is open by a nanometre', [lakeOf(1, polygon(open(1e-9)))], THERE],
  ['whose ring is open by a micrometre', [lakeOf(1, polygon(open(1e-6)))], THERE],
  ['whose ring is open by 0.9 mm', [lakeOf(1, polygon(open(0.0009)))], THERE],
  ['that ends in 2999', [whole({ Systid_til: '2999-12-31' })], THERE, true],
  ['that ends in 9999', [whole({ Systid_til: '9999-12-31' })], THERE],
  ['that has ended', [whole({ Systid_til: '2020-01-01' })], THERE.map(() => 'false undefined')],
  ['whose end is a word', [whole({ Systid_til: 'NULL' })], UNREAD],
  ['without a key', [whole({ Objekt_id: null })], UNREAD],
  [
    'that is unread, and one nearer to the second point from it',
    [lakeOf(1, polygon(open(1))), BESIDE],
    UNREAD.with(2, 'false 100.0'),
  ],
])('a feature %s', async (_what, features, expected, isOutdated = false) => {
  wfs.features = [...features, ...sound()];
  expect(told(await sync())).toBe('published');
  expect(await asked(IN, [X + SIDE_M + 100, Y + 30], NEAR, FAR)).toEqual(expected);
  const { rows } = await bench.store.pool.query<{ isOutdated: boolean }>(
    `select outdated_at is not null as "isOutdated" from layer_state where layer = 'soe'`,
  );
  expect(rows).toEqual([{ isOutdated }]);
});

test('what a version could not read goes with it: mended, and gone back to', async () => {
  wfs.features = [lakeOf(1, polygon(open(1))), ...sound()];
  expect(told(await sync())).toBe('published');
  wfs.features = [lakeOf(1, polygon(ring)), ...sound()];
  expect(told(await sync())).toBe('published');
  expect(await asked(IN)).toEqual(['true -30.0']);
  const back = await revertLayer({ ...bench.deps, catalogue }, 'soe', { by: 'test' });
  expect(back.state).toBe('published');
  expect(await asked(IN, FAR)).toEqual(['unavailable', 'false undefined']);
});

test('an area that cannot be read leaves its theme unanswered at the points in it, and its code unknown to nobody', async () => {
  const { upstream } = bench;
  expect(told(await bench.sync('sogn'))).toMatch(/published|unchanged/);
  const [target] = upstream.holdings
    .features('sogn')
    .filter(({ properties, geometry }) => properties['skala'] === '1:10.000' && geometry);
  const { geometry, properties } = target!;
  const box = envelopeOf(geometry!);
  const code = (valueText(properties['sognekode']) ?? '').padStart(4, '0');
  upstream.holdings.edit('sogn', (all) =>
    all.map((one) => (one === target ? { ...one, geometry: null } : one)),
  );
  expect(told(await bench.sync('sogn', { liftedGuards: LIFTABLE_GUARDS }))).toBe('published');
  await loaded();
  const [x, y] = [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2];
  const far = { x: box.maxX + 3_000, y: box.maxY + 3_000, srid: 25_832 };
  for (const held of [null, memory]) {
    const app = await bench.edge(held);
    const inside = await app.inject(`/v1/dagi/reverse?x=${x}&y=${y}&srid=25832`);
    expect(inside.statusCode).toBe(503);
    expect(inside.json()).toMatchObject({ type: 'upstream_unavailable' });
    const byCode = await app.inject(`/v1/dagi/sogn/${code}`);
    expect(byCode.statusCode).toBe(503);
    expect((await app.inject('/v1/dagi/sogn/9998')).statusCode).toBe(404);
    const batch = await app.inject({
      method: 'POST',
      url: '/v1/dagi/reverse:batch',
      payload: { punkter: [{ x, y, srid: 25_832 }, far] },
    });
    expect(batch.statusCode).toBe(200);
    await app.close();
  }
  upstream.holdings.restore();
  expect(told(await bench.sync('sogn', { liftedGuards: LIFTABLE_GUARDS }))).toBe('published');
});

test('a batch that threads measure, and a tile, tell the same', async () => {
  wfs.features = [lakeOf(1, polygon(open(1))), ...sound()];
  expect(told(await sync())).toBe('published');
  await loaded();
  const app = await bench.edge(memory);
  const at = (n: number) => ({ x: X + 30 + 20 * n, y: Y + 30, srid: 25_832 });
  const payload = { punkter: Array.from({ length: 50 }, (_, n) => at(n)) };
  const url = '/v1/natur/byggelinjer:batch';
  const answer = await app.inject({ method: 'POST', url, payload });
  interface Body {
    results: { byggelinjer: { linjer: { soe: { status: string; inden_for: boolean | null } } } }[];
  }
  const told50 = answer.json<Body>().results.map(({ byggelinjer: { linjer } }) => {
    return `${linjer.soe.status} ${linjer.soe.inden_for}`;
  });
  // 500 m from the box: at x = X + 560.
  expect(told50.slice(0, 27)).toEqual(Array.from({ length: 27 }, () => 'utilgaengelig null'));
  expect(told50.slice(27)).toEqual(Array.from({ length: 23 }, () => 'ok false'));
  const { fields } = (await app.inject('/v1/kort/soe.json')).json<{
    vector_layers: { fields: object }[];
  }>().vector_layers[0]!;
  expect(fields).toMatchObject({ ubesvaret: 'Boolean' });
  await app.close();
});

const CASES = join(import.meta.dirname, '../../../shared/cases/wfs-unreadable-features.geojson');

test.skipIf(!existsSync(CASES))('the cases of ../shared/cases are not answered no', async () => {
  const { features } = JSON.parse(readFileSync(CASES, 'utf8')) as {
    features: { properties: { ask: [number, number] } }[];
  };
  wfs.features = [
    ...features,
    ...Array.from({ length: 3 }, sound)
      .flat()
      .map((each, n) => ({
        ...each,
        id: `soe.${20_000 + n}`,
        properties: { ...(each as { properties: object }).properties, Objekt_id: 20_000 + n },
      })),
  ];
  // Without a place of all of them, a first copy waits for a person.
  expect(['published', 'refused: unplaced']).toContain(told(await sync()));
  const answers = await asked(...features.map(({ properties: { ask } }) => ask));
  for (const answer of answers) expect(answer).not.toMatch(/^false/);
});
