/** Properties at the edge: shapes, refusals, batches and their bill. Whole answers are tested over a store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { Failure, upstreamUnavailable } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { CodeLabels } from '../../src/answers/codes.ts';
import type { Provenance } from '../../src/answers/answer.ts';
import type { Cadastre } from '../../src/registers/cadastre/lookup.ts';
import type { PropertyAnswer } from '../../src/registers/property/answers.ts';
import type { PropertyBatches } from '../../src/registers/property/batches.ts';
import type { Properties } from '../../src/registers/property/lookup.ts';
import { parcelRow, propertyRows } from '../support/property-rows.ts';
import { keptAccess } from './access.ts';
import { GENERATION, expectError, sharedApp, testApp } from './edge.ts';

const UNKNOWN = 404_404;
/** Of no form, finer than any register writes, or none: offsets, hours, minutes, seconds and days of no clock. */
const NO_INSTANTS = [
  ...['2020-13-01', '2020-02-30', 'yesterday', '2020-06-01T12:00:00', '', '2020', '0'],
  ...['2020-06-01T12:00:00.0000000001Z', '2020-06-01T12Z', '2020-06-01T12:00:00%2B0200'],
  ...['2020-06-01T12:00:00%2B00:60', '2020-06-01T12:00:00%2B24:00', '2020-06-01T12:00:00-01:99'],
  ...['2020-06-01T12:00:00+00:60', '2020-06-01T24:00:00Z', '2020-06-01T12:60:00Z'],
  ...['2020-06-01T12:00:60Z', '2020-06-31T12:00:00Z', '2021-02-29', '0000-01-01', '2020-00-10'],
  ...['2020-06-01t12:00:00Z', '2020-06-01T12:00:00z', '2020-06-01T12:00:00.Z'],
  ...['2020-06-01T12:00:00,5Z', '2020-06-01Z', '%202020-06-01'],
];
const STALE = 9_100_777;

let asked: { readonly bfes: readonly number[]; readonly asOfMs: number | null }[] = [];

const properties: Properties = {
  find: (bfes, asOfMs) => {
    asked.push({ bfes, asOfMs });
    const value = bfes.map((bfe) => (bfe === UNKNOWN ? unknown() : answerOf(bfe, asOfMs)));
    const provenance = value.flatMap((each) => (each instanceof Failure ? [] : each.provenance));
    const registers = { cadastre: true, locations: true };
    return Promise.resolve({ asked: registers, generation: GENERATION, provenance, value });
  },
};

function unknown(): Failure {
  return new Failure('not_found', { error: 'No such property.', errorDa: 'Ingen ejendom.' });
}

function answerOf(bfe: number, asOfMs: number | null): PropertyAnswer {
  const rung: Provenance['rung'] = bfe === STALE ? 'stale' : 'store';
  return {
    rows: propertyRows({ bfe }),
    around: {
      labels: new CodeLabels(() => undefined),
      findAddress: null,
      findMunicipality: (kode) => ({ kommune: { kode, navn: 'Opdigtet' }, region: null }),
      source: 'BBR, Matriklen, DAGI',
      asOf: asOfMs === null ? null : new Date(asOfMs).toISOString(),
    },
    provenance: [{ rung, ageS: 60 }],
  };
}

const cadastre: Cadastre = {
  find: (bfe) => {
    if (bfe === UNKNOWN) return Promise.reject(unknown());
    return Promise.resolve({
      bfe,
      municipalityCode: '9001',
      municipality: { kommune: { kode: '9001', navn: 'Opdigtet' }, region: null },
      parcels: [{ ...parcelRow({ id: 1, number: '10a' }), bfe, wkb: null }],
      source: 'Matriklen, DAGI',
      generation: GENERATION,
      provenance: [{ rung: 'store', ageS: 60 }],
    });
  },
};

const KEYS = {
  svc_live_pro: { keyId: 'key_pro' },
  svc_live_free: { keyId: 'key_free', tier: 'free' },
} as const;

const access = keptAccess(KEYS);
const app = await sharedApp({ access, properties, cadastre });
beforeEach(() => {
  asked = [];
  access.settled.length = 0;
});
afterEach(() => {
  delete access.failing.admit;
  delete access.failing.reserve;
  expect(access.outstanding()).toBe(0);
});

const headers = { authorization: 'Bearer svc_live_pro' };
const get = (url: string, from = app) => from.inject({ url, headers });
const batch = (bfe: unknown, query = '', from = app) => {
  const url = `/v1/bbr/ejendom:batch${query}`;
  return from.inject({ method: 'POST', url, headers, payload: { bfe } });
};

