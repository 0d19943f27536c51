/** Areas by code and at points, at the edge. Whether they are true: test/store-contract/http.test.ts. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { LightMyRequestResponse } from 'fastify';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { THEMES } from '../../src/layers/keys.ts';
import type { Areas } from '../../src/registers/areas/lookup.ts';
import type { ReverseAreas } from '../../src/registers/areas/reverse.ts';
import { takesGzip } from '../../src/http/wire/send-json.ts';
import { GENERATION, area, expectError, sharedApp, atGeneration } from './edge.ts';

const GZIP = { 'accept-encoding': 'gzip, br' };

function unpacked(response: LightMyRequestResponse): { statusCode: number; body: string } {
  expect(response.headers['content-encoding']).toBe('gzip');
  expect(Number(response.headers['content-length'])).toBe(response.rawPayload.length);
  return { statusCode: response.statusCode, body: gunzipSync(response.rawPayload).toString() };
}

describe('one area', async () => {
  const app = await sharedApp();

  test.each(THEMES)('of theme %s is answered alike packed and plain', async (theme) => {
    const url = `/v1/dagi/${theme}/0101`;
    const packed = await app.inject({ url, headers: GZIP });
    const plain = await app.inject(url);
    expect(packed.statusCode).toBe(200);
    const { body } = unpacked(packed);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(Number(plain.headers['content-length'])).toBe(plain.rawPayload.length);
    expect(plain.body).toBe(body);
    for (const { headers } of [packed, plain]) {
      expect(headers['vary']).toBe('Accept-Encoding');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['x-service-generation']).toBe(String(GENERATION));
      expect(headers['etag']).toMatch(/^W\/"[\w-]{22}"$/);
    }
    const json = plain.json<Record<string, unknown>>();
    expect(Object.keys(json)).toEqual(['tema', 'kode', 'navn', 'regionskode', 'geometri', 'meta']);
    expect(json).toMatchObject({
      tema: theme,
      kode: '0101',
      navn: 'Opdigtet "Æbelø"',
      regionskode: '1099',
      meta: { kilde: 'DAGI', service_version: '0.1.0', geometri_status: 'live' },
    });
  });

  test('is not sent again to who has it, in either encoding', async () => {
    const url = '/v1/dagi/sogn/0101';
    const etag = String((await app.inject({ url, headers: GZIP })).headers['etag']);
    for (const known of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const response = await app.inject({ url, headers: { 'if-none-match': known } });
      expect(response.statusCode, known).toBe(304);
      expect(response.body).toBe('');
      expect(response.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
    }
    const other = await app.inject({ url, headers: { 'if-none-match': '"other"' } });
    expect(other.statusCode).toBe(200);
    const sibling = await app.inject('/v1/dagi/sogn/0102');
    expect(sibling.headers['etag']).not.toBe(etag);
  });

  test('tells HEAD the length and the tag, and sends nothing', async () => {
    const got = await app.inject({ url: '/v1/dagi/sogn/0101', headers: GZIP });
    const head = await app.inject({ method: 'HEAD', url: '/v1/dagi/sogn/0101', headers: GZIP });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    for (const name of ['etag', 'content-length', 'content-encoding', 'vary']) {
      expect(head.headers[name], name).toBe(got.headers[name]);
    }
  });
});

describe('what cannot be read', async () => {
  const areas: Areas = {
    find: (theme, codes) =>
      atGeneration(
        codes.map((code) => {
          if (code === '0001')
            return area(theme, code, { provenance: { rung: 'stale', ageS: 9e5 } });
          if (code === '0002') return area(theme, code, { geometry: null, regionCode: null });
          if (code === '0003') return unread;
          return area(theme, code);
        }),
      ),
  };
  const unread = new Failure('upstream_error', { error: 'Cut off.', retryAfterS: 60 });
  /** East of 12: the sea. West of 11: not read. */
  const reverseAreas: ReverseAreas = {
    at: (points) =>
      atGeneration(
        points.map((point) => {
          if (point.wgs84.lon < 11) return unread;
          const region = { theme: 'region' as const, name: 'Region Opdigtet', code: '1099' };
          const areas = point.wgs84.lon > 12 ? [] : [region];
          return { point, areas, provenance: [{ rung: 'store' as const, ageS: 3 }] };
        }),
      ),
  };
  const app = await sharedApp({ areas, reverseAreas });

  test('in a batch is a result with stale true, an unread one is an error', async () => {
    const payload = { tema: 'kommune', kode: ['0004', '0001', '0003', '0002'] };
    const response = await app.inject({ method: 'POST', url: '/v1/dagi:batch', payload });
    expect(response.headers['x-service-stale']).toBe('true');
    expect(response.json()).toMatchObject({
      tema: 'kommune',
      results: [
        { omraade: { kode: '0004' }, stale: false },
        { omraade: { kode: '0001' }, stale: true },
        { omraade: { kode: '0002', geometri: null }, stale: false },
      ],
      errors: [{ kode: '0003', error: 'Cut off.', status: 502 }],
      requested: 4,
      succeeded: 3,
      failed: 1,
    });
  });

  test('fails a point alone, and in a batch is an error beside the results', async () => {
    const one = await app.inject('/v1/dagi/reverse?lon=10.5&lat=56');
    expectError(one, 'upstream_error');
    expect(one.headers['retry-after']).toBe('60');
    const [sea, lost, land] = [12.5, 10.5, 11.5].map((lon) => ({ lon, lat: 56 }));
    const punkter = [{ ...sea, id: 'sea' }, { ...lost, id: 'lost' }, land, lost];
    const url = '/v1/dagi/reverse:batch';
    const response = await app.inject({ method: 'POST', url, payload: { punkter } });
    const told = { punkt: lost, error: 'Cut off.', status: 502 };
    expect(response.json()).toMatchObject({
      ...{ requested: 4, succeeded: 2, failed: 2, errors: [{ id: 'lost', ...told }, told] },
      results: [
        { id: 'sea', punkt: sea, antal: 0 },
        { punkt: land, antal: 1 },
      ],
    });
  });
});

