/**
 * Companies (D116 to D118) and assessments at the edge: which rung answers, what is none, unreadable and not here; scope,
 * bill, bad input. Whole answers: test/http/examples.test.ts.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { FailureType } from '../../src/kernel/failures.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { assessmentsOf } from '../../src/registers/assessments/folded.ts';
import { createAssessments } from '../../src/registers/assessments/lookup.ts';
import type { AssessmentsRead } from '../../src/registers/assessments/store.ts';
import type { Company } from '../../src/registers/companies/company.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import type { CompanyOrigin } from '../../src/registers/companies/origin.ts';
import type { CompanyRead } from '../../src/registers/companies/store.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { idleRegisters } from '../support/registers.ts';
import { keptAccess } from './access.ts';
import { GENERATION, expectError, sharedApp } from './edge.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const NUMBER = '99000074';
const CVR = `/v1/cvr/${NUMBER}`;
const BFE = '/v1/vurdering/9';
const ONE: Company = {
  number: Number(NUMBER),
  name: 'Gunhild Prøvedatter',
  otherNames: ['Et andet navn'],
  form: { code: '10', text: 'Enkeltmandsvirksomhed' },
  status: 'aktiv',
  started: '2001-02-03',
  ended: null,
  address: {
    ...{ roadName: 'Prøvevej', houseNumber: '7B', floor: '2', door: 'th' },
    ...{ supplementaryTown: 'Hjørnet', postcode: '0999', postcodeName: 'Prøve' },
    ...{ municipalityCode: '0091', addressId: null, freeText: null },
  },
  mainBranch: { code: '433410', text: null },
  otherBranches: [],
  isProtected: null,
};
const CELLS = [2_000_008_000_001, 2024, 5, 4, 3, 2, 1, '01', null, '2024-10-01', 7, '0093', '12'];
const ROWS = assessmentsOf({ assessments: JSON.stringify([CELLS]), unresolved: 0 });

let readCompany: () => Promise<CompanyRead>;
let readAssessments: () => Promise<AssessmentsRead>;
let origin: CompanyOrigin | null;
let expired: string[];
const access = keptAccess({
  svc_live_all: { keyId: 'key_all' },
  svc_live_cvr: { permission: 'restricted:cvr' },
  svc_live_vurdering: { permission: 'restricted:vurdering' },
});
const deps = {
  clock: { nowMs: () => NOW_MS },
  catalogue: REGISTERS_CATALOGUE,
  onExpired: (mirror: string) => expired.push(mirror),
};
const assessments = createAssessments({ ...deps, source: 'VUR', read: () => readAssessments() });
const app = await sharedApp({
  access,
  // As it is set in each test.
  registers: idleRegisters({
    companies: {
      find: (digits: string) =>
        createCompanies({ ...deps, source: 'CVR', read: () => readCompany(), origin }).find(digits),
    },
    assessments: { assessments },
  }),
});
beforeEach(() => {
  origin = null;
  expired = [];
  access.settled.length = 0;
});

const get = (url = CVR, secret = 'svc_live_all') =>
  app.inject({ url, headers: { authorization: `Bearer ${secret}` } });

const read = <T extends object>(told: T, ageMs: number | null = 1_000) => {
  const copy = ageMs === null ? null : { version: 1, syncedAtMs: NOW_MS - ageMs, held: false };
  return () => Promise.resolve({ generation: GENERATION, copy, ...told });
};
const company = (found: CompanyRead['found'], ageMs?: number | null) =>
  read({ isTorn: false, found }, ageMs);
/** Rows of a property, whose rows could not be read, and how old the copy is. */
const rows = (
  found: AssessmentsRead['found'],
  unread: AssessmentsRead['unread'] = [],
  ageMs?: number | null,
) => read({ unread, found }, ageMs);
const away = () => Promise.reject(new Error('the store is away'));

test.each<[url: string, secret: string, body: object]>([
  [
    CVR,
    'svc_live_cvr',
    {
      ...{ cvr_nummer: NUMBER, binavne: ['Et andet navn'], personlig: true, ophoersdato: null },
      adresse: { betegnelse: 'Prøvevej 7B, 2. th, Hjørnet, 0999 Prøve', adresse_id: null },
      hovedbranche: { kode: '433410', tekst: 'Ukendt kode' },
    },
  ],
  [
    BFE,
    'svc_live_vurdering',
    {
      bfe_nummer: 9,
      vurderingsejendomme: [{ id: '7', vurderinger: [{ aar: 2024, ejendomsvaerdi_kr: 5 }] }],
      meta: { kilde: 'VUR' },
    },
  ],
])(
  '%s answers with headers and one unit, to a key of its scope alone',
  async (url, secret, body) => {
    [readCompany, readAssessments] = [company(ONE), rows(ROWS)];
    const response = await get(url, secret);
    expect(response.json()).toMatchObject(body);
    expect(response.headers).toMatchObject({
      'x-service-generation': String(GENERATION),
      'x-service-data-age': '1',
      'cache-status': expect.stringMatching(/detail=store$/) as string,
    });
    expect(access.settled).toMatchObject([{ units: 1 }]);
    // Nine days later it says that it is an old copy.
    [readCompany, readAssessments] = [company(ONE, 9 * DAY_MS), rows(ROWS, [], 9 * DAY_MS)];
    expect((await get(url)).headers).toMatchObject({ 'x-service-stale': 'true' });
  },
);

