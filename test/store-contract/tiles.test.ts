/**
 * Tiles and files of layers over a mirrored sample: the same on both stores, as PostGIS cuts them where
 * there is one, read by ol and by GDAL, and never empty for want of data.
 */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { createServer, request as httpRequest } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import MVT from 'ol/format/MVT.js';
import type RenderFeature from 'ol/render/Feature.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../src/kernel/limits.ts';
import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { LAYER_IDS, OWN_TILES, isLineKey } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { expectDocumented, expectError } from '../edge/edge.ts';
import { MAP_ROWS } from '../faults/matrix-map.ts';
import { openMemoryBench } from '../support/memory.ts';
import { HANG_MS, oneIn } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const run = promisify(execFile);

const PLACES = ['9/272/156', '12/2178/1255', '14/8714/5023'] as const;
const DAY_MS = 86_400_000;

const bench = await opened(openMemoryBench());
const memory = bench.memoryIn(bench.newDirectory());
beforeAll(() => memory.refresh());
const app = await opened(bench.edge(memory));

const tileOf = async (layer: LayerId, place: string): Promise<Buffer> => {
  const { statusCode, rawPayload } = await app.inject(`/v1/kort/${layer}/${place}.mvt`);
  expect(statusCode).toBe(200);
  return rawPayload;
};

const read = (tile: Uint8Array): RenderFeature[] =>
  tile.length === 0 ? [] : new MVT().readFeatures(Uint8Array.from(tile).buffer);

/** All layers of some places; of another store, version and time it is the same. */
test('a tile has the same bytes on both stores', async () => {
  const digests: Record<string, string> = {};
  for (const layer of LAYER_IDS) {
    const hash = createHash('sha256');
    for (const place of PLACES) hash.update(await tileOf(layer, place));
    digests[layer] = hash.digest('hex').slice(0, 12);
  }
  expect(digests).toMatchInlineSnapshot(`
    {
      "aa": "5bf2b1f0975d",
      "afstemningsomraade": "760e12c06f8a",
      "dige": "59a751ae39c3",
      "fortidsminde": "c1a5fcd15226",
      "kirke": "2462307b052e",
      "klitfredning": "4d11aeb8c78c",
      "kommune": "ee101e2d9338",
      "menighedsraadsafstemningsomraade": "b49fb215fda5",
      "natur": "ff436f171b7c",
      "opstillingskreds": "e83e5eaa40f9",
      "politikreds": "53dc27bae408",
      "postnummer": "19c1c8b1c1a7",
      "region": "a9f318b627f5",
      "retskreds": "4b783f474f0b",
      "skov": "c5f1ec46d59b",
      "soe": "087a4ebd7cf6",
      "sogn": "fe2e11450f6c",
      "strandbeskyttelse": "248dc3d665e2",
      "vandloeb": "ddbd243114f1",
    }
  `);
});

describe('a tile', () => {
  const path = `/v1/kort/natur/${PLACES[0]}.mvt`;

  test('comes compressed to who takes it, as it is to others, and not at all to who has it', async () => {
    const plain = await app.inject(path);
    const gzip = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers).toMatchObject({
      'content-type': 'application/vnd.mapbox-vector-tile',
      'content-length': String(plain.rawPayload.length),
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
    });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload);
    const { etag } = gzip.headers;
    const generation = plain.headers['x-service-generation'];
    expect(String(etag)).toMatch(new RegExp(`^W/"${String(generation)}-`));
    const again = await app.inject({ url: path, headers: { 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload).toHaveLength(0);
    expect(again.headers['x-service-data-age']).toMatch(/^\d+$/);
    const head = await app.inject({ method: 'HEAD', url: path });
    expect(head.statusCode).toBe(200);
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
    expect(head.rawPayload).toHaveLength(0);
  });

  test.each([
    ['natur/17/0/0', /z must be .*16/],
    ['natur/-1/0/0', /z must be/],
    ['natur/2/4/0', /x must be at most 3 at zoom 2/],
    ['natur/2/0/4', /y must be at most 3 at zoom 2/],
    ['natur/2/0/1.5', /y must be/],
    ['natur/2/a/1', /x must be/],
    ['intet/2/1/1', /lag must be one of/],
  ])('%s is refused with the field and its limit', async (place, text) => {
    const answer = await app.inject(`/v1/kort/${place}.mvt`);
    expect(expectError(answer, 'invalid_request')['error']).toMatch(text);
  });
});

