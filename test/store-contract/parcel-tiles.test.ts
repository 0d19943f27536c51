/** Tiles of parcels and of house numbers, cut from the store: what lies in them, and that none is empty for want of data. */
import MVT from 'ol/format/MVT.js';
import type RenderFeature from 'ol/render/Feature.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { composeHouseTiles } from '../../src/registers/addresses/house-tiles.ts';
import { composeParcelTiles } from '../../src/registers/cadastre/register.ts';
import { expectError, memoryApp } from '../edge/edge.ts';
import { PARCEL_ROWS } from '../faults/matrix-map.ts';
import { box, positionsOf } from '../support/layer-fixture.ts';
import { onTiles, tileAt } from '../support/map-tiles.ts';
import { opened } from '../support/opened.ts';
import { id, publish, put, withBroken } from '../support/property-store.ts';
import { sharedStore } from '../support/store.ts';
import { sharedWorkers } from '../support/sync-bench.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
const DAY_MS = 86_400_000;
/** The south-west corner of what is put here, metres of EPSG:25832. */
const [X, Y] = [650_000, 6_314_000];
const FACES = ['Ejerlav', 'SamletFastEjendom', 'Jordstykke', 'Lodflade'];

const expired: string[] = [];

const store = await sharedStore();
const workers = sharedWorkers();
const app = await opened(openApp());
beforeAll(async () => {
  await put(store, 'cadastre_district', { id: 77, code: 990_077, name: 'Opdigtet By' });
  await parcel(1, [[0, 0, 100, 100]], { number: '1a', bfe: 9_100_001 });
  // Two faces that touch, and one beyond a road: the parcel has no border where the two meet.
  const faces = [
    [100, 0, 150, 100],
    [150, 0, 200, 100],
    [220, 0, 260, 100],
  ] as const;
  await parcel(2, faces, { number: '2b' });
  await parcel(3, [[0, 100, 100, 200]], { number: '3c', status: 2 });
});
beforeEach(async () => {
  expired.length = 0;
  await publish(store, 'matrikel', { syncedAtMs: NOW_MS, tables: FACES });
});

type Sides = readonly [minX: number, minY: number, maxX: number, maxY: number];

async function parcel(id: number, faces: readonly Sides[], more: Record<string, string | number>) {
  await put(store, 'cadastre_parcel', { id, status: 3, district_id: 77, ...more });
  for (const [n, [west, south, east, north]] of faces.entries()) {
    const at = (x: number, y: number) => `${X + x} ${Y + y}`;
    const ring = [at(west, south), at(east, south), at(east, north), at(west, north)];
    const geom = `MULTIPOLYGON(((${[...ring, ring[0]].join(',')})))`;
    await put(store, 'cadastre_face', { id: `${id}_${n}`, parcel_id: id, geom });
  }
}

function openApp(days = 0): Promise<FastifyInstance> {
  const parcelTiles = composeParcelTiles({
    ...{ store, workers, catalogue: REGISTERS_CATALOGUE, isInvented: false },
    clock: { nowMs: () => NOW_MS + days * DAY_MS },
    onExpired: (mirror) => expired.push(mirror),
  });
  return memoryApp({ parcelTiles });
}

const pathAt = (z: number, x = X + 50, layer = 'jordstykker') =>
  `/v1/kort/${layer}/${tileAt(x, Y + 50, z)}.mvt`;

const PATH = pathAt(16);

async function tile(url: string): Promise<RenderFeature[]> {
  const answer = await app.inject(url);
  expect(answer.statusCode, answer.body).toBe(200);
  const bytes = answer.rawPayload;
  return bytes.length === 0 ? [] : OWN.readFeatures(Uint8Array.from(bytes).buffer);
}

const OWN = new MVT({ layers: ['jordstykker'] });

const namesIn = async (url: string) =>
  (await tile(url)).map((feature) => String(feature.get('matrikelnummer'))).sort();