const askAll = async (from: FastifyInstance) => [
  await get('/v1/bbr/ejendom/9100001', from),
  await batch([9_100_001], '', from),
  await get('/v1/matrikel/ejendom/9100001', from),
];

describe('GET /v1/bbr/ejendom/:bfe', () => {
  test('answers the record of the document, and one unit', async () => {
    const response = await get('/v1/bbr/ejendom/9100001');
    expect(response.statusCode).toBe(200);
    expect(Object.keys(response.json())).toEqual([
      ...['type', 'bfe_nummer', 'grund_id', 'kommunekode', 'dagi', 'jordstykke', 'jordstykker'],
      ...['antal_bygninger', 'hovedbygning_index', 'bygninger', 'grund_afloeb', 'tekniske_anlaeg'],
      'meta',
    ]);
    expect(response.headers).toMatchObject({
      'x-service-generation': String(GENERATION),
      'x-service-data-age': '60',
      'cache-status': expect.stringMatching(/detail=store$/) as string,
    });
    expect(response.headers).not.toHaveProperty('x-service-stale');
    expect(access.settled).toMatchObject([{ keyId: 'key_pro', units: 1 }]);
    expect(asked).toEqual([{ bfes: [9_100_001], asOfMs: null }]);
  });

  test('says in a header that an old copy answered', async () => {
    expect((await get(`/v1/bbr/ejendom/${STALE}`)).headers['x-service-stale']).toBe('true');
  });

  test.each([
    ['2020-06-01', '2020-05-31T22:00:00.000Z'],
    ['2020-12-01', '2020-11-30T23:00:00.000Z'],
    ['2020-06-01T12:00:00Z', '2020-06-01T12:00:00.000Z'],
    ['2020-06-01T12:00:00%2B02:00', '2020-06-01T10:00:00.000Z'],
    ['2020-06-01T12:00:00+02:00', '2020-06-01T10:00:00.000Z'],
    ['2020-06-01T12:00:00.999Z', '2020-06-01T12:00:00.999Z'],
  ])('reads asOf=%s as an instant', async (asOf, instant) => {
    const response = await get(`/v1/bbr/ejendom/9100001?asOf=${asOf}`);
    expect(asked[0]?.asOfMs).toBe(Date.parse(instant));
    expect(response.json()).toMatchObject({ meta: { as_of: instant } });
  });

  test.each(NO_INSTANTS)('refuses asOf=%s, alone and of many, and bills nothing', async (asOf) => {
    for (const response of [
      await get(`/v1/bbr/ejendom/9100001?asOf=${asOf}`),
      await batch([9_100_001], `?asOf=${asOf}`),
    ]) {
      const { error } = expectError(response, 'invalid_request');
      expect(error).toMatch(/asOf .* 2020-12-31 or .*2020-12-31T12:00:00Z|asOf .*\(2020-12-31\)/);
    }
    expect([asked, access.settled]).toEqual([[], []]);
  });
});

describe('POST /v1/bbr/ejendom:batch', () => {
  test('answers each number once, in the order of first mention; errors beside', async () => {
    const response = await batch([9_100_002, UNKNOWN, STALE, 9_100_002, 9_100_001]);
    expect(response.statusCode).toBe(200);
    const body = response.json<{ results: { bfe: number; ejendom: object; stale: boolean }[] }>();
    expect(body).toMatchObject({
      errors: [{ bfe: UNKNOWN, error: 'No such property.', status: 404 }],
      requested: 4,
      succeeded: 3,
      failed: 1,
    });
    expect(body.results.map(({ bfe, stale }) => [bfe, stale])).toEqual([
      [9_100_002, false],
      [STALE, true],
      [9_100_001, false],
    ]);
    const alone = await get('/v1/bbr/ejendom/9100001');
    expect(body.results[2]?.ejendom).toEqual(alone.json());
    expect(access.settled[0]).toMatchObject({ units: 3, reserved: 4 });
  });

  test('of numbers that nobody knows is answered with errors alone, and costs nothing', async () => {
    const response = await batch([UNKNOWN, UNKNOWN]);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      ...{ results: [], errors: [{ bfe: UNKNOWN, status: 404 }] },
      ...{ requested: 1, succeeded: 0, failed: 1 },
    });
    expect(access.settled).toEqual([]);
  });

  const many = (count: number) => Array.from({ length: count }, (_, i) => 9_100_001 + i);
  test('takes 150 numbers, and no more', async () => {
    expect((await batch(many(150))).statusCode).toBe(200);
    const { error } = expectError(await batch(many(151)), 'invalid_request');
    expect(error).toMatch(/bfe .*150/);
    // As they are written, not as they are told apart.
    const again = expectError(await batch(Array(151).fill(9_100_001)), 'invalid_request');
    expect(again['error']).toBe(error);
  });

  test.each<readonly [bfe: unknown, says: RegExp]>([
    [[1, -1], /bfe.*at least 1/],
    [[2_147_483_648], /bfe.*at most 2147483647/],
    [['1'], /bfe.*whole number/],
    [[], /bfe/],
  ])('names the field and the limit of %j', async (bfe, says) => {
    const { error } = expectError(await batch(bfe), 'invalid_request');
    expect(error).toMatch(says);
    expect(access.settled).toEqual([]);
  });
});

