/** The sample upstream speaks WFS 2.0 as GeoServer does, to our eyes and to GDAL's. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LayerId } from '../../src/layers/keys.ts';
import { HOSTS, sourceOf } from '../../sample/hosts.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { opened } from '../support/opened.ts';

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

interface Collection {
  readonly totalFeatures: number;
  readonly numberMatched: number;
  readonly numberReturned: number;
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

const askJson = async (layer: LayerId, query: Query = {}): Promise<Collection> =>
  (await (await ask(layer, { outputFormat: 'application/json', ...query })).json()) as Collection;

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

  it('leave a missing geometry out of GML and write it null in JSON', async () => {
    upstream.faults.set([{ fault: 'null-geometry', layer: 'natur', share: 1 }]);
    try {
      const asked = { count: 1 };
      const { features } = await askJson('natur', asked);
      expect(features.map(({ geometry }) => geometry)).toEqual([null]);
      const gml = await askText('natur', asked);
      expect(gml).toContain('numberReturned="1"');
      expect(gml).not.toContain('<dai:Shape>');
    } finally {
      upstream.faults.clear();
    }
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
