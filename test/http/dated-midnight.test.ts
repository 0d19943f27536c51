/**
 * Midnight in a whole service, with the clock turned by the test: two processes' worth of syncs over one
 * store, lookups without a pause, and the regions become one. Old answers until the instant, marked
 * ones until the version is there, new ones from then on, and no answer of two generations.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Composed } from '../../src/start/service.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { startSync } from '../../sync/start.ts';
import type { SyncDeps } from '../../sync/deps.ts';
import type { SyncService } from '../../sync/start.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { holdOthers, openDatedService } from '../support/dated-service.ts';
import { id, publish, put } from '../support/property-store.ts';
import { expectDocumented, expectError } from '../edge/edge.ts';
import { AUTHORIZED } from '../edge/operator.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

/** Two syncs and a load share two cores with whatever else runs: only a hang takes longer. */
const WAIT = { timeout: 3 * HANG_MS, interval: 50 } as const;
const REGION = 'region-20981231T230000Z';
const SOGN = 'sogn-20981231T230000Z';
const KOMMUNE = 'kommune-20981231T230000Z';

const dated = await opened(openDatedBench());
let deps: SyncDeps;
let service: Composed;
const syncs: SyncService[] = [];
const said: string[] = [];
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (_detail: object, message: string) => void said.push(message),
};

beforeAll(async () => {
  dated.setClock(INSTANT_MS - 60_000);
  await dated.syncThemes();
  const { store } = dated.bench;
  // A new name alone trips no guard: here it does.
  const strict = { kommune: { guards: { maxChangeShare: 0, changeFloorRows: 0 } } };
  deps = { ...dated.deps, catalogue: overrideCatalogue(dated.deps.catalogue, strict), log };
  await putProperty(store);
  service = await openDatedService({ deps, store });
  await holdOthers(store, [...THEMES, 'bbr', 'matrikel']);
  await preparePreviews(deps);
  const { rows } = await store.pool.query<typeof split>(
    `select ST_X(place) as x, ST_Y(place) as y from (
       select ST_PointOnSurface(geom) as place from dated_row
       where layer = 'sogn' and object_id = '9916') as new_parish`,
  );
  split = rows[0]!;
});
afterAll(async () => {
  for (const sync of syncs) await sync.stop();
  await service.close();
});

const BFE = 9_100_001;

/** A ground with its parcel in a municipality whose region ends. */
async function putProperty(store: DatedBench['bench']['store']): Promise<void> {
  const at = { status: 3, municipality_code: '0094' };
  await put(store, 'bbr_property', { id: id(1), status: 7, bfe: BFE, type: 'SFE' });
  await put(store, 'bbr_ground', { ...at, id: id(2), status: 7, property_id: id(1) });
  await put(store, 'cadastre_property', { id: 7, status: 3, bfe: BFE });
  await put(store, 'cadastre_parcel', { ...at, id: 501, bfe: BFE, number: '1a' });
  for (const register of ['bbr', 'matrikel'] as const) {
    await publish(store, register, { syncedAtMs: INSTANT_MS - 60_000 });
  }
  // The sync leaves them alone: they have no file here.
  await store.pool.query(
    "update layer_state set held_since = now(), held_by = 'test' where layer in ('bbr', 'matrikel')",
  );
}

/** As each process that syncs does. */
function beginSync(): void {
  syncs.push(startSync({ ...deps, onPublished: () => service.memory?.nudge() }));
}

const get = (url: string) => service.app.inject({ url });
const operate = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  service.app.inject({ method, url, headers: AUTHORIZED, ...(payload && { payload }) });
const confirmed = (id: string) => `/v1/drift/varsler/${id}/godkend`;

interface Seen {
  readonly generation: string;
  readonly region: string;
  readonly municipal: string;
  readonly parish: string;
  readonly fresh: boolean;
}

/** In the part of a parish that is to be one of its own. */
let split = { x: 0, y: 0 };

