/** Tiles of house numbers and road names, cut from the store on both stores. */
import MVT from 'ol/format/MVT.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { toUnitSquareAll } from '../../src/geo/web-mercator.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { composeHouseTiles } from '../../src/registers/addresses/house-tiles.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { expectDocumented, expectError, memoryApp } from '../edge/edge.ts';
import { publish, put } from '../support/property-store.ts';
import { sharedStore } from '../support/store.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
const [X, Y] = [650_000, 6_314_000];
const uuid = (n: number): string => `0a3f50b1-0000-32b8-e044-${String(n).padStart(12, '0')}`;

let workers: Workers;
let app: FastifyInstance;

const store = await sharedStore();
beforeAll(async () => {
  workers = createWorkers({ threads: 1 });
  await put(store, 'address_road', { id: uuid(900), status: 3, name: 'Æblevej' });
  await house(1, '1', { road_id: uuid(900) });
  await house(2, '2B', { road_id: uuid(900) });
  // Of no road that is there, not yet in force, and gone.
  await house(3, '7', { road_id: uuid(901) });
  await house(4, '8', { road_id: uuid(900), status: 2 });
  await house(5, '9', { road_id: uuid(900), status: 4 });
  const houseTiles = composeHouseTiles({
    ...{ store, workers, catalogue: REGISTERS_CATALOGUE, isInvented: false },
    ...{ clock: { nowMs: () => NOW_MS }, onExpired: () => undefined },
  });
  app = await memoryApp({ parcelTiles: houseTiles });
});
afterAll(async () => {
  await app.close();
  await workers.close();
});
beforeEach(() => publish(store, 'adresser', { syncedAtMs: NOW_MS }));

async function house(n: number, number: string, more: Record<string, string | number>) {
  const geom = `POINT(${X + 10 * n} ${Y})`;
  await put(store, 'address_point', { id: uuid(100 + n), status: 3, geom });
  const place = { point_id: uuid(100 + n), house_number: number };
  await put(store, 'address_access', { id: uuid(n), status: 3, ...place, ...more });
}

function pathAt(z: number, x = X): string {
  const square = Float64Array.of(x, Y);
  toUnitSquareAll(square, square);
  const [column, row] = [...square].map((share) => Math.floor(share * 2 ** z));
  return `/v1/kort/husnumre/${z}/${column}/${row}.mvt`;
}

async function told(path: string): Promise<readonly Record<string, unknown>[]> {
  const answer = await app.inject(path);
  expect(answer.statusCode, answer.body).toBe(200);
  const bytes = Uint8Array.from(answer.rawPayload).buffer;
  return new MVT().readFeatures(bytes).map((feature) => feature.getProperties());
}

test('hold the numbers in force, and the name of each road once', async () => {
  const all = [
    { layer: 'vejnavne', vejnavn: 'Æblevej' },
    { layer: 'husnumre', id: uuid(1), husnr: '1', vejnavn: 'Æblevej' },
    { layer: 'husnumre', id: uuid(2), husnr: '2B', vejnavn: 'Æblevej' },
    { layer: 'husnumre', id: uuid(3), husnr: '7' },
  ];
  for (const z of [15, 16]) expect(await told(pathAt(z)), `${z}`).toEqual(all);
  expect((await app.inject(pathAt(16, X + 5_000))).rawPayload).toHaveLength(0);
  expect(expectError(await app.inject(pathAt(14)), 'invalid_request')['error']).toMatch(
    /z must be at least 15/,
  );
  const described = await app.inject('/v1/kort/husnumre.json');
  expectDocumented(app, described, ['get', '/v1/kort/{lag}.json']);
  expect(described.json()).toMatchObject({ minzoom: 15, attribution: 'DAR' });
  const layers = described.json<{ vector_layers: { id: string }[] }>().vector_layers;
  expect(layers.map(({ id }) => id)).toEqual(['husnumre', 'vejnavne']);
});

test.each([
  ['a number there could not be read', { unreadable: [], objects: [uuid(2)] }],
  ['something lies there that could not be read', { unreadable: [[X, Y, X + 5, Y + 5]] }],
])('are not drawn where %s', async (_why, unanswered) => {
  await store.pool.query(`update layer_state set unanswered = $1 where layer = 'adresser'`, [
    JSON.stringify(unanswered),
  ]);
  await publish(store, 'adresser', { syncedAtMs: NOW_MS });
  expectError(await app.inject(pathAt(16)), 'upstream_unavailable');
  expect((await app.inject(pathAt(16, X + 5_000))).statusCode).toBe(200);
  await store.pool.query(`update layer_state set unanswered = null where layer = 'adresser'`);
});

test('that were never mirrored, or are too old, are not drawn as none', async () => {
  await publish(store, 'adresser', { syncedAtMs: 0 });
  expectError(await app.inject(pathAt(16)), 'upstream_unavailable');
  await store.pool.query("delete from layer_state where layer = 'adresser'");
  for (const path of [pathAt(16), '/v1/kort/husnumre.json']) {
    const refused = expectError(await app.inject(path), 'upstream_unavailable');
    expect(refused['error']).toMatch(/not mirrored yet/);
  }
});