describe('a batch of areas', async () => {
  const app = await sharedApp();
  const url = '/v1/dagi:batch';

  test('answers known codes, puts unknown ones into errors, and counts duplicates once', async () => {
    const payload = { tema: 'sogn', kode: ['0102', '9999', '0101', '0102', '<b>', ''] };
    const packed = await app.inject({ method: 'POST', url, headers: GZIP, payload });
    const plain = await app.inject({ method: 'POST', url, payload });
    const { body } = unpacked(packed);
    expect(plain.body).toBe(body);
    const json = plain.json<{ results: { omraade: { kode: string } }[]; errors: unknown[] }>();
    const COUNTS = ['requested', 'succeeded', 'failed'];
    expect(Object.keys(json)).toEqual(['tema', 'results', 'errors', ...COUNTS]);
    expect(json).toMatchObject({ requested: 5, succeeded: 2, failed: 3 });
    expect(json.results.map(({ omraade }) => omraade.kode)).toEqual(['0102', '0101']);
    expect(json.errors).toEqual(
      ['9999', '<b>', ''].map((kode) => ({ kode, error: 'No such area.', status: 404 })),
    );
  });

  test('takes 500 codes of which 50 are different, and counts these', async () => {
    const codes = Array.from({ length: LIMITS.dagiCodesPerBatch }, (_, at) => String(at + 1));
    const spelled = codes.flatMap((code) => [code.padStart(4, '0'), code]);
    const kode = Array.from({ length: 500 }, (_, at) => spelled[at % spelled.length]);
    const response = await app.inject({ method: 'POST', url, payload: { tema: 'sogn', kode } });
    expect(response.json()).toMatchObject({ requested: 50, succeeded: 50, failed: 0 });
  });

  test.each([
    ['zone', ['1'], /tema must be one of region, kommune/],
    ['sogn', Array.from({ length: 51 }, (_, at) => `${at}`), /at most 50 different codes/],
    ['sogn', Array(501).fill('0101'), /kode may have at most 500 items/],
  ])('of %s and %j is refused', async (tema, kode, says) => {
    const response = await app.inject({ method: 'POST', url, payload: { tema, kode } });
    expect(expectError(response, 'invalid_request')['error']).toMatch(says);
  });
});

describe('Accept-Encoding', () => {
  test.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*', true],
    ['*;q=0', false],
    ['br, deflate', false],
    ['identity', false],
    ['x-gzip', true],
  ])('%s takes gzip: %s', (header, takes) => {
    expect(takesGzip(header)).toBe(takes);
  });
});