describe('a tile of parcels', () => {
  test('has those in force, with what an answer says of them', async () => {
    const features = await tile(PATH);
    const told = features.map((feature) => {
      const { layer, ...values } = feature.getProperties() as Record<string, unknown>;
      expect(layer).toBe('jordstykker');
      return values;
    });
    const district = { ejerlav_kode: 990_077, ejerlav_navn: 'Opdigtet By' };
    expect(told).toEqual([
      { matrikelnummer: '1a', ...district, bfe_nummer: 9_100_001 },
      { matrikelnummer: '2b', ...district },
    ]);
    for (const z of [14, 15, 16]) expect(await namesIn(pathAt(z)), `${z}`).toEqual(['1a', '2b']);
  });

  test('draws each where it lies, to a unit, and its faces as one', async () => {
    const z = 16;
    const [column, row] = onTiles(X + 50, Y + 50, z).map(Math.floor);
    const unit = (x: number, y: number) => {
      const [tx, ty] = onTiles(x, y, z);
      return [(tx - column!) * 4096, (ty - row!) * 4096];
    };
    const [house, split] = await tile(PATH);
    const corners = positionsOf(box(X, Y, 100)).map(([x, y]) => unit(x, y));
    for (const corner of corners) {
      expect(farFrom(corner, house!), String(corner)).toBeLessThanOrEqual(1);
    }
    // Two outlines, none along the border of the faces that touch.
    expect((split!.getEnds() ?? []).flat()).toHaveLength(2);
    const [, middle = 0] = unit(X + 150, Y + 50);
    const [seam = 0] = unit(X + 150, Y + 50);
    const flat = split!.getFlatCoordinates();
    const onSeam = flat.filter(
      (value, i) =>
        i % 2 === 0 && Math.abs(value - seam) < 2 && Math.abs(flat[i + 1]! - middle) < 200,
    );
    expect(onSeam).toEqual([]);
  });

  test('is empty only where none lies, and known again by its tag until the next publication', async () => {
    expect(await tile(pathAt(16, X + 20_000))).toEqual([]);
    const first = await app.inject(PATH);
    const headers = { 'if-none-match': String(first.headers.etag) };
    const again = await app.inject({ url: PATH, headers });
    expect(again.statusCode).toBe(304);
    expect(again.headers['x-service-data-age']).toBe('0');
    await parcel(4, [[20, 20, 30, 30]], { number: '4d' });
    await publish(store, 'matrikel', { syncedAtMs: NOW_MS, tables: FACES });
    expect((await app.inject({ url: PATH, headers })).statusCode).toBe(200);
    expect(await namesIn(PATH)).toEqual(['1a', '2b', '4d']);
    await store.pool.query('delete from cadastre_parcel where id = 4');
    await store.pool.query('delete from cadastre_face where parcel_id = 4');
  });

  test.each([
    ['13/4357/2511', /z must be at least 14/],
    ['17/0/0', /z must be .*16/],
    ['14/16384/0', /x must be at most 16383 at zoom 14/],
  ])('%s is refused with the field and its limit', async (place, text) => {
    const answer = await app.inject(`/v1/kort/jordstykker/${place}.mvt`);
    expect(expectError(answer, 'invalid_request')['error']).toMatch(text);
  });

  test('is not drawn where a parcel that could not be read lies, and is beside it', async () => {
    const far = pathAt(16, X + 9_000);
    expect(await namesIn(far)).toEqual([]);
    const unanswered = JSON.stringify({
      unreadable: [[X + 50, Y + 50, X + 60, Y + 60]],
      objects: ['7'],
    });
    await store.pool.query(
      `update layer_state set unanswered = $1, version = version + 1 where layer = 'matrikel'`,
      [unanswered],
    );
    expectError(await app.inject(PATH), 'upstream_unavailable');
    expect(await namesIn(far)).toEqual([]);
    await store.pool.query(`update layer_state set unanswered = null where layer = 'matrikel'`);
  });

  test('of too many is refused, and so is what waits too long in line', async () => {
    const { featuresPerTile, cut } = LIMITS.kort;
    await store.pool.query(
      `with made as (
         insert into cadastre_parcel (id, status, registered_from, valid_from)
         select n, 3, now(), now() from generate_series(100001, 100001 + $1::integer) n returning id)
       insert into cadastre_face (id, parcel_id, geom, registered_from, valid_from)
       select id::text, id, ST_Multi(ST_MakeEnvelope(x, y, x + 1, y + 1, 25832)), now(), now()
       from (select id, $2::float8 + id % 150 as x, $3::float8 + (id / 150) % 150 as y from made) m`,
      [featuresPerTile, X + 5_000, Y],
    );
    await store.pool.query('analyze cadastre_face');
    const crowded = await app.inject(pathAt(15, X + 5_050));
    expect(expectError(crowded, 'invalid_request')['error']).toMatch(/more than 20000 parcels/);
    const { atATime, waiting } = cut;
    const answers = await Promise.all(
      Array.from({ length: atATime + waiting.each + 10 }, (_, n) =>
        app.inject(`/v1/kort/jordstykker/16/${34_000 + n}/20000.mvt`),
      ),
    );
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectError(answer, 'overloaded');
    await store.pool.query('delete from cadastre_face where parcel_id > 100000');
    await store.pool.query('delete from cadastre_parcel where id > 100000');
  });
});

