/** Nonsense is 400 and the text names the field and the limit, in English and Danish. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { expectError, sharedApp } from './edge.ts';

const app = await sharedApp();

const BATCHED = [
  '/v1/natur/byggelinjer',
  '/v1/dagi/reverse',
  '/v1/dhm/kote',
  '/v1/adresser/reverse',
];
const POINT_ROUTES = [...BATCHED, '/v1/natur/skovbyggelinje'];
const BATCH_ROUTES = BATCHED.map((route) => `${route}:batch`);
/** Of registers that answer here. */
const isAnswered = (url: string): boolean => /natur|dagi/.test(url);

const NO_NUMBERS = [
  ...['', '%20', '%2012.1', 'tolv', '12,1', 'NaN', '1e400', '0x0c', '0b1100', '1_2', '12n', 'null'],
  ...['true', `12.${'0'.repeat(70)}`],
];
/** Query string -> what the English text says. */
const BAD_QUERIES: readonly (readonly [query: string, says: RegExp])[] = [
  ['', /Coordinate missing: lon, lat\b/],
  ['?lon=12.1', /Coordinate missing: lat\b/],
  ['?lat=55.6', /Coordinate missing: lon\b/],
  ...NO_NUMBERS.map((lon) => [`?lon=${lon}&lat=55.6`, /parameter lon must be a number/] as const),
  ['?lon=12.1&lat=Infinity', /parameter lat must be a number/],
  ['?lon=12.1&lon=12.2&lat=55.6', /parameter lon is given more than once/],
  ['?lon=55.6&lat=12.1', /lon, lat\) lies outside Denmark .*7\.7-13\.2 E.*look swapped/],
  ['?lon=0&lat=0', /lies outside Denmark .*54\.4-58 N/],
  ['?lon=14.0&lat=55.0', /lies outside Denmark/],
  ['?lon=13.2000001&lat=55.6', /lies outside Denmark/],
  ['?lon=1e99&lat=55.6', /lies outside Denmark/],
  ['?x=694000&y=6165000', /parameter srid is missing.*srid=4326 or srid=25832/],
  ['?x=694000&srid=25832', /Coordinate missing: y\b/],
  ['?srid=25832', /Coordinate missing: x, y\b/],
  ['?x=694000&y=6165000&srid=3857', /parameter srid must be one of 4326, 25832/],
  ['?x=694000&y=6165000&srid=EPSG:25832', /parameter srid must be one of 4326, 25832/],
  ['?x=694000&y=6165000&srid=', /parameter srid must be one of 4326, 25832/],
  ['?x=6165000&y=694000&srid=25832', /x, y\) lies outside Denmark.*look swapped/],
  ['?x=12.1&y=55.6&srid=25832', /lies outside Denmark/],
  ['?x=694000&y=6165000&srid=4326', /lies outside Denmark/],
  ['?x=1e99&y=-1e99&srid=25832', /lies outside Denmark/],
  ['?x=1e308&y=-1e308&srid=25832', /x must be a number/],
  ['?lon=12.1&lat=55.6&x=1&y=2&srid=25832', /either lon and lat, or x, y and srid; not both/],
  ['?lon=12.1&lat=55.6&srid=4326', /either lon and lat, or x, y and srid; not both/],
  ['?lon=12.1&lat=55.6&radii=9', /Unknown parameter: radii\. Known here: lon, lat, x, y, srid/],
  ['?lon=12.1&lat=55.6&a=1&b=2', /Unknown parameter: a, b\./],
  ['?lon=12.1&lat=55.6&LON=3', /Unknown parameter: LON\./],
  ['?lon=12.1&lat=55.6&__proto__=1', /Unknown parameter: __proto__\./],
  ['?lon=12.1&lat=55.6&constructor=1', /Unknown parameter: constructor\./],
  ['?lon=12.1&lat=55.6&lon[]=1', /Unknown parameter: lon\[\]\./],
];

describe.each(POINT_ROUTES)('a point asked of GET %s', (route) => {
  test.each(BAD_QUERIES)('is refused: %s', async (query, says) => {
    const { error } = expectError(await app.inject(`${route}${query}`), 'invalid_request');
    expect(error).toMatch(says);
  });

  test('may be written in every plain decimal form, with a token beside it', async () => {
    for (const query of [
      'lon=12.1&lat=55.6',
      'lon=%2B12.1&lat=5.56e1',
      'lon=12.10&lat=055.6',
      'lon=12.1&lat=55.6&token=svc_test_x',
      'x=12.1&y=55.6&srid=4326',
      'x=694000&y=6165000&srid=25832',
    ]) {
      const { statusCode } = await app.inject(`${route}?${query}`);
      expect(statusCode, query).toBe(isAnswered(route) ? 200 : 503);
    }
  });
});

const at = { lon: 12.1, lat: 55.6 };
const metres = { x: 694000, y: 6165000, srid: 25832 };
const body = (value: unknown): string => JSON.stringify(value);

