/**
 * A § 3 register of national size over HTTP, in a process of its own: generated areas as the sample's
 * portal writes them, laid down in a file once, so that serving a page is reading and no making.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { RingSink, readWkb } from '../src/geo/wkb.ts';
import { valueText } from '../sample/data/feature.ts';
import type { SampleFeature } from '../sample/data/feature.ts';
import type { Position, Ring, SampleGeometry } from '../sample/data/geometry.ts';
import { portalFeature, STATUS } from '../sample/data/portal.ts';
import { SCHEMAS } from '../sample/data/schemas.ts';
import { hostAt, sourceOf } from '../sample/hosts.ts';
import type { SampleHost } from '../sample/hosts.ts';
import type { Collection } from '../sample/wfs/collection.ts';
import { schemaDocument } from '../sample/wfs/documents.ts';
import { exceptionReport, WfsException } from '../sample/wfs/exception.ts';
import { featureObject, writeGeoJson } from '../sample/wfs/geojson.ts';
import { writeGml } from '../sample/wfs/gml.ts';
import type { FeatureQuery } from '../sample/wfs/query.ts';
import { readParameters, readQuery } from '../sample/wfs/query.ts';
import { Land } from './national/land.ts';
import { lineFeatures } from './national/lines.ts';

const LAYER = 'natur';
/** What `lineFeatures` makes of the whole country, and how many of ours one of those gives. */
const NATIONAL = 319_718;
const AREAS_PER_BLOB = 1.25;

/** What the parent sends. */
export interface UpstreamOrder {
  readonly dir: string;
  readonly count: number;
  /** Every so many features one is told otherwise or drawn elsewhere; null: none is. */
  readonly changeEvery: number | null;
}

/** What the parent is told once it is served. */
export interface UpstreamReport {
  readonly url: string;
  readonly features: number;
  readonly bytes: number;
  readonly vertices: number;
  readonly changed: number;
}

/** The register's content: its features in key order, as slices of a file. */
interface Content {
  readonly file: number;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  readonly facts: Omit<UpstreamReport, 'url'>;
}

let content: Content | null = null;
let url: string | null = null;

process.on('message', (order: UpstreamOrder) => {
  obey(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));

async function obey(order: UpstreamOrder): Promise<void> {
  if (content !== null) closeSync(content.file);
  content = lay(order);
  url ??= await serve();
  process.send?.({ url, ...content.facts } satisfies UpstreamReport);
}

/** Writes every feature once, in the order they are made, and sorts what is known of them by key. */
function lay({ dir, count, changeEvery }: UpstreamOrder): Content {
  const file = openSync(join(dir, 'features.json'), 'w+');
  const made: { readonly key: string; readonly offset: number; readonly length: number }[] = [];
  let offset = 0;
  let vertices = 0;
  let changed = 0;
  for (const feature of features(count)) {
    const isChanged = changeEvery !== null && made.length % changeEvery === 0;
    if (isChanged) changed += 1;
    const told = isChanged ? otherwise(feature, changed) : feature;
    const text = Buffer.from(JSON.stringify(featureObject(told, frame([], 0))));
    writeSync(file, text);
    made.push({
      key: valueText(feature.properties['Objekt_id']) ?? '',
      offset,
      length: text.length,
    });
    offset += text.length;
    vertices += verticesOf(feature);
  }
  made.sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    file,
    offsets: Float64Array.from(made, (one) => one.offset),
    lengths: Uint32Array.from(made, ({ length }) => length),
    facts: { features: made.length, bytes: offset, vertices, changed },
  };
}

/** Areas of the generated country, about every fourth as two that share a border. */
function* features(count: number): Generator<SampleFeature> {
  // Some more than needed, whatever the country rounds to.
  const land = new Land((1.06 * count) / AREAS_PER_BLOB / NATIONAL);
  let number = 0;
  for (const { wkb, standing } of lineFeatures(land, LAYER)) {
    for (const ring of halves(shellOf(wkb))) {
      if (number === count) return;
      number += 1;
      const status = standing === 'repealed' ? STATUS.cancelled : STATUS.adopted;
      const geometry: SampleGeometry = { type: 'MultiPolygon', coordinates: [[ring]] };
      const own = { Natyp_kode: String(1 + (number % 6)), Natyp_navn: 'Mose' };
      yield portalFeature(LAYER, { name: `national-${number}`, geometry, status, own });
    }
  }
  if (number < count) throw new Error(`The country gave ${number} areas of ${count}.`);
}