describe('what may be missing or old (docs/fault-matrix.md)', () => {
  const tile = `/v1/kort/natur/${PLACES[0]}.mvt`;
  const file = '/v1/kort/natur.fgb';
  const ALL = [tile, '/v1/kort/natur.json', file];

  /** The edge as it answers days later, the registers silent meanwhile. */
  function openLater(days: number): Promise<FastifyInstance> {
    const clock = { nowMs: () => bench.deps.clock.nowMs() + days * DAY_MS };
    return bench.edge(memory, bench.store, clock);
  }

  const PLAYED: Readonly<Record<keyof typeof MAP_ROWS, () => Promise<void>>> = {
    'map-missing': async () => {
      const nothing = await bench.edge(bench.memoryIn(bench.newDirectory()));
      for (const url of ALL) {
        const body = expectError(await nothing.inject(url), 'upstream_unavailable');
        expect(body['error']).toMatch(/natur is not in memory/);
      }
      await nothing.close();
    },
    'map-off': async () => {
      const off = await bench.edge(null);
      for (const url of ALL) expectError(await off.inject(url), 'upstream_unavailable');
      await off.close();
    },
    'map-old': async () => {
      expect((await app.inject(tile)).headers['x-service-stale']).toBeUndefined();
      const later = await openLater(9);
      for (const url of ALL) {
        const stale = await later.inject(url);
        expect(stale.statusCode).toBe(200);
        expect(stale.headers['x-service-stale']).toBe('true');
      }
      expect(bench.expired).toContain('natur');
      await later.close();
    },
    'map-expired': async () => {
      const past = await openLater(31);
      for (const url of ALL) {
        const body = expectError(await past.inject(url), 'upstream_unavailable');
        expect(body['error']).toMatch(/natur is older than it may be/);
      }
      await past.close();
    },
    'map-store-away': async () => {
      const refused = () => {
        throw new Error('The store was asked.');
      };
      const away = { ...bench.store, db: new Proxy(bench.store.db, { get: refused }) };
      const edge = await bench.edge(memory, away);
      for (const url of ALL) expect((await edge.inject(url)).statusCode, url).toBe(200);
      await edge.close();
    },
    'map-file-gone': async () => {
      const directory = bench.newDirectory();
      const own = bench.memoryIn(directory);
      own.start();
      await vi.waitUntil(() => own.current?.layers.has('natur'), { timeout: HANG_MS });
      const edge = await bench.edge(own);
      rmSync(own.pathInService('natur', 'fgb') ?? '');
      expectError(await edge.inject(file), 'upstream_unavailable');
      expect((await edge.inject(tile)).statusCode).toBe(200);
      await edge.close();
      await own.stop();
    },
    'map-threads-full': async () => {
      // More at once than may wait; each tile is another one, so none is shared.
      const { tilesWaiting } = LIMITS.kort;
      const many = Array.from({ length: tilesWaiting + 40 }, (_, n) => `16/${n}/${n}`);
      const answers = await Promise.all(
        many.map((place) => app.inject(`/v1/kort/natur/${place}.mvt`)),
      );
      const refused = answers.filter(({ statusCode }) => statusCode !== 200);
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) expectError(answer, 'overloaded');
      expect((await app.inject(`/v1/kort/natur/${many.at(-1)}.mvt`)).statusCode).toBe(200);
    },
  };

  test.each(Object.keys(MAP_ROWS) as (keyof typeof MAP_ROWS)[])('%s', (id) => PLAYED[id]());
});