/** Body -> what the English text says. */
const BAD_BODIES: readonly (readonly [name: string, payload: string, says: RegExp])[] = [
  ['nothing', '', /The body is empty/],
  ['no JSON', '{"punkter":', /not valid JSON/],
  ['text after the JSON', '{"punkter":[]} x', /not valid JSON/],
  ['NaN in JSON', '{"punkter":[{"lon":NaN,"lat":55}]}', /not valid JSON/],
  ['a list', '[]', /The body must be a JSON object/],
  ['null', 'null', /The body must be a JSON object/],
  ['a text', '"x"', /The body must be a JSON object/],
  ['no points', '{}', /property punkter is missing/],
  ['an empty list', body({ punkter: [] }), /punkter must have at least 1 item/],
  ['no list', body({ punkter: at }), /punkter must be a list/],
  ['no object', body({ punkter: [1] }), /punkter\[0\] must be a JSON object/],
  ['null for a point', body({ punkter: [at, null] }), /punkter\[1\] must be a JSON object/],
  ['no lat', body({ punkter: [{ lon: 12 }] }), /property punkter\[0\]\.lat is missing/],
  ['text', body({ punkter: [{ lon: '12', lat: 55 }] }), /punkter\[0\]\.lon must be a number/],
  ['null', body({ punkter: [{ lon: null, lat: 55 }] }), /punkter\[0\]\.lon must be a number/],
  ['1e400', '{"punkter":[{"lon":1e400,"lat":55}]}', /punkter\[0\]\.lon must be a number/],
  [
    'a point outside Denmark',
    body({ punkter: [at, { lon: 0, lat: 0 }] }),
    /punkter\[1\]\.lon, punkter\[1\]\.lat\) lies outside Denmark/,
  ],
  [
    'a swapped point',
    body({ punkter: [{ lon: 55.6, lat: 12.1 }] }),
    /punkter\[0\]\.lon and punkter\[0\]\.lat look swapped/,
  ],
  ['an unknown property', body({ punkter: [at], radii: 5 }), /Unknown property: radii\./],
  [
    'unknown properties of a point',
    body({ punkter: [{ ...at, q: 1, z: 2 }] }),
    /Unknown property: punkter\[0\]\.q, punkter\[0\]\.z\. Known here: lon, lat, id/,
  ],
  ['a point of nothing', body({ punkter: [{ id: 'a' }] }), /property punkter\[0\]\.lon is missing/],
  ['no srid', body({ punkter: [at, { x: 1, y: 2 }] }), /property punkter\[1\]\.srid is missing/],
  ['no y', body({ punkter: [{ x: 1, srid: 25832 }] }), /property punkter\[0\]\.y is missing/],
  ...[{ x: 694000, y: 6165000, srid: 25832 }, { x: 1 }, { srid: 4326 }].map(
    (more): (typeof BAD_BODIES)[number] => [
      `degrees together with ${body(more)}`,
      body({ punkter: [at, { ...at, ...more }] }),
      /either lon and lat, or x, y and srid; not both \(punkter\[1\]\.lon, punkter\[1\]\.(x|srid)\)/,
    ],
  ),
  [
    'another srid',
    body({ punkter: [{ ...metres, srid: 3857 }] }),
    /punkter\[0\]\.srid must be one of 4326, 25832\./,
  ],
  [
    'metres that are degrees',
    body({ punkter: [{ ...metres, srid: 4326 }] }),
    /\(punkter\[0\]\.x, punkter\[0\]\.y\) lies outside Denmark/,
  ],
  [
    'metres swapped',
    body({ punkter: [{ x: metres.y, y: metres.x, srid: 25832 }] }),
    /punkter\[0\]\.x and punkter\[0\]\.y look swapped/,
  ],
  ['x as text', body({ punkter: [{ ...metres, x: '1' }] }), /punkter\[0\]\.x must be a number/],
  ['an empty id', body({ punkter: [{ ...at, id: '' }] }), /punkter\[0\]\.id must have at least 1/],
  [
    'a long id',
    body({ punkter: [{ ...at, id: 'x'.repeat(65) }] }),
    /punkter\[0\]\.id may have at most 64 characters/,
  ],
  ['a number as id', body({ punkter: [{ ...at, id: 7 }] }), /punkter\[0\]\.id must be a text/],
  [
    '__proto__',
    '{"punkter":[{"lon":12.1,"lat":55.6,"__proto__":{"lon":1}}]}',
    /property named __proto__/,
  ],
  ['an escaped __proto__', '{"\\u005f_proto__":1,"punkter":[]}', /property named __proto__/],
  ['constructor', '{"punkter":[],"constructor":{"prototype":{}}}', /Unknown property: constructor/],
  ['a key twice', '{"punkter":[],"punkter":[]}', /gives the property punkter more than once/],
  [
    'a key twice in a point',
    '{"punkter":[{"lon":12,"lon" : 12.1,"lat":55.6}]}',
    /gives the property lon more than once/,
  ],
  [
    'a key twice, once escaped',
    '{"punkter":[{"lon":12,"l\\u006fn":12.1,"lat":55.6}]}',
    /gives the property lon more than once/,
  ],
  ['endless depth', '['.repeat(2000) + ']'.repeat(2000), /nested more than 16 levels/],
];