function shellOf(wkb: Uint8Array): Ring {
  const sink = new RingSink();
  readWkb(wkb, sink);
  const xy = sink.xy.view();
  return Array.from({ length: xy.length / 2 }, (_, i): Position => [xy[2 * i]!, xy[2 * i + 1]!]);
}

/**
 * A blob's vertices lie at equal angles, and it sees all of its ring from its middle: cut there, it
 * is two areas. The middle is known from the quarters, so only where there are such.
 */
function halves(shell: Ring): Ring[] {
  const corners = shell.slice(0, -1);
  if (corners.length % 4 !== 0) return [shell];
  const half = corners.length / 2;
  const middle: Position = [corners[half / 2]![0]!, corners[0]![1]!];
  return [
    [middle, ...corners.slice(0, half + 1), middle],
    [middle, ...corners.slice(half), corners[0]!, middle],
  ];
}

/** In turn: another authority, the same outline a hair aside, the area somewhere else. */
function otherwise(feature: SampleFeature, n: number): SampleFeature {
  if (n % 3 === 0) {
    return {
      ...feature,
      properties: { ...feature.properties, CVR_navn: 'Nabo Kommune (opdigtet)' },
    };
  }
  const aside = n % 3 === 1 ? 0.1 : 20;
  const { geometry } = feature;
  if (geometry?.type !== 'MultiPolygon') return feature;
  const moved = (pos: Position): Position => [Math.round(100 * (pos[0]! + aside)) / 100, pos[1]!];
  const coordinates = geometry.coordinates.map((rings) => rings.map((ring) => ring.map(moved)));
  return { ...feature, geometry: { type: 'MultiPolygon', coordinates } };
}

function verticesOf({ geometry }: SampleFeature): number {
  return geometry?.type === 'MultiPolygon' ? (geometry.coordinates[0]?.[0]?.length ?? 0) : 0;
}

const HOST = hostAt('/portal/wfs') as SampleHost;

/** The page without its features. */
function frame(features: readonly SampleFeature[], returned: number): Collection {
  return {
    host: HOST,
    layer: LAYER,
    schema: SCHEMAS[LAYER],
    geometryProperty: sourceOf(LAYER).geometryProperty,
    crs: { epsg: 25832, name: 'urn:ogc:def:crs:EPSG::25832', latitudeFirst: false },
    features,
    numberMatched: content?.offsets.length ?? 0,
    numberReturned: returned,
    nextUrl: null,
  };
}

async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://localhost');
    try {
      response.end(answer(asked));
    } catch (error) {
      if (!(error instanceof WfsException)) throw error;
      response.writeHead(400, { 'content-type': 'application/xml' });
      response.end(exceptionReport(error));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${HOST.path}`;
}

function answer({ searchParams }: URL): string | Buffer {
  const asked = readQuery(HOST, readParameters(searchParams));
  if (asked.operation === 'schema') {
    return schemaDocument(HOST, [{ layer: LAYER, schema: SCHEMAS[LAYER] }]);
  }
  if (asked.operation !== 'features' || !isServed(asked.query)) {
    throw new WfsException('OptionNotSupported', 'Whole pages by key are served here, no more');
  }
  return asked.query.hits ? writeGml(frame([], 0)) : page(asked.query);
}

function isServed({ layer, bbox, where, sortBy, output, hits }: FeatureQuery): boolean {
  const byKey = sortBy.every(
    ({ attribute, descending }) => attribute === 'Objekt_id' && !descending,
  );
  return (
    layer === LAYER && bbox === null && where === null && byKey && (hits || output === 'geojson')
  );
}

/** The sample's own page around slices of the file. */
function page({ startIndex, count }: FeatureQuery): Buffer {
  if (content === null) throw new Error('Nothing is laid down.');
  const { file, offsets, lengths } = content;
  const end = Math.min(offsets.length, startIndex + (count ?? offsets.length));
  const [head = '', tail = ''] = writeGeoJson(frame([], Math.max(0, end - startIndex))).split('[]');
  const parts: Buffer[] = [];
  for (let i = startIndex; i < end; i++) {
    const text = Buffer.allocUnsafe(lengths[i]!);
    readSync(file, text, 0, text.length, offsets[i]!);
    parts.push(...(i > startIndex ? [COMMA] : []), text);
  }
  return Buffer.concat([Buffer.from(`${head}[`), ...parts, Buffer.from(`]${tail}`)]);
}

const COMMA = Buffer.from(',');
