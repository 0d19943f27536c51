/** GET /v1/dhm/kote and POST /v1/dhm/kote:batch over tiles, with keys and the bill. */
import { afterEach, describe, expect, test } from 'vitest';
import { rmSync } from 'node:fs';
import { LIMITS } from '../../src/kernel/limits.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { createTerrain } from '../../src/registers/terrain/lookup.ts';
import type { TerrainDeps } from '../../src/registers/terrain/lookup.ts';
import { Land, edgesOf } from '../../src/geo/land.ts';
import { lookThrough } from '../../src/registers/terrain/tile-folder.ts';
import type { TileIndex } from '../../src/registers/terrain/tile-folder.ts';
import { TileReader } from '../../src/registers/terrain/tiles.ts';
import { ownFolder } from '../support/opened.ts';
import { gridAt, makeTileFolder, tiffOf } from '../support/terrain-tiles.ts';
import { keptAccess } from './access.ts';
import { expectError, sharedApp, testApp } from './edge.ts';
import type { PublishedDocument } from './edge.ts';

const [WEST, NORTH] = [650_000, 6_314_000];
const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const PATH = '/v1/dhm/kote';
const BATCH = '/v1/dhm/kote:batch';

let nudged = 0;

/** Zero at its western edge and a metre more each hundred; a hole in the middle. */
function height(x: number, y: number): number {
  const isHole = Math.abs(x - WEST - 320) < 40 && Math.abs(NORTH - y - 320) < 40;
  return isHole ? -9999 : (x - WEST) / 100 - 1;
}

const folder = makeTileFolder(ownFolder);
folder.put('terraen/a.tif', tiffOf(gridAt(WEST, NORTH), height));
folder.put('terraen/gone.tif', tiffOf(gridAt(WEST + 2_000, NORTH), height));
let index: TileIndex | null = await lookThrough(folder.path, null);
rmSync(`${folder.path}/terraen/gone.tif`);
const app = await sharedApp({ terrain: terrain() });
afterEach(() => {
  nudged = 0;
});

function terrain(more: Partial<TerrainDeps> = {}) {
  const watch = {
    start: () => undefined,
    stop: () => Promise.resolve(),
    nudge: () => (nudged += 1),
    view: () => ({ index, version: 3, lookedMs: NOW_MS - 9_000, failure: null }),
  };
  return createTerrain({
    clock: { nowMs: () => NOW_MS },
    tiles: { watch, reader: new TileReader() },
    wcs: null,
    onFailure: () => undefined,
    ...more,
  });
}

const ask = (x: number, y: number, more = '') =>
  app.inject(`${PATH}?x=${x}&y=${y}&srid=25832${more}`);
const askMany = (body: object) => app.inject({ method: 'POST', url: BATCH, payload: body });
const metric = (x: number, y: number, id?: string) => ({ x, y, srid: 25_832, id });

test('the tiles alone tell one without asking a register, or none', async () => {
  const on = (x: number, y: number, more: Partial<TerrainDeps> = {}) =>
    terrain(more).onDisk(pointFromUtm32({ xUtm32: x, yUtm32: y }));
  expect(await on(WEST + 223.4, NORTH - 100)).toBeCloseTo(1.23, 2);
  expect(await on(WEST + 90_000, NORTH)).toBeNull();
  expect(await on(WEST + 223.4, NORTH - 100, { tiles: null })).toBeNull();
  await expect(on(WEST + 2_223.4, NORTH - 100)).rejects.toThrow('could not be read');
});

describe('one height', () => {
  test('is rounded to a centimetre, as old as its tiles, and of no generation', async () => {
    const response = await ask(WEST + 223.4, NORTH - 100);
    expect(response.json()).toMatchObject({ model: 'terraen', kote_m: 1.23, oploesning_m: 10 });
    expect(response.headers['cache-status']).toContain('detail=store');
    expect(Number(response.headers['x-service-data-age'])).toBeGreaterThanOrEqual(0);
    expect(response.headers['x-service-generation']).toBeUndefined();
    const { paths } = app.swagger() as unknown as PublishedDocument;
    for (const { responses } of [paths['/v1/dhm/kote']!.get!, paths['/v1/dhm/kote:batch']!.post!]) {
      const documented = Object.keys((responses[200] as { headers?: object }).headers ?? {});
      expect(documented).toContain('X-Service-Data-Age');
      expect(documented).not.toContain('X-Service-Generation');
    }
  });

  test('in a hole is null', async () => {
    const response = await ask(WEST + 320, NORTH - 320);
    expect(response.json()).toMatchObject({ kote_m: null, oploesning_m: 10 });
  });

  test('beside all tiles, of a tile that is gone, of a model without tiles is 503, never null', async () => {
    for (const response of [
      await ask(WEST - 500, NORTH - 320),
      await ask(WEST + 2_100, NORTH - 320),
      await ask(WEST + 320, NORTH - 320, '&model=overflade'),
    ]) {
      expectError(response, 'upstream_unavailable');
      expect(response.body).not.toContain('kote_m');
    }
    expect(nudged).toBe(1);
  });

  test('before the tiles were looked through is 503', async () => {
    const there = index;
    index = null;
    expectError(await ask(WEST + 100, NORTH - 100), 'upstream_unavailable');
    index = there;
  });

  test('where no terrain is set up is 503 that says so', async () => {
    const none = await testApp();
    const error = expectError(
      await none.inject(`${PATH}?lon=11.5&lat=56.9`),
      'upstream_unavailable',
    );
    expect(error['error']).toContain('not configured');
  });
});

