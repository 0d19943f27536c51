/** /v1/kort at the edge: which keys may, what it costs, and the limits it is under (D139). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import type { StoreTiles } from '../../src/core/tiles/store-tiles.ts';
import type { Tiles } from '../../src/memory/tiles.ts';
import { keptAccess, rateLimited } from './access.ts';
import { expectError, sharedApp, testApp } from './edge.ts';

const PUBLIC = 'svc_pub_live_page';
const TILE = '/v1/kort/natur/12/2178/1255.mvt';

/** A layer without features, freshly mirrored. */
const tiles: Tiles = {
  served: () => ({
    ...{ generation: 7, version: 3, contentHash: 'a-1' },
    provenance: { rung: 'snapshot', ageS: 60 },
  }),
  tile: () => Promise.resolve({ gzipped: new Uint8Array(0), bytes: 0 }),
  survey: () => Promise.resolve({ minZoom: 4, bounds: null }),
  file: () => {
    throw new Failure('upstream_unavailable', { error: 'No file.' });
  },
};

const parcelTiles: StoreTiles = {
  served: () => Promise.resolve(tiles.served('natur')),
  tile: (_place, served) =>
    Promise.resolve({ tile: { gzipped: new Uint8Array(0), bytes: 0 }, served }),
};

const AREAS = ['natur', 'dagi', 'bbr', 'adresser', 'stednavne', 'cvr'] as const;
const access = keptAccess({
  ...Object.fromEntries(
    AREAS.map((area) => [`svc_live_${area}`, { permission: `restricted:${area}` } as const]),
  ),
  [PUBLIC]: { kind: 'public', origins: ['https://example.dk'], permission: 'read' },
});

const app = await sharedApp({ access, tiles, parcelTiles });
beforeEach(() => {
  delete access.failing.admitMap;
  access.settled.length = 0;
});

const ask = (url: string, area: string) =>
  app.inject({ url, headers: { authorization: `Bearer svc_live_${area}` } });

describe('a key', () => {
  test.each([
    [TILE, 'natur', 'dagi'],
    ['/v1/kort/natur.json', 'natur', 'dagi'],
    ['/v1/kort/kommune/12/2178/1255.mvt', 'dagi', 'natur'],
    ['/v1/kort/postnummer.json', 'dagi', 'natur'],
    ['/v1/kort/jordstykker/14/8714/5023.mvt', 'bbr', 'natur'],
    ['/v1/kort/jordstykker.json', 'bbr', 'dagi'],
    ['/v1/kort/husnumre/15/17428/10046.mvt', 'adresser', 'bbr'],
    ['/v1/kort/husnumre.json', 'adresser', 'natur'],
    ['/v1/kort/stednavne/11/1089/627.mvt', 'stednavne', 'adresser'],
    ['/v1/kort/stednavne.json', 'stednavne', 'dagi'],
  ])('of the area of the layer opens %s, another does not', async (url, opens, does) => {
    expect((await ask(url, opens)).statusCode).toBe(200);
    const refused = expectError(await ask(url, does), 'forbidden');
    expect(refused).toMatchObject({ code: 'key_scope_missing' });
  });

  test('of neither area opens no style and learns of no layer; of one it sees its own', async () => {
    expectError(await ask('/v1/kort/style.json', 'cvr'), 'forbidden');
    expectError(await ask('/v1/kort/intet.json', 'cvr'), 'forbidden');
    expectError(await ask('/v1/kort/intet.json', 'dagi'), 'invalid_request');
    const style = await ask('/v1/kort/style.json', 'dagi');
    const { sources } = style.json<{ sources: object }>();
    const others = ['natur', 'jordstykker', 'husnumre', 'stednavne'];
    expect(Object.keys(sources)).toContain('kommune');
    expect(Object.keys(sources).filter((name) => others.includes(name))).toEqual([]);
    expect(style.body).not.toContain('svc_');
  });

  test('that is public opens none of it', async () => {
    const headers = { origin: 'https://example.dk', authorization: `Bearer ${PUBLIC}` };
    expectError(await app.inject({ url: TILE, headers }), 'public_key_scope');
  });
});

