/**
 * The sample upstream speaks WFS 2.0 as GeoServer does, to our eyes, to our parser and to GDAL; each of its faults
 * spoils what it says, no more.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { allLayers } from '../../src/layers/catalogue.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { EncodedFeature } from '../../src/wfs/page.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import type { FaultName } from '../../sample/faults.ts';
import { FAULT_NAMES, FAULTS } from '../../sample/faults.ts';
import { HOSTS, sourceOf } from '../../sample/hosts.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { opened } from '../support/opened.ts';
import { standingOf } from '../support/sample-truth.ts';

const run = promisify(execFile);

const upstream = await opened(startSampleUpstream());
afterEach(() => upstream.faults.clear());

type Query = Readonly<Record<string, string | number>>;

function addressOf(base: string, layer: LayerId, query: Query): URL {
  const { host, typeName } = sourceOf(layer);
  const url = new URL(`${base}/${host}/wfs`);
  const given = { service: 'WFS', version: '2.0.0', request: 'GetFeature', apikey: 'any' };
  const all: Query = { ...given, typeNames: typeName, ...query };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
  return url;
}

const ask = (layer: LayerId, query: Query = {}): Promise<Response> =>
  fetch(addressOf(upstream.url, layer, query));
const askText = async (layer: LayerId, query: Query = {}): Promise<string> =>
  (await ask(layer, query)).text();

describe('formats', () => {
  it('write codes as they are held: 3.0 stays 3.0', async () => {
    expect(await askText('skov', { outputFormat: 'application/json' })).toContain(
      '"Statuskode":3.0,',
    );
    expect(await askText('skov', { count: 1 })).toMatch(/<dai:Statuskode>\d\.0</);
    expect(await askText('kirke', { outputFormat: 'application/json' })).toContain(
      '"Statuskode":"3.0"',
    );
  });

  it('write dotted element names and tell the dimension on the geometry', async () => {
    const areas = await askText('kommune', { count: 1 });
    expect(areas).toContain('<dagi10:id.lokalId>9920001</dagi10:id.lokalId>');
    expect(areas).toMatch(/<gml:MultiSurface srsName="[^"]*25832" srsDimension="3"/);
    expect(areas).toMatch(/<gml:posList>\d+(\.\d+)? \d+(\.\d+)? 0 /);
    const pieces = await askText('strandbeskyttelse');
    expect(pieces).toContain('<gml:PolygonPatch>');
    expect(pieces).toContain('<gml:Polygon ');
    const lines = await askText('dige');
    expect(lines).toContain('<gml:MultiCurve');
    expect(lines).toContain('<gml:LineStringSegment>');
  });
});

describe('refusals', () => {
  it.each([
    ['an unknown type', { typeNames: 'dai:nothing' }, 'InvalidParameterValue'],
    ['a type of another host', { typeNames: 'dagi10:Retskreds' }, 'InvalidParameterValue'],
    ['an unknown request', { request: 'GetNothing' }, 'OperationNotSupported'],
    ['another service', { service: 'WMS' }, 'InvalidParameterValue'],
    ['an old version', { version: '1.0.0' }, 'VersionNegotiationFailed'],
    ['a count that is no number', { count: 'many' }, 'InvalidParameterValue'],
    ['a negative start', { startIndex: -1 }, 'InvalidParameterValue'],
    ['a window of three numbers', { bbox: '1,2,3' }, 'InvalidParameterValue'],
    ['a window turned round', { bbox: '5,5,1,1' }, 'InvalidParameterValue'],
    ['an unknown reference system', { srsName: 'EPSG:3857' }, 'InvalidParameterValue'],
    ['an unknown format', { outputFormat: 'csv' }, 'InvalidParameterValue'],
    ['an unknown result type', { resultType: 'some' }, 'InvalidParameterValue'],
    ['a filter it would have to pass over', { cql_filter: 'a=1' }, 'OptionNotSupported'],
    ['a choice of features', { resourceId: 'a.1' }, 'OptionNotSupported'],
    ['degrees', { srsName: 'EPSG:4326' }, 'InvalidParameterValue'],
  ] as const)('say in an ExceptionReport that %s is wrong', async (_, query, code) => {
    const response = await ask('skov', query);
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('<ows:ExceptionReport');
    expect(text).toContain(`exceptionCode="${code}"`);
  });

  it('ask for a key where the register does, and for no particular one', async () => {
    expect((await ask('kommune', { apikey: '' })).status).toBe(401);
    expect((await ask('klitfredning', { apikey: '' })).status).toBe(401);
    expect((await ask('klitfredning', { APIKEY: 'another', count: 1 })).status).toBe(200);
    expect((await ask('natur', { apikey: '', count: 1 })).status).toBe(200);
  });
});

async function parse(layer: Layer, outputFormat: string): Promise<ReturnType<typeof parsePage>> {
  const { source } = layer;
  const asked = addressOf(upstream.url, layer.id, { srsName: source.srsName, outputFormat });
  // On a busy machine a kept connection may just have been closed, idle for too long.
  const response = await fetch(asked, { headers: { connection: 'close' } });
  return parsePage({
    mapping: layer.mapping,
    geometryKind: layer.geometry,
    geometryProperty: source.geometryProperty,
    keyProperty: source.keyProperty,
    srsName: source.srsName,
    dagiScale: '1:10.000',
    bytes: new Uint8Array(await response.arrayBuffer()),
  });
}

const hashes = (features: readonly EncodedFeature[]): string[] =>
  features.map(({ key, hash }) => `${key} ${Buffer.from(hash).toString('hex')}`);

it.each(allLayers(sampleCatalogue('http://127.0.0.1:1')))(
  'the parser reads the same of $id from GML and from GeoJSON, and nothing that must stay out',
  async (layer) => {
    const gml = await parse(layer, 'gml32');
    const json = await parse(layer, 'application/json');
    expect(hashes(gml.features)).toEqual(hashes(json.features));
    const held = upstream.holdings.features(layer.id);
    expect([gml.members, json.members]).toEqual([held.length, held.length]);
    const wanted = held.filter(
      (feature) =>
        standingOf(feature) !== 'hidden' &&
        feature.properties['skala'] !== '1:250.000' &&
        feature.geometry !== null,
    );
    expect(gml.features.length).toBe(wanted.length);
    expect(gml.features.filter(({ standing }) => standing === 'repealed').length).toBe(
      wanted.filter((feature) => standingOf(feature) === 'repealed').length,
    );
    expect(gml.issues).toEqual([]);
  },
);

const gdal = await run('ogrinfo', ['--version']).then(
  ({ stdout }) => /WFS/.test(stdout) || stdout.startsWith('GDAL'),
  () => false,
);

describe.skipIf(!gdal)('GDAL (skipped where ogrinfo is not installed)', () => {
  it.each(HOSTS)('counts as many features as $id holds', async ({ path, layers }) => {
    const address = `WFS:${upstream.url}${path}?apikey=any&VERSION=2.0.0`;
    const types = layers.map((layer) => sourceOf(layer).typeName);
    const { stdout, stderr } = await run('ogrinfo', ['-ro', '-so', address, ...types]);
    expect(stderr).not.toMatch(/ERROR/);
    const counts = [...stdout.matchAll(/Feature Count: (\d+)/g)].map(([, count]) => Number(count));
    expect(counts).toEqual(layers.map((layer) => upstream.holdings.features(layer).length));
    expect(stdout.match(/Extent: \(6[45]\d{4}\.\d+, 63\d{5}\.\d+\)/g)).toHaveLength(types.length);
  });
});

const ADDRESSES = {
  page: 'portal/wfs?request=GetFeature&typeNames=dai:bes_naturtyper&count=50&startIndex=50',
  sorted: 'portal/wfs?request=GetFeature&typeNames=dai:bes_naturtyper&sortBy=Objekt_id&count=9',
  hits: 'portal/wfs?request=GetFeature&typeNames=dai:bes_naturtyper&resultType=hits',
  schema: 'portal/wfs?request=DescribeFeatureType&typeNames=dai:bes_naturtyper',
  capabilities: 'portal/wfs?request=GetCapabilities',
  coverage:
    'terrain/wcs?request=GetCoverage&coverage=dhm_terraen&crs=EPSG:25832&format=GTiff&apikey=key' +
    '&bbox=650000,6314000,650064,6314064&width=64&height=64',
} as const;
type AddressName = keyof typeof ADDRESSES;

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** What a client gets; null when the connection or the wait breaks. */
async function look(asked: AddressName, waitMs = 20_000): Promise<Seen | null> {
  try {
    const response = await fetch(`${upstream.url}/${ADDRESSES[asked]}`, {
      signal: AbortSignal.timeout(waitMs),
      redirect: 'manual',
    });
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: await response.text() };
  } catch {
    return null;
  }
}

