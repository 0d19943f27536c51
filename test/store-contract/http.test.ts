/**
 * The whole way: the sample upstream, a real sync, a real store, the lookups, the edge. Answers are
 * held against points whose truth was worked out by hand.
 */
import { BARE_SERVICES } from '../support/bare-services.ts';
import { RENDER_AREA } from '../../src/registers/areas/render.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/http/app.ts';
import { cacheByBytes } from '../../src/kernel/cache.ts';
import { LAYER_IDS, LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import { createAreas } from '../../src/registers/areas/lookup.ts';
import { createBuildingLines } from '../../src/registers/lines/lookup.ts';
import { createReverseAreas } from '../../src/registers/areas/reverse.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { readAreaGeometry, readAreas, readCoveringAreas } from '../../src/registers/areas/store.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import type { SamplePoint } from '../../sample/points.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { OPTIONS, edgeRegisters, expectDocumented, expectError } from '../edge/edge.ts';
import { opened } from '../support/opened.ts';

const DAY_MS = 86_400_000;

/** The edge over a bench's store. The registers themselves do not answer live. */
function edgeOver({ store, deps }: SyncBench, workers: Workers): Promise<FastifyInstance> {
  const { catalogue, clock } = deps;
  const down = () => Promise.reject(new UpstreamFailure('connection', 'The register is down.'));
  return buildApp(
    {
      ...BARE_SERVICES,
      registers: edgeRegisters({
        buildingLines: createBuildingLines({
          catalogue,
          clock,
          searchRadiusM: 500,
          readStore: (question) => readLines(store, question),
          askOrigin: down,
        }),
        areas: createAreas({
          catalogue,
          clock,
          readStore: (theme, codes) => readAreas(store, theme, codes),
          readGeometry: (area) => readAreaGeometry(store, area),
          askOrigin: down,
          render: (wkb) => workers.run(RENDER_AREA, { wkb }),
          rendered: cacheByBytes(1e8, ({ deflated }) => deflated.byteLength),
        }),
        reverseAreas: createReverseAreas({
          catalogue,
          clock,
          readStore: (points) =>
            readCoveringAreas(
              store,
              points.map(({ utm32 }) => utm32),
            ),
          askOrigin: down,
        }),
      }),
      catalogue,
      status: () => readStatus(store, catalogue, clock.nowMs()),
    },
    OPTIONS,
  );
}

interface LineBody {
  readonly inden_for: boolean | null;
  readonly usikker: boolean;
  readonly afstand_m: number | null;
  readonly antal: number;
  readonly status: string;
  readonly traef: { readonly objekt_id: string } | null;
  readonly ophaevede: readonly { readonly objekt_id: string; readonly afstand_m: number }[];
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

const themed = ({ omraader }: ReverseBody): Record<string, string[]> =>
  Object.fromEntries(
    THEMES.map((theme) => [
      theme,
      omraader.filter(({ tema }) => tema === theme).map(({ kode }) => kode),
    ]),
  );

const workers = createWorkers({ threads: 1 });
const bench = await opened(openSyncBench());
const app = await edgeOver(bench, workers);
afterAll(() => Promise.all([app.close(), workers.close()]));

describe('before anything was mirrored, with the registers down', () => {
  test('areas are 503, alone and as items of a batch', async () => {
    expectError(await app.inject('/v1/dagi/reverse?lon=11.46&lat=56.94'), 'upstream_unavailable');
    expectError(await app.inject('/v1/dagi/kommune/9901'), 'upstream_unavailable');
    const points = await app.inject({
      method: 'POST',
      url: '/v1/dagi/reverse:batch',
      payload: { punkter: [{ lon: 11.46, lat: 56.94, id: 'p' }] },
    });
    expect(points.json()).toMatchObject({ results: [], errors: [{ id: 'p', status: 503 }] });
    const codes = await app.inject({
      method: 'POST',
      url: '/v1/dagi:batch',
      payload: { tema: 'kommune', kode: ['9901'] },
    });
    expect(codes.json()).toMatchObject({ results: [], errors: [{ kode: '9901', status: 503 }] });
  });
});

describe('with everything mirrored', () => {
  beforeAll(() => bench.syncAll(), 300_000);

  test.each(SAMPLE_POINTS)('the lines at $id are true: $about', async (point) => {
    const response = await app.inject(`/v1/natur/byggelinjer?${metric(point)}`);
    expect(response.statusCode).toBe(200);
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

  test('batches take points in metres as the single lookups do, and answer in degrees', async () => {
    const points = SAMPLE_POINTS.slice(0, 40);
    const ways = [
      ({ utm32 }: SamplePoint) => ({ x: utm32.xUtm32, y: utm32.yUtm32, srid: 25832 }),
      ({ utm32 }: SamplePoint) => ({ x: utm32.xUtm32, y: utm32.yUtm32, srid: '25832' }),
      ({ wgs84 }: SamplePoint) => ({ x: wgs84.lon, y: wgs84.lat, srid: 4326 }),
      ({ wgs84 }: SamplePoint) => ({ lon: wgs84.lon, lat: wgs84.lat }),
    ];
    const sent = points.map((point, n) => ways[n % ways.length]!(point));
    const payload = {
      punkter: sent.map((item, n) => (n % 3 === 0 ? { ...item, id: `${n}` } : item)),
    };
    for (const [batch, single] of [
      ['/v1/natur/byggelinjer:batch', '/v1/natur/byggelinjer'],
      ['/v1/dagi/reverse:batch', '/v1/dagi/reverse'],
    ] as const) {
      const response = await app.inject({ method: 'POST', url: batch, payload });
      expectDocumented(app, response, ['post', batch]);
      const { results } = response.json<{ results: Record<string, unknown>[] }>();
      for (const [n, item] of sent.entries()) {
        const query = new URLSearchParams(
          Object.entries(item).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const alone = (await app.inject(`${single}?${query.toString()}`)).json<
          Record<string, unknown>
        >();
        const { id, byggelinjer, ...place } = results[n]!;
        expect(id).toBe(n % 3 === 0 ? `${n}` : undefined);
        expect(place['punkt']).toEqual(alone['punkt']);
        const whole = byggelinjer ?? { ...place, meta: alone['meta'] };
        expect(whole).toEqual(alone);
      }
    }
  });

  test('codes may come unpadded; unknown ones are 404 and items of a batch', async () => {
    const padded = await app.inject('/v1/dagi/opstillingskreds/0001');
    const bare = await app.inject('/v1/dagi/opstillingskreds/1');
    expect(bare.body).toBe(padded.body);
    for (const code of ['9999', '00001', 'x', '%20001', '-1', '٠٠٠١']) {
      const response = await app.inject(`/v1/dagi/opstillingskreds/${encodeURI(code)}`);
      expectError(response, 'not_found');
    }
    const batch = await app.inject({
      method: 'POST',
      url: '/v1/dagi:batch',
      payload: { tema: 'opstillingskreds', kode: ['9999', '1', '0001', '0003'] },
    });
    expectDocumented(app, batch, ['post', '/v1/dagi:batch']);
    expect(batch.json()).toMatchObject({
      results: [{ omraade: { kode: '0001' } }, { omraade: { kode: '0003' } }],
      errors: [{ kode: '9999', status: 404 }],
      requested: 3,
      succeeded: 2,
      failed: 1,
    });
  });

  test.each([[['9999', '9998']], [['x', '']], [['9999', 'x']]])(
    'a batch of unknown codes alone, %j, tells what knew them not and how old that is',
    async (kode) => {
      const payload = { tema: 'opstillingskreds', kode };
      const batch = await app.inject({ method: 'POST', url: '/v1/dagi:batch', payload });
      expect(batch.json()).toMatchObject({ results: [], requested: 2, succeeded: 0, failed: 2 });
      const known = await app.inject('/v1/dagi/opstillingskreds/0001');
      for (const name of ['x-service-generation', 'cache-status', 'cache-control']) {
        expect(batch.headers[name], name).toBe(known.headers[name]);
      }
      expect(batch.headers['x-service-data-age']).toMatch(/^\d+$/);
    },
  );

  test('the freshness page says that every layer is fresh, with counts and versions', async () => {
    const response = await app.inject('/v1/status');
    expectDocumented(app, response, ['get', '/v1/status']);
    const { lag } = response.json<{ lag: Record<string, unknown>[] }>();
    // This service has no key to the files of the registers.
    for (const layer of lag.filter((each) => LAYER_IDS.some((id) => id === each['lag']))) {
      expect(layer, String(layer['lag'])).toMatchObject({ tilstand: 'frisk' });
      expect(layer['antal']).toBeGreaterThan(0);
      expect(layer['synket']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    }
  });
});

describe('when the copies grow old and the registers are down', () => {
  const islet = samplePoint('islet');

  test('lines past their limit still answer, and headers name them', async () => {
    bench.advance(3 * DAY_MS);
    const response = await app.inject(`/v1/natur/byggelinjer?${metric(islet)}`);
    expect(response.json()).toMatchObject({ utilgaengelige: [] });
    expect(response.headers['x-service-stale']).toBe('true');
    expect(response.headers['x-service-stale-lines']).toBe(LINE_KEYS.join(','));
    expect(response.headers['cache-status']).toBe('geoopslag; hit; detail=stale');
    expect(Number(response.headers['x-service-data-age'])).toBeGreaterThanOrEqual(3 * 86_400);
    const areas = await app.inject(`/v1/dagi/reverse?${metric(islet)}`);
    expect(areas.headers['x-service-stale']).toBeUndefined();
  });

  test('areas past their limit still answer, marked stale', async () => {
    bench.advance(6 * DAY_MS);
    const areas = await app.inject(`/v1/dagi/reverse?${metric(islet)}`);
    expect(themed(areas.json<ReverseBody>())).toEqual(islet.areas);
    expect(areas.headers['x-service-stale']).toBe('true');
    const batch = await app.inject({
      method: 'POST',
      url: '/v1/dagi:batch',
      payload: { tema: 'sogn', kode: islet.areas.sogn },
    });
    expect(batch.headers['x-service-stale']).toBe('true');
    expect(batch.json()).toMatchObject({
      results: [{ stale: true, omraade: { meta: { geometri_status: 'stale' } } }],
    });
    const unknown = await app.inject({
      method: 'POST',
      url: '/v1/dagi:batch',
      payload: { tema: 'sogn', kode: ['9999'] },
    });
    expect(unknown.headers['x-service-stale']).toBe('true');
    expect(unknown.headers['cache-status']).toBe(batch.headers['cache-status']);
    const { lag } = (await app.inject('/v1/status')).json<{
      lag: { lag: string; tilstand: string }[];
    }>();
    const mirrored = lag.filter((each) => LAYER_IDS.some((id) => id === each.lag));
    expect(new Set(mirrored.map(({ tilstand }) => tilstand))).toEqual(new Set(['forsinket']));
  });

  test('copies past the hard limit answer nothing but names', async () => {
    bench.advance(25 * DAY_MS);
    const lines = await app.inject(`/v1/natur/byggelinjer?${metric(islet)}`);
    expect(lines.json()).toMatchObject({ utilgaengelige: LINE_KEYS, antal_i_kraft: 0 });
    expectDocumented(app, lines, ['get', '/v1/natur/byggelinjer']);
    const reverse = await app.inject(`/v1/dagi/reverse?${metric(islet)}`);
    expectError(reverse, 'upstream_unavailable');
    const area = await app.inject(`/v1/dagi/sogn/${islet.areas.sogn[0] ?? ''}`);
    expectDocumented(app, area, ['get', '/v1/dagi/{tema}/{kode}']);
    expect(area.json()).toMatchObject({
      geometri: null,
      meta: { geometri_status: 'utilgaengelig' },
    });
  });
});