/** What one moment of the service says of the region, by a point and by a municipality. */
async function look(): Promise<Seen | null> {
  const point = await get(`/v1/dagi/reverse?x=${split.x}&y=${split.y}&srid=25832`);
  const area = await get('/v1/dagi/kommune/0094');
  expect([point.statusCode, area.statusCode]).toEqual([200, 200]);
  const codeAt = (theme: string) =>
    point
      .json<{ omraader: { tema: string; kode: string }[] }>()
      .omraader.find(({ tema }) => tema === theme)?.kode ?? 'none';
  const generation = String(point.headers['x-service-generation']);
  // Two questions may lie on both sides of a publication; an answer does not.
  if (area.headers['x-service-generation'] !== generation) return null;
  return {
    generation,
    region: codeAt('region'),
    parish: codeAt('sogn'),
    municipal: area.json<{ regionskode: string }>().regionskode,
    fresh: !String(point.headers['cache-status']).includes('stale'),
  };
}

/** The region of the property's record and of its cadastre, with the generation of each answer. */
async function lookAtProperty(): Promise<[generation: string, region: string][]> {
  const answers = await Promise.all([
    get(`/v1/bbr/ejendom/${BFE}`),
    get(`/v1/matrikel/ejendom/${BFE}`),
  ]);
  return answers.map((answer) => {
    expect(answer.statusCode, answer.body).toBe(200);
    const { dagi } = answer.json<{ dagi: { region: { kode: string } } }>();
    return [String(answer.headers['x-service-generation']), dagi.region.kode];
  });
}

describe('before the instant', () => {
  test('the answers are the old ones, and what is to come is shown', async () => {
    await vi.waitFor(() => expect(service.memory?.current?.areaReader()).toBeTruthy(), WAIT);
    expect(await look()).toMatchObject({ municipal: '1092', fresh: true });
    // Rendered and kept, until it is no more.
    expect((await get('/v1/dagi/region/1091')).statusCode).toBe(200);
    expectError(await get('/v1/dagi/region/1093'), 'not_found');
    const listed = await operate('GET', '/v1/drift/varsler');
    expectDocumented(service.app, listed, ['get', '/v1/drift/varsler']);
    const { varsler } = listed.json<{ varsler: { id: string }[] }>();
    expect(varsler.map(({ id }) => id)).toEqual([KOMMUNE, REGION, SOGN]);
    expect(varsler[1]).toMatchObject({
      tidspunkt: '2098-12-31T23:00:00.000Z',
      kilde: 'register',
      tilstand: 'forberedt',
      ophoerer: [{ kode: '1091' }, { kode: '1092' }],
      begynder: [{ kode: '1093' }],
      kraever_godkendelse: true,
      godkendt: null,
    });
  });

  test('it is confirmed and taken back', async () => {
    const path = '/v1/drift/varsler/{id}/godkend';
    expectError(await operate('POST', confirmed('region-nix')), 'not_found');
    expectError(await operate('DELETE', confirmed(REGION)), 'conflict');
    const long = { bemaerkning: 'x'.repeat(201) };
    expectError(await operate('POST', confirmed(REGION), long), 'invalid_request');
    const said = { bemaerkning: 'aftalt', af: 'Opdigtet' };
    const done = await operate('POST', confirmed(REGION), said);
    expectDocumented(service.app, done, ['post', path]);
    expect(done.json()).toMatchObject({
      kraever_godkendelse: false,
      godkendt: { ...said, tidspunkt: '2098-12-31T22:59:00.000Z' },
    });
    const undone = await operate('DELETE', confirmed(REGION));
    expectDocumented(service.app, undone, ['delete', path]);
    for (const id of [REGION, SOGN]) {
      expect((await operate('POST', confirmed(id))).statusCode).toBe(200);
    }
  });
});