/** Faults that change when bytes arrive but not which; they are timed instead. */
const LATE: readonly FaultName[] = ['slow', 'bandwidth', 'slicing', 'slow-close'];
const askedFor = (fault: FaultName): AddressName => {
  if (fault === 'wrong-hits' || fault === 'hits-off') return 'hits';
  if (FAULTS[fault].operations?.join() === 'coverage') return 'coverage';
  return fault === 'sort-refused' ? 'sorted' : 'page';
};

describe('each fault', () => {
  it.each(FAULT_NAMES.filter((fault) => !LATE.includes(fault)))(
    '%s spoils what it says and ends when it is switched off',
    async (fault) => {
      const asked = askedFor(fault);
      const right = await look(asked);
      expect(right?.status).toBe(200);
      upstream.faults.set([{ fault }]);
      // A hang must not cost the whole wait of a patient client.
      const wrong = await look(asked, fault === 'hang' || fault === 'stall' ? 300 : 5_000);
      expect(wrong).not.toEqual(right);
      expect(FAULTS[fault].title).not.toBe('');
      upstream.faults.clear();
      expect(await look(asked)).toEqual(right);
    },
  );

  it.each([
    ['slow', 300, 280],
    ['slow-close', 300, 280],
    ['bandwidth', 400_000, 100],
    ['slicing', 1_000, 0],
  ] as const)('%s delivers the right bytes late', async (fault, value, atLeastMs) => {
    const right = await look('page');
    upstream.faults.set([{ fault, value }]);
    const started = performance.now();
    expect(await look('page', 10_000)).toEqual(right);
    expect(performance.now() - started).toBeGreaterThanOrEqual(atLeastMs);
  });

  it('breaks a connection whose answer before has not ended yet', async () => {
    upstream.faults.set([
      { fault: 'stall', times: 1 },
      { fault: 'down', skip: 1 },
    ]);
    const socket = connect({ port: Number(new URL(upstream.url).port), host: '127.0.0.1' });
    const request = `GET /${ADDRESSES.page} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    socket.resume().write(request + request);
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
  });
});

const idsOf = (text: string): string[] =>
  [...text.matchAll(/gml:id="(bes_naturtyper\.[0-9a-f-]+)"/g)].map(([, id]) => id!);

it('a shuffled order is another at each request, the same for a seed', async () => {
  upstream.faults.set([{ fault: 'shuffled-order', seed: 7 }]);
  const [first, second] = [(await look('page'))!.body, (await look('page'))!.body];
  expect(idsOf(first)).not.toEqual(idsOf(second));
  upstream.faults.set([{ fault: 'shuffled-order', seed: 7 }]);
  expect((await look('page'))!.body).toBe(first);
});

describe('a rule', () => {
  it('can be narrowed to a host, a layer, an operation, later pages, some requests', async () => {
    const works = async (asked: AddressName): Promise<boolean> =>
      (await look(asked))?.status === 200;
    upstream.faults.set([{ fault: 'http-503', host: 'dagi' }]);
    expect(await works('page')).toBe(true);
    upstream.faults.set([{ fault: 'http-503', layer: 'skov' }]);
    expect(await works('page')).toBe(true);
    upstream.faults.set([{ fault: 'http-503', host: 'portal', layer: 'natur' }]);
    expect(await works('page')).toBe(false);
    upstream.faults.set([{ fault: 'http-503', operation: 'hits' }]);
    expect([await works('page'), await works('hits')]).toEqual([true, false]);
    upstream.faults.set([{ fault: 'http-503', fromIndex: 10 }]);
    expect([await works('sorted'), await works('page')]).toEqual([true, false]);
    upstream.faults.set([{ fault: 'unauthorized', skip: 1, times: 1 }]);
    expect([await works('page'), await works('page'), await works('page')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(upstream.faults.list()).toMatchObject([{ seen: 3, applied: 1 }]);
  });

  it('leaves alone, and does not count, what somebody else asks', async () => {
    const asks = async (asker: string): Promise<number> =>
      (await fetch(`${upstream.url}/${ADDRESSES.page}&asker=${asker}`)).status;
    upstream.faults.set([{ fault: 'unauthorized', times: 1, asker: '2' }]);
    expect(await asks('1')).toBe(200);
    expect(upstream.faults.list()).toMatchObject([{ seen: 0, applied: 0 }]);
    expect([await asks('2'), await asks('2')]).toEqual([401, 200]);
  });

  it('can stand beside another: both take effect', async () => {
    upstream.faults.set([{ fault: 'unknown-count' }]);
    upstream.faults.add({ fault: 'empty-page' });
    const seen = await look('page');
    expect(seen?.body).toContain('numberMatched="unknown" numberReturned="0"');
  });
});

describe('the switches over HTTP', () => {
  const address = (): string => `${upstream.url}/_faults`;
  const post = (body: string, type = 'application/json'): Promise<Response> =>
    fetch(address(), { method: 'POST', body, headers: { 'content-type': type } });

  it('list what there is, take a plan, and mend everything', async () => {
    const taken = await post(JSON.stringify([{ fault: 'html-200', host: 'portal' }]));
    expect(taken.status).toBe(200);
    const state = (await taken.json()) as { active: unknown[]; available: unknown[] };
    expect(state.active).toEqual([{ fault: 'html-200', host: 'portal', seen: 0, applied: 0 }]);
    expect(state.available).toHaveLength(FAULT_NAMES.length);
    expect((await look('page'))?.body).toContain('<html>');
    expect((await fetch(address(), { method: 'DELETE' })).status).toBe(200);
    expect((await look('page'))?.status).toBe(200);
    const listed = (await (await fetch(address())).json()) as { active: unknown[] };
    expect(listed.active).toEqual([]);
  });

  it.each([
    ['an unknown fault', '{"fault":"nothing"}', 'fault must be one of'],
    ['no fault', '{}', 'fault must be one of'],
    ['an unknown field', '{"fault":"down","when":1}', 'no field when'],
    ['a field every object has', '{"fault":"down","constructor":1}', 'no field constructor'],
    ['an unknown layer', '{"fault":"down","layer":"hav"}', 'layer must be one of'],
    ['a share above one', '{"fault":"down","share":2}', 'share must be between'],
    ['half a time', '{"fault":"down","times":0.5}', 'times must be a whole number'],
    ['a list of lists', '[[]]', 'must be an object'],
    ['what is not JSON', '{', 'JSON'],
  ])('refuse %s and keep the plan', async (_, body, message) => {
    upstream.faults.set([{ fault: 'unknown-count' }]);
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect(upstream.faults.list()).toHaveLength(1);
  });

  it('refuse what a web page could send without asking', async () => {
    expect((await post('[]', 'text/plain')).status).toBe(415);
    expect((await fetch(address(), { method: 'PUT' })).status).toBe(405);
  });
});
