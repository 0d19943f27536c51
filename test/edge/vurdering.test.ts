/** Assessments of a property at the edge: what is none, what is unreadable and what is not here; scope and bill. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createAssessments } from '../../src/registers/assessments/lookup.ts';
import type { AssessmentsRead } from '../../src/registers/assessments/store.ts';
import { assessmentsOf } from '../../src/registers/assessments/folded.ts';
import { keptAccess } from './access.ts';
import type { KeptAccess } from './access.ts';
import { GENERATION, expectDocumented, expectError, memoryApp } from './edge.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const CELLS = [2_000_008_000_001, 2024, 5, 4, 3, 2, 1, '01', null, '2024-10-01', 7, '0093', '12'];

let read: () => Promise<AssessmentsRead>;
let access: KeptAccess;
let app: FastifyInstance;
beforeEach(async () => {
  access = keptAccess({
    svc_live_all: { keyId: 'key_all' },
    svc_live_only: { permission: 'restricted:vurdering' },
  });
  const assessments = createAssessments({
    clock: { nowMs: () => NOW_MS },
    catalogue: REGISTERS_CATALOGUE,
    read: () => read(),
    nameSources: (names) => names.join(),
  });
  app = await memoryApp({ access, assessments });
});
afterEach(() => app.close());

const get = (secret = 'svc_live_all') =>
  app.inject({ url: '/v1/vurdering/9', headers: { authorization: `Bearer ${secret}` } });

/** What the store tells: rows, and how old the copy is. */
function told(
  found: AssessmentsRead['found'],
  ageMs = 1_000,
  unread: AssessmentsRead['unread'] = [],
): typeof read {
  const copy = { version: 1, syncedAtMs: NOW_MS - ageMs, held: false };
  return () => Promise.resolve({ generation: GENERATION, unread, copy, found });
}
const ONE = assessmentsOf({ assessments: JSON.stringify([CELLS]), unresolved: 0 });

test('answers all rows with headers and one unit, to a key of its scope alone', async () => {
  read = told(ONE);
  const response = await get('svc_live_only');
  expectDocumented(app, response, ['get', '/v1/vurdering/{bfe}']);
  expect(response.json()).toMatchObject({
    bfe_nummer: 9,
    vurderingsejendomme: [{ id: '7', vurderinger: [{ aar: 2024, ejendomsvaerdi_kr: 5 }] }],
    meta: { kilde: 'VUR' },
  });
  expect(response.headers).toMatchObject({
    'x-service-generation': String(GENERATION),
    'x-service-data-age': '1',
    'cache-status': expect.stringMatching(/detail=store$/) as string,
  });
  expect(access.settled).toMatchObject([{ units: 1 }]);
});

test('tells none, unreadable and not mirrored apart, and bills nothing of it', async () => {
  read = told(undefined);
  expectError(await get(), 'not_found');
  // What a reference leads to that is not there may be the newest, whatever else is.
  read = told({ rows: [], unresolved: 2 });
  expectError(await get(), 'upstream_error');
  read = told({ rows: ONE?.rows ?? [], unresolved: 1 });
  expectError(await get(), 'upstream_error');
  // All that it was referred to has ended, or is to come.
  read = told({ rows: [], unresolved: 0 });
  expectError(await get(), 'not_found');
  read = told(ONE, 31 * DAY_MS);
  expectError(await get(), 'upstream_error');
  read = () => Promise.reject(new Error('relation "assessment" does not exist'));
  expectError(await get(), 'upstream_error');
  // Rows of it, or of nobody knows whom, could not be read.
  read = told(ONE, 1_000, ['9']);
  expectError(await get(), 'upstream_error');
  read = told(undefined, 1_000, [null]);
  expectError(await get(), 'upstream_error');
  read = () =>
    Promise.resolve({ generation: GENERATION, unread: [], copy: null, found: undefined });
  const response = await get();
  expectError(response, 'upstream_unavailable');
  expect(response.headers).toHaveProperty('retry-after');
  read = told(null);
  expectError(await get(), 'overloaded');
  expect(access.settled).toEqual([]);
  expect(access.outstanding()).toBe(0);
});

test('of an old copy says so', async () => {
  read = told(ONE, 9 * DAY_MS);
  expect((await get()).headers).toMatchObject({ 'x-service-stale': 'true' });
});