describe('the limits', () => {
  test('are those of maps, told on every answer; no unit is set aside or billed', async () => {
    expect((await ask(TILE, 'natur')).headers).toMatchObject({
      'ratelimit-policy': '"kort";q=100;w=2, "kort-address";q=100;w=2',
      ratelimit: '"kort";r=99;t=1, "kort-address";r=98;t=1',
    });
    const wrong = await ask('/v1/kort/natur/2/9/9.mvt', 'natur');
    expect(expectError(wrong, 'invalid_request')['error']).toMatch(/x must be at most 3/);
    expect(wrong.headers['ratelimit-policy']).toContain('"kort"');
    expect(access.settled).toEqual([]);
    expect(access.outstanding()).toBe(0);
  });

  test('refuse with 429 and Retry-After, and lookups go on under their own', async () => {
    access.failing.admitMap = rateLimited();
    for (const url of [TILE, '/v1/kort/natur.json', '/v1/kort/natur.fgb', '/v1/kort/style.json']) {
      const refused = await ask(url, 'natur');
      expectError(refused, 'rate_limited');
      expect(refused.headers['retry-after']).toBe('2');
    }
    const lookup = await ask('/v1/natur/byggelinjer?lon=12.1&lat=55.6', 'natur');
    expect(lookup.statusCode).toBe(200);
    expect(lookup.headers['ratelimit-policy']).toContain('"burst"');
  });
});

describe('answers', () => {
  test('an empty tile is 200 without a byte, and known again by its tag', async () => {
    const answer = await ask(TILE, 'natur');
    expect(answer.rawPayload).toHaveLength(0);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.mapbox-vector-tile',
      etag: 'W/"7-a-1-12-2178-1255"',
      'x-service-generation': '7',
      'x-service-data-age': '60',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    const headers = {
      authorization: 'Bearer svc_live_natur',
      'if-none-match': 'W/"7-a-1-12-2178-1255"',
    };
    expect((await app.inject({ url: TILE, headers })).statusCode).toBe(304);
  });

  test.each(['2.178e3', '2178.0', '+2178', '%2B2178', '02178', '-0', '%202178', '0x882'])(
    'there is no tile whose column is written %s: a tile has one address',
    async (x) => {
      const answer = await ask(`/v1/kort/natur/12/${x}/1255.mvt`, 'natur');
      expect(expectError(answer, 'invalid_request')['error']).toMatch(/parameter x must be/);
      expect((await ask(`/v1/kort/natur/012/2178/1255.mvt`, 'natur')).statusCode).toBe(400);
      // The same octets by another name (RFC 3986, 6.2.2.2).
      expect((await ask(`/v1/kort/natur/12/%32178/1255.mvt`, 'natur')).statusCode).toBe(200);
    },
  );

  test('TileJSON of a layer without features is of the whole world', async () => {
    expect((await ask('/v1/kort/natur.json', 'natur')).json()).toMatchObject({
      ...{ minzoom: 4, maxzoom: 16, version: '1.3.0', attribution: 'Linjernes kilder' },
      bounds: [-180, -85.05, 180, 85.05],
    });
  });

  test('where nothing answers from memory all of it is 503', async () => {
    const off = await testApp({ access });
    for (const [url, key] of [
      ...['/v1/kort/jordstykker/14/0/0.mvt', '/v1/kort/jordstykker.json'].map((url) => [
        url,
        'bbr',
      ]),
      ...[TILE, '/v1/kort/natur.json', '/v1/kort/natur.fgb'].map((url) => [url, 'natur']),
    ]) {
      const headers = { authorization: `Bearer svc_live_${key}` };
      expectError(await off.inject({ url: url!, headers }), 'upstream_unavailable');
    }
  });
});