test('TileJSON tells where they begin, and the style has them', async () => {
  expect((await app.inject('/v1/kort/jordstykker.json')).json()).toMatchObject({
    ...{ name: 'jordstykker', minzoom: 14, maxzoom: 16, attribution: 'Matriklen' },
    tiles: ['https://geo.example/v1/kort/jordstykker/{z}/{x}/{y}.mvt'],
  });
  const { sources } = (await app.inject('/v1/kort/style.json')).json<{ sources: object }>();
  expect(sources).toHaveProperty('jordstykker');
  expectError(await app.inject('/v1/kort/jordstykker.fgb'), 'invalid_request');
});

describe('tiles of house numbers and road names', () => {
  let houses: FastifyInstance;
  beforeAll(async () => {
    await put(store, 'address_road', { id: id(900), status: 3, name: 'Æblevej' });
    await house(1, '1', { road_id: id(900) });
    await house(2, '2B', { road_id: id(900) });
    // Of no road that is there, not yet in force, and gone.
    await house(3, '7', { road_id: id(901) });
    await house(4, '8', { road_id: id(900), status: 2 });
    await house(5, '9', { road_id: id(900), status: 4 });
    const parcelTiles = composeHouseTiles({
      ...{ store, workers, catalogue: REGISTERS_CATALOGUE, isInvented: false },
      ...{ clock: { nowMs: () => NOW_MS }, onExpired: () => undefined },
    });
    houses = await memoryApp({ parcelTiles });
  });
  afterAll(() => houses.close());
  beforeEach(() => publish(store, 'adresser', { syncedAtMs: NOW_MS }));

  async function house(n: number, number: string, more: Record<string, string | number>) {
    const geom = `POINT(${X + 10 * n} ${Y})`;
    await put(store, 'address_point', { id: id(100 + n), status: 3, geom });
    const place = { point_id: id(100 + n), house_number: number };
    await put(store, 'address_access', { id: id(n), status: 3, ...place, ...more });
  }
  const at = (z: number, x = X) => houses.inject(pathAt(z, x, 'husnumre'));

  test('hold the numbers in force, and the name of each road once', async () => {
    const all = [
      { layer: 'vejnavne', vejnavn: 'Æblevej' },
      { layer: 'husnumre', id: id(1), husnr: '1', vejnavn: 'Æblevej' },
      { layer: 'husnumre', id: id(2), husnr: '2B', vejnavn: 'Æblevej' },
      { layer: 'husnumre', id: id(3), husnr: '7' },
    ];
    for (const z of [15, 16]) {
      const bytes = Uint8Array.from((await at(z)).rawPayload).buffer;
      const told = new MVT().readFeatures(bytes).map((feature) => feature.getProperties());
      expect(told, `${z}`).toEqual(all);
    }
    expect((await at(16, X + 5_000)).rawPayload).toHaveLength(0);
    expect(expectError(await at(14), 'invalid_request')['error']).toMatch(/z must be at least 15/);
    const described = await houses.inject('/v1/kort/husnumre.json');
    expect(described.json()).toMatchObject({ minzoom: 15, attribution: 'DAR' });
    const layers = described.json<{ vector_layers: { id: string }[] }>().vector_layers;
    expect(layers.map((layer) => layer.id)).toEqual(['husnumre', 'vejnavne']);
  });

  test.each([
    ['a number there could not be read', { unreadable: [], objects: [id(2)] }],
    ['something lies there that could not be read', { unreadable: [[X, Y, X + 5, Y + 5]] }],
  ])('are not drawn where %s', async (_why, unanswered) => {
    const leave = (text: string | null) =>
      store.pool.query(`update layer_state set unanswered = $1 where layer = 'adresser'`, [text]);
    await leave(JSON.stringify(unanswered));
    await publish(store, 'adresser', { syncedAtMs: NOW_MS });
    expectError(await at(16), 'upstream_unavailable');
    expect((await at(16, X + 5_000)).statusCode).toBe(200);
    await leave(null);
  });

  test('that were never mirrored, or are too old, are not drawn as none', async () => {
    await publish(store, 'adresser', { syncedAtMs: 0 });
    expectError(await at(16), 'upstream_unavailable');
    await store.pool.query("delete from layer_state where layer = 'adresser'");
    for (const answer of [await at(16), await houses.inject('/v1/kort/husnumre.json')]) {
      expect(expectError(answer, 'upstream_unavailable')['error']).toMatch(/not mirrored yet/);
    }
  });
});