describe('POST /v1/bbr/ejendom:batch, where threads answer', async () => {
  const text = '{"results":[],"errors":[],"requested":3,"succeeded":2,"failed":1}';
  const given: (readonly number[])[] = [];
  /** Fewer than two are left to the request thread. */
  const propertyBatches: PropertyBatches = {
    render: (bfes) => {
      given.push(bfes);
      if (bfes.length < 2) return Promise.resolve(null);
      const provenance = [{ rung: 'snapshot', ageS: 7 } as const];
      return Promise.resolve({ generation: 77, provenance, found: 2, body: Buffer.from(text) });
    },
  };
  const threaded = await sharedApp({ access, properties, propertyBatches });
  beforeEach(() => {
    given.length = 0;
  });

  test('their body is the answer, and what they found is billed', async () => {
    const response = await batch([9_100_002, UNKNOWN, 9_100_002, 9_100_001], '', threaded);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(text);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-service-generation': '77',
      'x-service-data-age': '7',
      'cache-status': expect.stringMatching(/detail=snapshot$/) as string,
    });
    expect(given).toEqual([[9_100_002, UNKNOWN, 9_100_001]]);
    expect(access.settled).toMatchObject([{ units: 2, reserved: 3 }]);
    expect(asked).toEqual([]);
  });

  test('what they leave is answered all the same', async () => {
    const response = await batch([9_100_001], '', threaded);
    expect(response.json()).toMatchObject({ requested: 1, succeeded: 1 });
    expect(asked).toEqual([{ bfes: [9_100_001], asOfMs: null }]);
  });

  test('records of another day are not theirs', async () => {
    await batch([9_100_001, 9_100_002], '?asOf=2020-06-01', threaded);
    expect(given).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test('past the time that an answer may take it is 503', async () => {
    const late = new Failure('overloaded', { retryAfterS: 5 });
    const render = () => Promise.reject(late);
    const slow = await testApp({ access, properties, propertyBatches: { render } });
    const response = await batch([9_100_001, 9_100_002], '', slow);
    expectError(response, 'overloaded');
    expect(response.headers['retry-after']).toBe('5');
    expect(access.settled).toEqual([]);
  });
});

describe('GET /v1/matrikel/ejendom/:bfe', () => {
  // The whole of one: test/http/examples.test.ts.
  test('costs one unit, and is 404 of a number that the cadastre does not hold', async () => {
    await get('/v1/matrikel/ejendom/9100001');
    expect(access.settled).toMatchObject([{ units: 1 }]);
    expectError(await get(`/v1/matrikel/ejendom/${UNKNOWN}`), 'not_found');
  });
});

test('while the registers cannot be read all are 503, cost nothing, and are asked again soon', async () => {
  const find = () => Promise.reject(upstreamUnavailable('Away.', 'Væk.', new Error('secret')));
  const away = await testApp({ access, properties: { find }, cadastre: { find } });
  for (const response of await askAll(away)) {
    expectError(response, 'upstream_unavailable');
    expect(response.headers['retry-after']).toBe(String(LIMITS.retryAfterS.unavailable));
    expect(response.body).not.toContain('secret');
  }
  expect(access.settled).toEqual([]);
});

test('the cadastre is of today: asOf is no parameter of it', async () => {
  const response = await get('/v1/matrikel/ejendom/9100001?asOf=2020-06-01');
  const { error } = expectError(response, 'invalid_request');
  expect(error).toMatch(/asOf/);
});

test('where no property is set up all are 503 and cost nothing', async () => {
  for (const response of await askAll(await testApp({ access }))) {
    expectError(response, 'upstream_unavailable');
  }
  expect(access.settled).toEqual([]);
});
