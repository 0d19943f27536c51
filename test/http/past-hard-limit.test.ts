/**
 * Properties, the cadastre and areas whose copy is past its hard limit, with nothing else to ask: 503 (D149).
 * Companies and assessments: test/edge/cvr.test.ts and vurdering.test.ts.
 */
import { storeLookups } from '../support/lookups.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createReverseAreas } from '../../src/registers/areas/reverse.ts';
import { idleRegisters } from '../support/registers.ts';
import { readCoveringAreas } from '../../src/registers/areas/store.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { expectError, memoryApp } from '../edge/edge.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { opened } from '../support/opened.ts';

const YEAR_MS = 365 * 86_400_000;

const store = await opened(openMirroredStore('served'));
let app: FastifyInstance;
let nowMs = Date.now();
beforeAll(async () => {
  const common = {
    catalogue: REGISTERS_CATALOGUE,
    clock: { nowMs: () => nowMs },
    onExpired: () => undefined,
  };
  const { registers } = storeLookups(store, common);
  const reverseAreas = createReverseAreas({
    ...common,
    memory: () => null,
    readStore: (points) =>
      readCoveringAreas(
        store,
        points.map(({ utm32 }) => utm32),
      ),
    askOrigin: () => Promise.reject(new Error('It is away.')),
  });
  app = await memoryApp({
    registers: idleRegisters({
      ...Object.fromEntries(registers.map(({ name, lookups }) => [name, lookups as object])),
      areas: { reverseAreas },
    }),
  });
});
afterAll(() => app.close());

test.each([
  `/v1/bbr/ejendom/${KNOWN_PROPERTY.bfe}`,
  `/v1/matrikel/ejendom/${KNOWN_PROPERTY.bfe}`,
  '/v1/dagi/reverse?x=650000&y=6314000&srid=25832',
])('%s answers while the copy is fresh, and not when it is too old', async (url) => {
  nowMs = Date.now();
  const fresh = await app.inject(url);
  expect(fresh.statusCode, fresh.body).toBe(200);
  nowMs = Date.now() + 2 * YEAR_MS;
  // With a Retry-After, as every 503.
  expectError(await app.inject(url), 'upstream_unavailable');
});

test('a batch has it for each number and point', async () => {
  nowMs = Date.now() + 2 * YEAR_MS;
  const batch = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, payload })).json<{ errors: { status: number }[] }>();
  const bfes = await batch('/v1/bbr/ejendom:batch', { bfe: [KNOWN_PROPERTY.bfe] });
  expect(bfes.errors).toMatchObject([{ status: 503 }]);
  const punkter = [{ x: 650000, y: 6314000, srid: 25832 }];
  expect((await batch('/v1/dagi/reverse:batch', { punkter })).errors).toMatchObject([
    { status: 503 },
  ]);
});
