/**
 * The whole way: the sample upstream, a real sync, a real store, the lookups, the edge. Answers are
 * held against points whose truth was worked out by hand.
 */
import { afterAll, expect, test } from 'vitest';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import { SAMPLE_POINTS } from '../../sample/points.ts';
import type { SamplePoint } from '../../sample/points.ts';
import { expectDocumented } from '../edge/edge.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';

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

const metric = ({ utm32 }: SamplePoint): string => `x=${utm32.xUtm32}&y=${utm32.yUtm32}&srid=25832`;

const bench = await opened(openMemoryBench());
const app = await bench.edge(null);
afterAll(() => app.close());

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
  const { antal, omraader } = response.json<ReverseBody>();
  const codesOf = (theme: Theme) =>
    omraader.filter(({ tema }) => tema === theme).map(({ kode }) => kode);
  expect(Object.fromEntries(THEMES.map((theme) => [theme, codesOf(theme)]))).toEqual(point.areas);
  expect(antal).toBe(omraader.length);
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
    const payload = { tema: 'opstillingskreds', kode };
    const batch = await app.inject({ method: 'POST', url: '/v1/dagi:batch', payload });
    expect(batch.json()).toMatchObject({ results: [], requested: 2, succeeded: 0, failed: 2 });
    const known = await app.inject('/v1/dagi/opstillingskreds/1');
    expect(known.json()).toMatchObject({ kode: '0001' });
    for (const name of ['x-service-generation', 'cache-status', 'cache-control']) {
      expect(batch.headers[name], name).toBe(known.headers[name]);
    }
    expect(batch.headers['x-service-data-age']).toMatch(/^\d+$/);
  },
);
