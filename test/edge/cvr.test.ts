/** Companies at the edge (D116 to D118): which rung answers, what is none, unreadable and not here; scope, bill, bad input. */
import { beforeEach, describe, expect, test } from 'vitest';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { Company } from '../../src/registers/companies/company.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import type { CompanyOrigin } from '../../src/registers/companies/origin.ts';
import { idleRegisters } from '../support/registers.ts';
import type { CompanyRead } from '../../src/registers/companies/store.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { keptAccess } from './access.ts';
import { GENERATION, expectDocumented, expectError, sharedApp } from './edge.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const NUMBER = '99000074';
const ONE: Company = {
  number: Number(NUMBER),
  name: 'Gunhild Prøvedatter',
  otherNames: ['Et andet navn'],
  form: { code: '10', text: 'Enkeltmandsvirksomhed' },
  status: 'aktiv',
  started: '2001-02-03',
  ended: null,
  address: {
    roadName: 'Prøvevej',
    houseNumber: '7B',
    floor: '2',
    door: 'th',
    supplementaryTown: 'Hjørnet',
    postcode: '0999',
    postcodeName: 'Prøve',
    municipalityCode: '0091',
    addressId: null,
    freeText: null,
  },
  mainBranch: { code: '433410', text: null },
  otherBranches: [],
  isProtected: null,
};

let read: () => Promise<CompanyRead>;
let origin: CompanyOrigin | null;
let expired: string[];
const access = keptAccess({
  svc_live_all: { keyId: 'key_all' },
  svc_live_only: { permission: 'restricted:cvr' },
});
const deps = {
  clock: { nowMs: () => NOW_MS },
  catalogue: REGISTERS_CATALOGUE,
  read: () => read(),
  nameSources: (names: readonly string[]) => names.join(),
  onExpired: (mirror: string) => expired.push(mirror),
};
const app = await sharedApp({
  access,
  // As it is set in each test.
  registers: idleRegisters({
    companies: { find: (digits: string) => createCompanies({ ...deps, origin }).find(digits) },
  }),
});
beforeEach(() => {
  origin = null;
  expired = [];
  access.settled.length = 0;
});

const get = (number = NUMBER, secret = 'svc_live_all') =>
  app.inject({ url: `/v1/cvr/${number}`, headers: { authorization: `Bearer ${secret}` } });

/** What the store tells: a company, and how old the copy is. */
function told(found: CompanyRead['found'], ageMs = 1_000): typeof read {
  const copy = { version: 1, syncedAtMs: NOW_MS - ageMs, held: false };
  return () => Promise.resolve({ generation: GENERATION, isTorn: false, copy, found });
}
const never = () =>
  Promise.resolve({ generation: GENERATION, isTorn: false, copy: null, found: undefined });
/** What a fresh copy tells of a company that it could not read all rows of. */
const torn = async () => ({ ...(await told(ONE)()), isTorn: true });
const failing = () => Promise.reject(new Error('the store is away'));

test('answers the record with headers and one unit, to a key of its scope alone', async () => {
  read = told(ONE);
  const response = await get(NUMBER, 'svc_live_only');
  expectDocumented(app, response, ['get', '/v1/cvr/{cvr}']);
  // The whole of one: test/http/examples.test.ts.
  expect(response.json()).toMatchObject({
    ...{ cvr_nummer: NUMBER, binavne: ['Et andet navn'], personlig: true, ophoersdato: null },
    adresse: { betegnelse: 'Prøvevej 7B, 2. th, Hjørnet, 0999 Prøve', adresse_id: null },
    hovedbranche: { kode: '433410', tekst: 'Ukendt kode' },
  });
  expect(response.headers).toMatchObject({
    'x-service-generation': String(GENERATION),
    'x-service-data-age': '1',
    'cache-status': expect.stringMatching(/detail=store$/) as string,
  });
  expect(access.settled).toMatchObject([{ units: 1 }]);
});