describe('what may be missing or old (docs/fault-matrix.md)', () => {
  const ALL = [PATH, '/v1/kort/jordstykker.json'];

  async function expectNone(text: RegExp, edge = app): Promise<void> {
    for (const url of ALL) {
      const body = expectError(await edge.inject(url), 'upstream_unavailable');
      expect(body['error']).toMatch(text);
    }
  }

  const PLAYED: Readonly<Record<keyof typeof PARCEL_ROWS, () => Promise<void>>> = {
    'parcels-missing': async () => {
      await store.pool.query("delete from layer_state where layer = 'matrikel'");
      await expectNone(/not mirrored yet/);
    },
    'parcels-placeless': async () => {
      await publish(store, 'matrikel', { syncedAtMs: NOW_MS });
      await expectNone(/not mirrored yet/);
    },
    'parcels-unreadable': async () => {
      const ask = () => app.inject(pathAt(16, X + 1_000));
      const elsewhere = await withBroken(store, 'cadastre_face', ask);
      expectError(elsewhere, 'upstream_unavailable');
      expect(await namesIn(PATH)).toEqual(['1a', '2b']);
    },
    'parcels-old': async () => {
      const later = await openApp(9);
      for (const url of ALL) {
        const stale = await later.inject(url);
        expect(stale.statusCode).toBe(200);
        expect(stale.headers['x-service-stale']).toBe('true');
      }
      expect(expired).toContain('matrikel');
      await later.close();
    },
    'parcels-expired': async () => {
      const past = await openApp(31);
      await expectNone(/older than it may be/, past);
      await past.close();
    },
    'parcels-store-away': async () => {
      const refused = () => {
        throw new Error('The store does not answer.');
      };
      const away = { ...store, db: new Proxy(store.db, { get: refused }) };
      const edge = await memoryApp({
        parcelTiles: composeParcelTiles({
          ...{ store: away, workers, catalogue: REGISTERS_CATALOGUE, isInvented: false },
          ...{ clock: { nowMs: () => NOW_MS }, onExpired: () => undefined },
        }),
      });
      await expectNone(/cannot be read now/, edge);
      await edge.close();
    },
  };

  test.each(Object.keys(PARCEL_ROWS) as (keyof typeof PARCEL_ROWS)[])('%s', (id) => PLAYED[id]());
});

function farFrom([x = 0, y = 0]: readonly number[], feature: RenderFeature): number {
  const flat = feature.getFlatCoordinates();
  let best = Infinity;
  for (let i = 0; i + 1 < flat.length; i += 2) {
    best = Math.min(best, Math.max(Math.abs(flat[i]! - x), Math.abs(flat[i + 1]! - y)));
  }
  return best;
}