test('TileJSON and style tell where tiles are, without a key', async () => {
  for (const layer of LAYER_IDS) {
    const answer = await app.inject(`/v1/kort/${layer}.json`);
    expectDocumented(app, answer, ['get', '/v1/kort/{lag}.json']);
    const said = answer.json<{ tiles: string[]; minzoom: number; bounds: number[] }>();
    expect(said.tiles).toEqual([`https://geo.example/v1/kort/${layer}/{z}/{x}/{y}.mvt`]);
    expect(said.minzoom).toBe(0);
    const [west = 0, south = 0, east = 0, north = 0] = said.bounds;
    expect([west, south], layer).toEqual([expect.closeTo(11.4, 0), expect.closeTo(56.9, 0)]);
    expect(west < east && south < north, layer).toBe(true);
  }
  const style = await app.inject('/v1/kort/style.json');
  expectDocumented(app, style, ['get', '/v1/kort/style.json']);
  const { sources, layers } = style.json<{
    sources: Record<string, { url: string }>;
    layers: { source: string; 'source-layer': string }[];
  }>();
  expect(Object.keys(sources)).toEqual([...LAYER_IDS, ...OWN_TILES, ...CONDITION_IDS]);
  for (const each of layers) expect(sources).toHaveProperty(each.source);
  const { etag } = style.headers;
  const headers = { 'if-none-match': String(etag) };
  expect((await app.inject({ url: '/v1/kort/style.json', headers })).statusCode).toBe(304);
});

describe('a layer as a file', () => {
  const path = '/v1/kort/natur.fgb';

  test('comes whole, in ranges, and not at all to who has it', async () => {
    const whole = await app.inject(path);
    const { length } = whole.rawPayload;
    expect(whole.statusCode).toBe(200);
    expect(whole.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(length),
      'content-disposition': expect.stringContaining('natur-v1.fgb') as string,
    });
    expect(whole.rawPayload.subarray(0, 3).toString()).toBe('fgb');
    // Ranges of any file: test/jobs/files.ts.
    const part = await app.inject({ url: path, headers: { range: 'bytes=8-107' } });
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(8, 108));
    const head = await app.inject({ method: 'HEAD', url: path });
    expect(head.headers['content-length']).toBe(String(length));
    expect(head.rawPayload).toHaveLength(0);
    const headers = { 'if-none-match': String(whole.headers.etag) };
    const known = await app.inject({ url: path, headers });
    expect(known.statusCode).toBe(304);
  });
});

const UNIT = 1;

/**
 * Whether a segment begins inside of what is drawn. On its border, beyond the tile, geojson-vt joins the
 * parts of an area that ST_AsMVTGeom makes areas of their own.
 */
function isWithin([x, y]: Segments[number]): boolean {
  const { bufferUnits, extent } = LIMITS.kort;
  return [x, y].every((at) => at > -bufferUnits && at < extent + bufferUnits);
}