test('there is no list of companies, and no search for them (D117)', () => {
  const { paths = {} } = app.swagger() as { paths?: Record<string, object> };
  const about = Object.keys(paths).filter((path) => /cvr|virksomhed/i.test(path));
  expect(about.filter((path) => !path.startsWith('/v1/cvr/{cvr}'))).toEqual([]);
  expect(about).toContain('/v1/cvr/{cvr}');
});

test('tells none, unreadable and not mirrored apart, names no number, and bills nothing of it', async () => {
  const expectSilent = async (type: Parameters<typeof expectError>[1]) => {
    const response = await get();
    expectError(response, type);
    expect(response.body).not.toContain(NUMBER);
    return response;
  };
  read = told(undefined);
  await expectSilent('not_found');
  read = told(ONE, 31 * DAY_MS);
  expect((await expectSilent('upstream_unavailable')).headers).toHaveProperty('retry-after');
  read = failing;
  await expectSilent('upstream_error');
  read = told(null);
  await expectSilent('overloaded');
  read = never;
  expect((await expectSilent('upstream_unavailable')).headers).toHaveProperty('retry-after');
  expect(access.settled).toEqual([]);
  expect(access.outstanding()).toBe(0);
});

describe('the search', () => {
  const found = () => Promise.resolve({ ...ONE, name: 'Fra søgningen' });
  const nobody = () => Promise.resolve(null);
  const away = () => Promise.reject(new UpstreamFailure('timeout', 'no whole answer within 6 ms'));

  test('is not asked while the copy is fresh, also for a number it does not hold', async () => {
    origin = () => Promise.reject(new Error('it was asked'));
    read = told(ONE);
    expect((await get()).statusCode).toBe(200);
    read = told(undefined);
    expect((await get()).statusCode).toBe(404);
    expect(expired).toEqual([]);
  });

  test('answers in place of rows that could not be read; without it 503, never what is left of them', async () => {
    read = torn;
    expectError(await get(), 'upstream_unavailable');
    origin = found;
    expect((await get()).json()).toMatchObject({ navn: 'Fra søgningen' });
    origin = away;
    expectError(await get(), 'upstream_unavailable');
  });

  test.each([
    ['an old copy', told(ONE, 9 * DAY_MS)],
    ['a copy past its hard limit', told(ONE, 31 * DAY_MS)],
    ['no copy', never],
    ['no store', failing],
  ])('answers in place of %s', async (_of, copy) => {
    read = copy;
    origin = found;
    const response = await get();
    expect(response.json()).toMatchObject({ navn: 'Fra søgningen' });
    expect(response.headers['cache-status']).toMatch(/fwd=miss; detail=origin$/);
    expect(response.headers).not.toHaveProperty('x-service-stale');
    origin = nobody;
    expectError(await get(), 'not_found');
  });

  test('that tells nothing leaves the old copy, marked stale; without one 502, past its hard limit 503', async () => {
    origin = away;
    read = told(ONE, 9 * DAY_MS);
    const response = await get();
    expect(response.headers).toMatchObject({ 'x-service-stale': 'true' });
    expect(expired).toEqual(['cvr']);
    for (const copy of [never, failing]) {
      read = copy;
      expectError(await get(), 'upstream_error');
    }
    read = told(ONE, 31 * DAY_MS);
    expectError(await get(), 'upstream_unavailable');
  });
});

test('of an old copy says so where there is no search', async () => {
  read = told(ONE, 9 * DAY_MS);
  expect((await get()).headers).toMatchObject({ 'x-service-stale': 'true' });
});

test.each([
  ...['9900007', '990000074', '99000075', 'DK99000074', '9900007x', '%20', '9900%200074'],
  ...['９９００００７４', '-9900007', '9.9e7'],
])('refuses the number %s with its limit, unbilled', async (number) => {
  read = told(ONE);
  const { error } = expectError(
    await get(encodeURI(number).replace('%25', '%')),
    'invalid_request',
  );
  expect(error).toMatch(/cvr must be eight digits.* modulus-11/);
  expect(access.settled).toEqual([]);
});