describe('at midnight in Copenhagen', () => {
  test('the regions are one within seconds, and no answer is of two moments', async () => {
    beginSync();
    beginSync();
    const seen: Seen[] = [];
    const properties: [generation: string, region: string][] = [];
    const loading = { go: true };
    const load = (async () => {
      while (loading.go) {
        const moment = await look();
        if (moment !== null) seen.push(moment);
        properties.push(...(await lookAtProperty()));
        await sleep(1);
      }
    })();
    const stopLoad = async (): Promise<void> => {
      loading.go = false;
      await load;
    };
    onTestFinished(stopLoad);
    // A millisecond before: nothing shows early, however often it is asked.
    dated.setClock(INSTANT_MS - 1);
    const before = { seen: seen.length, properties: properties.length };
    await sleep(3 * LIMITS.datedTickMs);
    await vi.waitFor(() => {
      expect(seen.length).toBeGreaterThan(before.seen + 1);
      expect(properties.length).toBeGreaterThan(before.properties + 2);
    }, WAIT);
    expect(new Set(seen.map(({ municipal }) => municipal))).toEqual(new Set(['1092']));
    expect(new Set(properties.map(([, region]) => region))).toEqual(new Set(['1092']));

    dated.setClock(INSTANT_MS);
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ region: '1093' }), {
      ...WAIT,
      interval: 5,
    });
    await stopLoad();
    const byGeneration = Map.groupBy(seen, ({ generation }) => generation);
    for (const moments of byGeneration.values()) {
      expect(new Set(moments.map(({ region, municipal }) => `${region} ${municipal}`)).size).toBe(
        1,
      );
    }
    // Properties tell the region of the very generation that they name.
    expect((await lookAtProperty()).map(([, region]) => region)).toEqual(['1093', '1093']);
    const regionOf = new Map(seen.map(({ generation, municipal }) => [generation, municipal]));
    for (const [generation, region] of properties) {
      expect(region).toBe(regionOf.get(generation) ?? region);
    }
    expect(new Set(properties.map((pair) => pair.join(' '))).size).toBe(
      new Set(properties.map(([generation]) => generation)).size,
    );
    // Nor does anything linger that was rendered before.
    expectError(await get('/v1/dagi/region/1091'), 'not_found');
    expect((await get('/v1/dagi/region/1093')).statusCode).toBe(200);
    // The regions and the parishes change at one instant: no answer is of both its sides.
    for (const { region, municipal, parish } of seen) {
      expect(`${region} ${municipal} ${parish}`).toMatch(/^109[12] 1092 9905$|^1093 1093 9916$/);
    }
  });

  test('what nobody confirmed is refused, alarmed and stale', async () => {
    await vi.waitFor(
      () => expect(said.join()).toMatch(/dated change is due and not carried out/),
      WAIT,
    );
    const { headers, ...answer } = await get('/v1/dagi/kommune/0091');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      navn: 'Prøveholm Kommune (opdigtet)',
      regionskode: '1093',
    });
    expect(answer.body).toContain('"geometri_status":"stale"');
    expect(String(headers['cache-status'])).toContain('stale');
    const status = (await get('/v1/status')).json<{ lag: { lag: string; tilstand: string }[] }>();
    expect(status.lag.find(({ lag }) => lag === 'kommune')?.tilstand).toBe('forsinket');
    const metrics = (await operate('GET', '/metrics')).body;
    expect(metrics).toContain(
      `geoopslag_dated_change_overdue{layer="kommune",change="${KOMMUNE}"} 1`,
    );
    expectError(await operate('POST', confirmed(KOMMUNE)), 'conflict');
    expectError(await operate('DELETE', confirmed(REGION)), 'conflict');
  });

  test('a clock that goes back takes nothing back and shows nothing early', async () => {
    dated.setClock(INSTANT_MS - 3600_000);
    await sleep(3 * LIMITS.datedTickMs);
    expect(await look()).toMatchObject({ region: '1093', municipal: '1093' });
    expect((await get('/v1/dagi/kommune/0091')).json()).toMatchObject({
      navn: 'Prøveholm Kommune (opdigtet)',
    });
  });
});
