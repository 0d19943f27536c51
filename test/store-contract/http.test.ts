/**
 * The whole way: the sample upstream, a real sync, a real store, the lookups, the edge. Answers are
 * held against points whose truth was worked out by hand.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAYER_IDS, LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import type { SamplePoint } from '../../sample/points.ts';
import { expectDocumented, expectError } from '../edge/edge.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { openTestStore } from '../support/store.ts';

const DAY_MS = 86_400_000;

interface LineBody {
  readonly traef: { readonly objekt_id: string } | null;
  readonly ophaevede: readonly { readonly objekt_id: string }[];
  readonly inden_for: boolean | null;
}

interface LinesBody {
  readonly linjer: Readonly<Record<LineKey, LineBody>>;
  readonly antal_i_kraft: number;
  readonly utilgaengelige: readonly string[];
}

interface ReverseBody {
  readonly antal: number;
  readonly omraader: readonly { readonly tema: Theme; readonly kode: string }[];
}

const themed = ({ omraader }: ReverseBody) =>
  Object.fromEntries(
    THEMES.map((theme) => [
      theme,
      omraader.filter(({ tema }) => tema === theme).map(({ kode }) => kode),
    ]),
  );
const metric = ({ utm32 }: SamplePoint): string => `x=${utm32.xUtm32}&y=${utm32.yUtm32}&srid=25832`;

const bench = await opened(openMemoryBench());
const app = await bench.edge(null);
afterAll(() => app.close());

const areasOf = (tema: string, kode: readonly string[], of = app) =>
  of.inject({ method: 'POST', url: '/v1/dagi:batch', payload: { tema, kode } });

test.each(SAMPLE_POINTS)('the lines at $id are true: $about', async (point) => {
  const response = await app.inject(`/v1/natur/byggelinjer?${metric(point)}`);
  expectDocumented(app, response, ['get', '/v1/natur/byggelinjer']);
  const body = response.json<LinesBody>();
  expect(body.utilgaengelige).toEqual([]);
  expect(Object.keys(body.linjer)).toEqual(LINE_KEYS);
  const within = Object.values(body.linjer).filter((line) => line.inden_for);
  expect(body.antal_i_kraft).toBe(within.length);
  for (const [key, expected] of Object.entries(point.lines)) {
    const { traef, ophaevede, ...line } = body.linjer[key as LineKey];
    expect(line, key).toMatchObject({
      status: 'ok',
      inden_for: expected.within,
      usikker: expected.uncertain,
      afstand_m: expected.distanceM,
      antal: expected.count,
    });
    expect(traef?.objekt_id ?? null, key).toBe(expected.hit);
    const ids = ophaevede.map(({ objekt_id }) => objekt_id);
    expect([...ids].sort(), key).toEqual([...expected.repealed].sort());
  }
});

test.each(SAMPLE_POINTS)('the areas at $id are true', async (point) => {
  const response = await app.inject(`/v1/dagi/reverse?${metric(point)}`);
  expectDocumented(app, response, ['get', '/v1/dagi/reverse']);
  const body = response.json<ReverseBody>();
  expect(themed(body)).toEqual(point.areas);
  expect(body.antal).toBe(body.omraader.length);
});

test.each([
  ['/v1/natur/byggelinjer:batch', '/v1/natur/byggelinjer'],
  ['/v1/dagi/reverse:batch', '/v1/dagi/reverse'],
] as const)('%s takes points in metres as the single lookup does', async (batch, single) => {
  const ways = [
    ({ utm32 }: SamplePoint) => ({ x: utm32.xUtm32, y: utm32.yUtm32, srid: 25832 }),
    ({ utm32 }: SamplePoint) => ({ x: utm32.xUtm32, y: utm32.yUtm32, srid: '25832' }),
    ({ wgs84 }: SamplePoint) => ({ x: wgs84.lon, y: wgs84.lat, srid: 4326 }),
    ({ wgs84 }: SamplePoint) => ({ lon: wgs84.lon, lat: wgs84.lat }),
  ];
  const sent = SAMPLE_POINTS.slice(0, 40).map((point, n) => ways[n % ways.length]!(point));
  const punkter = sent.map((item, n) => (n % 3 === 0 ? { ...item, id: `${n}` } : item));
  const response = await app.inject({ method: 'POST', url: batch, payload: { punkter } });
  expectDocumented(app, response, ['post', batch]);
  const { results } = response.json<{ results: Record<string, unknown>[] }>();
  for (const [n, item] of sent.entries()) {
    const query = new URLSearchParams(
      Object.entries(item).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answer = await app.inject(`${single}?${query.toString()}`);
    const alone = answer.json<Record<string, unknown>>();
    const { id, byggelinjer, ...place } = results[n]!;
    expect(id).toBe(n % 3 === 0 ? `${n}` : undefined);
    expect(place['punkt']).toEqual(alone['punkt']);
    const whole = byggelinjer ?? { ...place, meta: alone['meta'] };
    expect(whole).toEqual(alone);
  }
});

test.each([[['9999', '9998']], [['x', '']], [['9999', 'x']]])(
  'a batch of unknown codes alone, %j, tells what knew them not and how old that is',
  async (kode) => {
    const batch = await areasOf('opstillingskreds', kode);
    expect(batch.json()).toMatchObject({ results: [], requested: 2, succeeded: 0, failed: 2 });
    const known = await app.inject('/v1/dagi/opstillingskreds/1');
    expect(known.json()).toMatchObject({ kode: '0001' });
    for (const name of ['x-service-generation', 'cache-status', 'cache-control']) {
      expect(batch.headers[name], name).toBe(known.headers[name]);
    }
    expect(batch.headers['x-service-data-age']).toMatch(/^\d+$/);
  },
);

test('codes may come unpadded; unknown ones are 404 and items of a batch', async () => {
  const padded = await app.inject('/v1/dagi/opstillingskreds/0001');
  expect((await app.inject('/v1/dagi/opstillingskreds/1')).body).toBe(padded.body);
  for (const code of ['9999', '00001', 'x', '%20001', '-1', '٠٠٠١']) {
    const response = await app.inject(`/v1/dagi/opstillingskreds/${encodeURI(code)}`);
    expectError(response, 'not_found');
  }
  const batch = await areasOf('opstillingskreds', ['9999', '1', '0001', '0003']);
  expectDocumented(app, batch, ['post', '/v1/dagi:batch']);
  expect(batch.json()).toMatchObject({
    results: [{ omraade: { kode: '0001' } }, { omraade: { kode: '0003' } }],
    errors: [{ kode: '9999', status: 404 }],
    ...{ requested: 3, succeeded: 2, failed: 1 },
  });
});

test('where the store cannot be read lines are asked of the registers', async () => {
  const gone = await openTestStore();
  await gone.close();
  const edge = await bench.edge(null, gone);
  const forest = samplePoint('forest');
  const response = await edge.inject(`/v1/natur/byggelinjer?${metric(forest)}`);
  const { linjer, utilgaengelige } = response.json<LinesBody>();
  expect([utilgaengelige, linjer.skov.inden_for]).toEqual([[], forest.lines.skov?.within]);
  expect(response.headers['cache-status']).toBe('geoopslag; fwd=miss; detail=origin');
  await edge.close();
});

describe('while the registers are down', () => {
  beforeAll(() => bench.upstream.faults.set([{ fault: 'down' }]));
  const islet = samplePoint('islet');
  const lines = () => app.inject(`/v1/natur/byggelinjer?${metric(islet)}`);
  const areas = () => app.inject(`/v1/dagi/reverse?${metric(islet)}`);

  test('before anything was mirrored areas are 503, alone and as items of a batch', async () => {
    const store = await openTestStore();
    const empty = await bench.edge(null, store);
    expectError(await empty.inject('/v1/dagi/reverse?lon=11.46&lat=56.94'), 'upstream_unavailable');
    expectError(await empty.inject('/v1/dagi/kommune/9901'), 'upstream_unavailable');
    const payload = { punkter: [{ lon: 11.46, lat: 56.94, id: 'p' }] };
    const points = await empty.inject({ method: 'POST', url: '/v1/dagi/reverse:batch', payload });
    expect(points.json()).toMatchObject({ results: [], errors: [{ id: 'p', status: 503 }] });
    const codes = await areasOf('kommune', ['9901'], empty);
    expect(codes.json()).toMatchObject({ results: [], errors: [{ kode: '9901', status: 503 }] });
    await empty.close();
    await store.close();
  });

  test('lines past their limit still answer, and headers name them', async () => {
    bench.advance(3 * DAY_MS);
    const response = await lines();
    expect(response.json()).toMatchObject({ utilgaengelige: [] });
    expect(response.headers).toMatchObject({
      'x-service-stale': 'true',
      'x-service-stale-lines': LINE_KEYS.join(','),
      'cache-status': 'geoopslag; hit; detail=stale',
    });
    expect(Number(response.headers['x-service-data-age'])).toBeGreaterThanOrEqual(3 * 86_400);
    expect((await areas()).headers['x-service-stale']).toBeUndefined();
  });

  test('areas past their limit still answer, marked stale', async () => {
    bench.advance(6 * DAY_MS);
    const reverse = await areas();
    expect(themed(reverse.json<ReverseBody>())).toEqual(islet.areas);
    const batch = await areasOf('sogn', islet.areas.sogn);
    expect(batch.json()).toMatchObject({
      results: [{ stale: true, omraade: { meta: { geometri_status: 'stale' } } }],
    });
    const unknown = await areasOf('sogn', ['9999']);
    for (const each of [reverse, batch, unknown]) {
      expect(each.headers['x-service-stale']).toBe('true');
    }
    expect(unknown.headers['cache-status']).toBe(batch.headers['cache-status']);
    const { lag } = (await app.inject('/v1/status')).json<{
      lag: { lag: string; tilstand: string }[];
    }>();
    const mirrored = lag.filter((each) => LAYER_IDS.some((id) => id === each.lag));
    expect(new Set(mirrored.map(({ tilstand }) => tilstand))).toEqual(new Set(['forsinket']));
  });

  test('copies past the hard limit answer nothing but names', async () => {
    bench.advance(25 * DAY_MS);
    const response = await lines();
    expect(response.json()).toMatchObject({ utilgaengelige: LINE_KEYS, antal_i_kraft: 0 });
    expectDocumented(app, response, ['get', '/v1/natur/byggelinjer']);
    expectError(await areas(), 'upstream_unavailable');
    const area = await app.inject(`/v1/dagi/sogn/${islet.areas.sogn[0] ?? ''}`);
    expectDocumented(app, area, ['get', '/v1/dagi/{tema}/{kode}']);
    const told = { geometri: null, meta: { geometri_status: 'utilgaengelig' } };
    expect(area.json()).toMatchObject(told);
  });
});
