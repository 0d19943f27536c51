/** What the project's own parser makes of the sample: the same from GML as from GeoJSON. */
import { describe, expect, it } from 'vitest';
import { allLayers } from '../../src/layers/catalogue.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import type { EncodedFeature } from '../../src/wfs/page.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { standingOf } from '../support/sample-truth.ts';
import { opened } from '../support/opened.ts';

const LAYERS = allLayers(sampleCatalogue('http://127.0.0.1:1'));

const upstream = await opened(startSampleUpstream());

async function parse(layer: Layer, outputFormat: string): Promise<ReturnType<typeof parsePage>> {
  const { source } = layer;
  const url = new URL(`${upstream.url}/${source.host}/wfs`);
  const query = { request: 'GetFeature', typeNames: source.typeName, srsName: source.srsName };
  for (const [name, value] of Object.entries({ ...query, outputFormat, apikey: SAMPLE_API_KEY })) {
    url.searchParams.set(name, value);
  }
  // On a busy machine a kept connection may just have been closed, idle for too long.
  const response = await fetch(url, { headers: { connection: 'close' } });
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

describe('the parser', () => {
  it.each(LAYERS.map((layer) => [layer.id, layer] as const))(
    'reads the same of %s from GML and from GeoJSON, and nothing that must stay out',
    async (id, layer) => {
      const gml = await parse(layer, 'gml32');
      const json = await parse(layer, 'application/json');
      expect(hashes(gml.features)).toEqual(hashes(json.features));
      const held = upstream.holdings.features(id);
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
});