describe('beside PostGIS and GDAL', () => {
  test('every coordinate is within a unit of what ST_AsMVT makes', async ({ skip }) => {
    // The embedded store's PostGIS has no ST_AsMVT.
    if (bench.store.kind !== 'postgres') skip();
    for (const layer of oneIn(3, LAYER_IDS)) {
      for (const place of PLACES) {
        const ours = byKey(read(await tileOf(layer, place)));
        const theirs = byKey(read(await judgeTile(layer, place)));
        const lost = [...theirs.keys()].filter((key) => !ours.has(key));
        expect(lost, `${layer} ${place}`).toEqual([]);
        for (const [key, judged] of theirs) {
          const cut = ours.get(key) ?? [];
          const apart = Math.max(farthest(cut.filter(isWithin), judged), farthest(judged, cut));
          expect(apart, `${layer} ${place} ${key}`).toBeLessThanOrEqual(UNIT);
        }
      }
    }
  });

  async function judgeTile(layer: LayerId, place: string): Promise<Buffer> {
    const [z, x, y] = place.split('/').map(Number);
    const rows = isLineKey(layer)
      ? `select object_id as objekt_id, geom from line_feature where layer = $1`
      : `select code as kode, geom from area where theme = $1`;
    const id = isLineKey(layer) ? 'objekt_id' : 'kode';
    const found = await bench.store.pool.query<{ tile: Buffer }>(
      `select ST_AsMVT(t, $1, 4096, 'geom') as tile from (
         select ${id}, ST_AsMVTGeom(ST_Transform(geom, 3857), ST_TileEnvelope($2, $3, $4),
           4096, 64, true) as geom
         from (${rows}) r) t where t.geom is not null`,
      [layer, z, x, y],
    );
    return found.rows[0]!.tile;
  }

  test('GDAL reads a tile, and of a file only the part that lies in its box', async ({ skip }) => {
    if (!(await hasGdal())) {
      if (process.env['REQUIRE_ALL'] === '1') throw new Error('gdal-bin is missing.');
      skip();
    }
    const file = join(bench.newDirectory(), '156.mvt');
    writeFileSync(file, await tileOf('natur', PLACES[0]));
    const place = ['-oo', 'X=272', '-oo', 'Y=156', '-oo', 'Z=9'];
    const tile = await run('ogrinfo', ['-so', '-al', `MVT:${file}`, ...place]);
    const count = read(await tileOf('natur', PLACES[0])).length;
    expect(tile.stdout).toContain(`Feature Count: ${count}`);
    const whole = await app.inject('/v1/kort/natur.fgb');
    const copy = join(bench.newDirectory(), 'natur.fgb');
    writeFileSync(copy, whole.rawPayload);
    const all = memory.current?.layers.get('natur')?.snapshot.meta.featureCount;
    expect((await run('ogrinfo', ['-so', '-al', copy])).stdout).toContain(
      `Feature Count: ${all}\n`,
    );
    const counted = await countingProxy();
    const box = ['-spat', '650000', '6314000', '650300', '6314300'];
    const header = ['--config', 'GDAL_HTTP_HEADERS', 'Authorization: Bearer svc_test_of_this_test'];
    const url = `/vsicurl/${counted.base}/v1/kort/natur.fgb`;
    const options = [...header, '--config', 'GDAL_DISABLE_READDIR_ON_OPEN', 'EMPTY_DIR'];
    const { stdout } = await run('ogrinfo', [...options, '-so', '-al', ...box, url]);
    await counted.close();
    expect(stdout).toMatch(/Feature Count: [1-9]\d*\n/);
    expect(counted.keys).toEqual(new Set(['Bearer svc_test_of_this_test']));
    const { headers } = await app.inject({ method: 'HEAD', url: '/v1/kort/natur.fgb' });
    expect(counted.bytes()).toBeLessThan(Number(headers['content-length']) / 2);
  });
});

async function hasGdal(): Promise<boolean> {
  return await run('ogrinfo', ['--version']).then(
    () => true,
    () => false,
  );
}

/** The edge on a port, with the bytes of its bodies counted on their way. */
async function countingProxy() {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  let bytes = 0;
  const keys = new Set<string | undefined>();
  const proxy: Server = createServer((asked, answer) => {
    keys.add(asked.headers.authorization);
    const { method, url, headers } = asked;
    const forward = httpRequest(
      { host: '127.0.0.1', port, method, path: url, headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        given.on('data', (chunk: Buffer) => (bytes += chunk.length)).pipe(answer);
      },
    );
    forward.end();
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    bytes: () => bytes,
    keys,
    close: () => {
      proxy.closeAllConnections();
      return new Promise((done) => proxy.close(done));
    },
  };
}

/** Segments of features by the register's own id; several features may share one. */
type Segments = readonly (readonly [number, number, number, number])[];

function byKey(features: readonly RenderFeature[]): Map<string, Segments> {
  const found = new Map<string, Segments>();
  for (const feature of features) {
    const { objekt_id: id, kode } = feature.getProperties();
    const key = String(id ?? kode);
    found.set(key, [...(found.get(key) ?? []), ...segmentsOf(feature)]);
  }
  return found;
}

function segmentsOf(feature: RenderFeature): Segments {
  const flat = feature.getFlatCoordinates();
  const ends = (feature.getEnds() ?? []).flat();
  const segments: [number, number, number, number][] = [];
  let from = 0;
  for (const end of ends.length === 0 ? [flat.length] : ends) {
    for (let i = from; i + 3 < end; i += 2) {
      segments.push([flat[i]!, flat[i + 1]!, flat[i + 2]!, flat[i + 3]!]);
    }
    from = end;
  }
  return segments;
}

function farthest(from: Segments, to: Segments): number {
  return Math.max(0, ...from.map(([x, y]) => Math.min(...to.map((s) => distance(x, y, s)))));
}

function distance(x: number, y: number, [ax, ay, bx, by]: Segments[number]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / square;
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - at * dx, y - ay - at * dy);
}
