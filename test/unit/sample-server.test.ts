/** The sample upstream speaks WFS 2.0 as GeoServer does, to our eyes, to our parser and to GDAL. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allLayers } from '../../src/layers/catalogue.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { EncodedFeature } from '../../src/wfs/page.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { HOSTS, sourceOf } from '../../sample/hosts.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { opened } from '../support/opened.ts';
import { standingOf } from '../support/sample-truth.ts';

const run = promisify(execFile);

const upstream = await opened(startSampleUpstream());

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
    expect(stdout.match(/Extent: \(64\d{4}\.\d+, 63\d{5}\.\d+\)/g)).toHaveLength(types.length);
  });
});
