/**
 * The whole way: the sample upstream, a real sync, a real store, the lookups, the edge. Answers are
 * held against points whose truth was worked out by hand.
 */
import { expect, test } from 'vitest';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import type { SamplePoint } from '../../sample/points.ts';
import { expectDocumented, expectError } from '../edge/edge.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { openTestStore } from '../support/store.ts';

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
const app = await opened(bench.edge(null));

const areasOf = (tema: string, kode: readonly string[]) =>
  app.inject({ method: 'POST', url: '/v1/dagi:batch', payload: { tema, kode } });

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

test('of an area past its hard limit nothing but the name is told while its register is down', async () => {
  bench.upstream.faults.set([{ fault: 'down' }]);
  bench.advance(40 * 86_400_000);
  const [sogn = ''] = samplePoint('islet').areas.sogn;
  const area = await app.inject(`/v1/dagi/sogn/${sogn}`);
  expectDocumented(app, area, ['get', '/v1/dagi/{tema}/{kode}']);
  const told = { geometri: null, meta: { geometri_status: 'utilgaengelig' } };
  expect(area.json()).toMatchObject(told);
});