describe('many heights', () => {
  test('are results and errors that part the input, each in its order', async () => {
    const punkter = [
      metric(WEST + 223.4, NORTH - 100, 'a'),
      metric(WEST + 2_100, NORTH - 320, 'gone'),
      metric(WEST + 320, NORTH - 320),
      metric(WEST - 900, NORTH, 'beside'),
    ];
    expect((await askMany({ punkter, model: 'terraen' })).json()).toMatchObject({
      results: [{ id: 'a', kote_m: 1.23 }, { kote_m: null }],
      errors: [
        { id: 'gone', status: 503 },
        { id: 'beside', status: 503 },
      ],
      ...{ requested: 4, succeeded: 2, failed: 2, model: 'terraen' },
    });
  });

  test('are billed where they were answered, a null among them', async () => {
    const access = keptAccess({ svc_live_dhm: { permission: 'restricted:dhm' } });
    const keyed = await testApp({ terrain: terrain(), access });
    const askAs = (key: string) =>
      keyed.inject({
        method: 'POST',
        url: BATCH,
        headers: { authorization: `Bearer ${key}` },
        payload: { punkter: [320, 9, -9].map((dx) => metric(WEST + dx, NORTH - 320)) },
      });
    expect((await askAs('svc_live_dhm')).statusCode).toBe(200);
    expect(access.settled).toMatchObject([
      { operation: 'dhmKoteBatch', units: 2, reserved: 3, generation: null },
    ]);
    expect(access.outstanding()).toBe(0);
  });

  test.each([
    ['151 points', { punkter: Array.from({ length: 151 }, () => metric(WEST, NORTH)) }, '150'],
    ['a model that is none', { punkter: [metric(WEST, NORTH)], model: 'x' }, 'overflade'],
  ])('with %s are refused, naming the field and the limit', async (_, body, named) => {
    const error = expectError(await askMany(body), 'invalid_request');
    expect(error['error']).toContain(named);
  });
});

test('outside what the WCS covers it is not asked, and a tile that holds the point answers', async () => {
  const asked: number[] = [];
  const wcs: TerrainDeps['wcs'] = {
    heightsAt: (_model, points) => {
      asked.push(points.length);
      return Promise.resolve(
        points.map(() => ({ heightM: null, resolutionM: 0.4, askedMs: null })),
      );
    },
    view: () => ({ cameMs: null, failedMs: null }),
  };
  const [west, south, east, north] = [WEST + 1_000, NORTH - 500, WEST + 1_500, NORTH];
  const ring = [west, south, east, south, east, north, west, north, west, south];
  const land = new Land('et stykke', edgesOf([ring]));
  const partly = await testApp({ terrain: terrain({ wcs, land: () => Promise.resolve(land) }) });
  const answer = await partly.inject({
    method: 'POST',
    url: BATCH,
    payload: {
      punkter: [
        metric(WEST + 100, NORTH - 100),
        metric(WEST + 1_200, NORTH - 100),
        metric(WEST + 50, NORTH - 100),
        metric(WEST - 900, NORTH),
      ],
    },
  });
  const { results, errors } = answer.json<{
    results: { kote_m: unknown }[];
    errors: { status: number; error: string }[];
  }>();
  expect(results.map(({ kote_m: height }) => height)).toEqual([0, null, -0.5]);
  expect(errors.map(({ status }) => status)).toEqual([503]);
  expect(errors[0]?.error).toContain('et stykke');
  expect(asked).toEqual([1]);
  const single = await partly.inject(`${PATH}?x=${WEST - 900}&y=${NORTH}&srid=25832`);
  expect(expectError(single, 'upstream_unavailable')).toMatchObject({ code: 'outside_coverage' });
});

test('the freshness page has a row of it where it is set up, and none where it is not', async () => {
  expect((await app.inject('/v1/status')).json<{ lag: unknown[] }>().lag.at(-1)).toEqual({
    lag: 'dhm',
    register: 'terrain',
    synket: '2026-11-23T11:59:51.000Z',
    alder_s: 9,
    frist_s: (3 * LIMITS.terrain.lookAgainMs.unchanged) / 1_000,
    ...{ data_fra: null, data_alder_s: null, i_hukommelse: null, daekning: null },
    data_frist_s: (3 * LIMITS.terrain.lookAgainMs.unchanged) / 1_000,
    ...{ tilstand: 'frisk', antal: 2, version: 3 },
  });
  const none = await testApp();
  expect((await none.inject('/v1/status')).body).not.toContain('"dhm"');
});