describe.each(BATCH_ROUTES)('a list of points sent to POST %s', (url) => {
  const headers = { 'content-type': 'application/json' };

  test.each(BAD_BODIES)('is refused: %s', async (_name, payload, says) => {
    const response = await app.inject({ method: 'POST', url, headers, payload });
    expect(expectError(response, 'invalid_request')['error']).toMatch(says);
  });

  test('is refused as not UTF-8', async () => {
    const payload = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const response = await app.inject({ method: 'POST', url, headers, payload });
    expect(expectError(response, 'invalid_request')['error']).toMatch(/not valid UTF-8/);
  });

  test('may hold ids of 1 to 64 characters, counted as characters, and odd but plain texts', async () => {
    for (const id of ['x', 'é'.repeat(64), '😀'.repeat(64), '"\\{[:', '__proto__', '\ud800']) {
      const payload = { punkter: [{ ...at, id }] };
      const response = await app.inject({ method: 'POST', url, payload });
      expect(response.statusCode, response.body).toBe(isAnswered(url) ? 200 : 503);
      if (!isAnswered(url)) continue;
      expect(response.json<{ results: { id: string }[] }>().results[0]?.id).toBe(id);
    }
  });

  test('refuses an unknown query parameter too', async () => {
    const payload = { punkter: [at] };
    const response = await app.inject({ method: 'POST', url: `${url}?x=1`, payload });
    const { error } = expectError(response, 'invalid_request');
    expect(error).toMatch(/Unknown parameter: x\. Known here: token/);
  });
});

describe('an error text', () => {
  test('is Danish by default and English when asked for, naming field and limit in both', async () => {
    const url = '/v1/dagi/reverse:batch';
    const payload = { punkter: Array.from({ length: LIMITS.dagiPointsPerBatch + 1 }, () => at) };
    const danish = expectError(
      await app.inject({ method: 'POST', url, payload }),
      'invalid_request',
    );
    expect(danish['error']).toBe('punkter may have at most 50 items.');
    expect(danish['message']).toBe('punkter må højst have 50 elementer.');
    const headers = { 'accept-language': 'en' };
    const english = expectError(
      await app.inject({ method: 'POST', url, payload, headers }),
      'invalid_request',
    );
    expect(english['message']).toBe(english['error']);
  });

  test('never repeats a value the caller sent', async () => {
    const secret = 'svc_live_0123456789';
    for (const url of [
      `/v1/dagi/reverse?lon=${secret}&lat=55.6&token=${secret}`,
      `/v1/dagi/reverse?lon=12&lat=55.6&token=${secret}&token=${secret}`,
      `/v1/natur/byggelinjer?lon=12.1&lat=55.6&srid=${secret}&token=${secret}`,
      `/v1/matrikel/ejendom/${secret}?token=${secret}`,
      `/v1/nothing/${secret}?token=${secret}`,
      `/v1/errors/${secret}?token=${secret}`,
      `/v1/status?wrong=${secret}&token=${secret}`,
    ]) {
      const response = await app.inject(url);
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.body).not.toContain(secret);
      expect(JSON.stringify(response.headers)).not.toContain(secret);
    }
  });
});

describe('an unknown parameter', () => {
  test.each([
    ...['/v1/status', '/v1/errors', '/v1/errors/not_found', '/v1/demo/ejendom'],
    ...['/v1/matrikel/ejendom/7', '/v1/vurdering/7', '/v1/cvr/99000007', '/v1/stednavne/7'],
    ...['/healthz', '/readyz', '/startupz', '/openapi.json', '/v1/dagi/kommune/0101'],
  ])('is refused by GET %s', async (url) => {
    const { error } = expectError(await app.inject(`${url}?tokn=1`), 'invalid_request');
    expect(error).toMatch(/Unknown parameter: tokn\. Known here: token/);
  });
});

describe.each(['/v1/bbr/ejendom', '/v1/matrikel/ejendom', '/v1/vurdering'])(
  'GET %s/:bfe',
  (path) => {
    test.each<readonly [bfe: string, says: RegExp]>([
      ['0', /must be at least 1/],
      ['2147483648', /must be at most 2147483647/],
      ['+9100001', /must be a whole number in plain digits/],
      ['9e6', /must be a whole number in plain digits/],
      ['09100001', /must be a whole number in plain digits, without zeros before it/],
      ...'1.5 0x1 abc %20 %209100001 9100001%20 %2B9100001 9E6 9100001.0 9_100_001 ٩١٠٠٠٠١'
        .split(' ')
        .map((bfe) => [encodeURI(bfe).replaceAll('%25', '%'), /must be a whole number/] as const),
      ['1'.repeat(60), /bfe/],
    ])('refuses the BFE number %s', async (bfe, says) => {
      const response = await app.inject(`${path}/${bfe}`);
      const { error } = expectError(response, 'invalid_request');
      expect(error).toMatch(says);
      expect(error).toMatch(/bfe/);
    });
  },
);