test('there is no list of companies, and no search for them (D117)', () => {
  const { paths = {} } = app.swagger() as { paths?: Record<string, object> };
  const about = Object.keys(paths).filter((path) => /cvr|virksomhed/i.test(path));
  expect(about.filter((path) => !path.startsWith('/v1/cvr/{cvr}'))).toEqual([]);
  expect(about).toContain('/v1/cvr/{cvr}');
});

describe('is told apart, names no number and bills nothing:', () => {
  const expectSilent = async (url: string, type: FailureType) => {
    const response = await get(url);
    expectError(response, type);
    expect(response.body).not.toContain(NUMBER);
    expect([access.settled, access.outstanding()]).toEqual([[], 0]);
  };

  test.each<[string, typeof readCompany, FailureType]>([
    ['a company that nobody has', company(undefined), 'not_found'],
    ['a copy past its hard limit', company(ONE, 31 * DAY_MS), 'upstream_unavailable'],
    ['a store that is away', away, 'upstream_error'],
    ['a store that cannot say', company(null), 'overloaded'],
    ['no copy', company(undefined, null), 'upstream_unavailable'],
  ])('%s', async (_, copy, type) => {
    readCompany = copy;
    await expectSilent(CVR, type);
  });

  test.each<[string, typeof readAssessments, FailureType]>([
    ['a property that nobody has', rows(undefined), 'not_found'],
    // What a reference leads to that is not there may be the newest, whatever else is.
    ['references that lead nowhere', rows({ rows: [], unresolved: 2 }), 'upstream_error'],
    ['rows beside one', rows({ rows: ROWS?.rows ?? [], unresolved: 1 }), 'upstream_error'],
    ['all that has ended, or is to come', rows({ rows: [], unresolved: 0 }), 'not_found'],
    ['assessments past their hard limit', rows(ROWS, [], 31 * DAY_MS), 'upstream_error'],
    ['a table that is broken', away, 'upstream_error'],
    ['unread rows of it', rows(ROWS, ['9']), 'upstream_error'],
    ['unread rows of nobody knows whom', rows(undefined, [null]), 'upstream_error'],
    ['no copy of assessments', rows(undefined, [], null), 'upstream_unavailable'],
    ['a store that cannot say of them', rows(null), 'overloaded'],
  ])('%s', async (_, copy, type) => {
    readAssessments = copy;
    await expectSilent(BFE, type);
  });
});

describe('the search for a company', () => {
  const found = () => Promise.resolve({ ...ONE, name: 'Fra søgningen' });
  const nobody = () => Promise.resolve(null);
  const late = () => Promise.reject(new UpstreamFailure('timeout', 'no whole answer within 6 ms'));

  test('is not asked while the copy is fresh, also for a number it does not hold', async () => {
    origin = () => Promise.reject(new Error('it was asked'));
    readCompany = company(ONE);
    expect((await get()).statusCode).toBe(200);
    readCompany = company(undefined);
    expect((await get()).statusCode).toBe(404);
    expect(expired).toEqual([]);
  });

  test('answers in place of rows that could not be read; without it 503, never what is left of them', async () => {
    readCompany = read({ isTorn: true, found: ONE });
    expectError(await get(), 'upstream_unavailable');
    origin = found;
    expect((await get()).json()).toMatchObject({ navn: 'Fra søgningen' });
    origin = late;
    expectError(await get(), 'upstream_unavailable');
  });

  test.each([
    ['an old copy', company(ONE, 9 * DAY_MS)],
    ['a copy past its hard limit', company(ONE, 31 * DAY_MS)],
    ['no copy', company(undefined, null)],
    ['no store', away],
  ])('answers in place of %s', async (_of, copy) => {
    readCompany = copy;
    origin = found;
    const response = await get();
    expect(response.json()).toMatchObject({ navn: 'Fra søgningen' });
    expect(response.headers['cache-status']).toMatch(/fwd=miss; detail=origin$/);
    expect(response.headers).not.toHaveProperty('x-service-stale');
    origin = nobody;
    expectError(await get(), 'not_found');
  });

  test('that tells nothing leaves the old copy, marked stale; without one 502, past its hard limit 503', async () => {
    origin = late;
    readCompany = company(ONE, 9 * DAY_MS);
    expect((await get()).headers).toMatchObject({ 'x-service-stale': 'true' });
    expect(expired).toEqual(['cvr']);
    for (const copy of [company(undefined, null), away]) {
      readCompany = copy;
      expectError(await get(), 'upstream_error');
    }
    readCompany = company(ONE, 31 * DAY_MS);
    expectError(await get(), 'upstream_unavailable');
  });
});

test.each([
  ...['9900007', '990000074', '99000075', 'DK99000074', '9900007x', '%20', '9900%200074'],
  ...['９９００００７４', '-9900007', '9.9e7'],
])('refuses the number %s with its limit, unbilled', async (number) => {
  readCompany = company(ONE);
  const url = `/v1/cvr/${encodeURI(number).replace('%25', '%')}`;
  const { error } = expectError(await get(url), 'invalid_request');
  expect(error).toMatch(/cvr must be eight digits.* modulus-11/);
  expect(access.settled).toEqual([]);
});
