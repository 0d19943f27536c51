/** Assessments of a property at the edge: what is none, what is unreadable and what is not here; scope and bill. */
import type { FailureType } from '../../src/kernel/failures.ts';
import { beforeEach, expect, test } from 'vitest';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createAssessments } from '../../src/registers/assessments/lookup.ts';
import type { AssessmentsRead } from '../../src/registers/assessments/store.ts';
import { assessmentsOf } from '../../src/registers/assessments/folded.ts';
import { keptAccess } from './access.ts';
import { GENERATION, expectDocumented, expectError, sharedApp } from './edge.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const CELLS = [2_000_008_000_001, 2024, 5, 4, 3, 2, 1, '01', null, '2024-10-01', 7, '0093', '12'];

let read: () => Promise<AssessmentsRead>;
const access = keptAccess({
  svc_live_all: { keyId: 'key_all' },
  svc_live_only: { permission: 'restricted:vurdering' },
});
const assessments = createAssessments({
  clock: { nowMs: () => NOW_MS },
  catalogue: REGISTERS_CATALOGUE,
  read: () => read(),
  nameSources: (names) => names.join(),
});
const app = await sharedApp({ access, assessments });
beforeEach(() => {
  access.settled.length = 0;
});

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

const never = () =>
  Promise.resolve({ generation: GENERATION, unread: [], copy: null, found: undefined });
const broken = () => Promise.reject(new Error('relation "assessment" does not exist'));

test.each<[string, typeof read, FailureType]>([
  ['a number that nobody has', told(undefined), 'not_found'],
  // What a reference leads to that is not there may be the newest, whatever else is.
  ['references that lead nowhere', told({ rows: [], unresolved: 2 }), 'upstream_error'],
  ['rows beside one', told({ rows: ONE?.rows ?? [], unresolved: 1 }), 'upstream_error'],
  ['all that has ended, or is to come', told({ rows: [], unresolved: 0 }), 'not_found'],
  ['a copy past its hard limit', told(ONE, 31 * DAY_MS), 'upstream_error'],
  ['a table that is broken', broken, 'upstream_error'],
  ['unread rows of it', told(ONE, 1_000, ['9']), 'upstream_error'],
  ['unread rows of nobody knows whom', told(undefined, 1_000, [null]), 'upstream_error'],
  ['no copy', never, 'upstream_unavailable'],
  ['a store that cannot say', told(null), 'overloaded'],
])('%s is told apart, and bills nothing', async (_, copy, type) => {
  read = copy;
  expectError(await get(), type);
  expect([access.settled, access.outstanding()]).toEqual([[], 0]);
});

test('of an old copy says so', async () => {
  read = told(ONE, 9 * DAY_MS);
  expect((await get()).headers).toMatchObject({ 'x-service-stale': 'true' });
});
