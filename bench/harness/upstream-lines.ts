/** § 3 areas of the generated country as the sample's portal writes them: slices of a file. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { RingSink, readWkb } from '../../src/geo/wkb.ts';
import { valueText } from '../../sample/data/feature.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import type { Position, Ring, SampleGeometry } from '../../sample/data/geometry.ts';
import { portalFeature, STATUS } from '../../sample/data/portal.ts';
import { SCHEMAS } from '../../sample/data/schemas.ts';
import { hostAt, sourceOf } from '../../sample/hosts.ts';
import type { SampleHost } from '../../sample/hosts.ts';
import type { Collection } from '../../sample/wfs/collection.ts';
import { schemaDocument } from '../../sample/wfs/documents.ts';
import { exceptionReport, WfsException } from '../../sample/wfs/exception.ts';
import { featureObject, writeGeoJson } from '../../sample/wfs/geojson.ts';
import { writeGml } from '../../sample/wfs/gml.ts';
import type { FeatureQuery } from '../../sample/wfs/query.ts';
import { readParameters, readQuery } from '../../sample/wfs/query.ts';
import { Land } from '../national/land.ts';
import { lineFeatures } from '../national/lines.ts';
import type { Content, UpstreamContent } from './content.ts';

const LAYER = 'natur';
const HOST = hostAt('/portal/wfs') as SampleHost;
/** What `lineFeatures` makes of the whole country, and how many of ours one of those gives. */
const NATIONAL = 319_718;
const AREAS_PER_BLOB = 1.25;

/** Whole pages by key, no more. */
export class LinePages implements Content {
  readonly path = HOST.path;
  readonly facts: Content['facts'];
  readonly #file: number;
  /** Where each feature is in the file, in key order. */
  readonly #slices: readonly { readonly offset: number; readonly length: number }[];

  constructor({ dir, count, changeEvery }: Extract<UpstreamContent, { register: 'natur' }>) {
    this.#file = openSync(join(dir, 'features.json'), 'w+');
    const made: { readonly key: string; readonly offset: number; readonly length: number }[] = [];
    let [bytes, vertices, changed] = [0, 0, 0];
    for (const feature of features(count)) {
      const isChanged = changeEvery !== null && made.length % changeEvery === 0;
      if (isChanged) changed += 1;
      const reported = isChanged ? otherwise(feature, changed) : feature;
      const text = Buffer.from(JSON.stringify(featureObject(reported, frame(0, 0))));
      writeSync(this.#file, text);
      const key = valueText(feature.properties['Objekt_id']) ?? '';
      made.push({ key, offset: bytes, length: text.length });
      bytes += text.length;
      vertices += verticesOf(feature);
    }
    this.#slices = made.sort((a, b) => (a.key < b.key ? -1 : 1));
    this.facts = { rows: made.length, bytes, vertices, changed };
  }

  answer({ searchParams }: URL, response: ServerResponse): void {
    try {
      const asked = readQuery(HOST, readParameters(searchParams));
      if (asked.operation === 'schema') {
        response.end(schemaDocument(HOST, [{ layer: LAYER, schema: SCHEMAS[LAYER] }]));
      } else if (asked.operation !== 'features' || !isServed(asked.query)) {
        throw new WfsException('OptionNotSupported', 'Whole pages by key are served here, no more');
      } else {
        response.end(
          asked.query.hits ? writeGml(frame(this.#slices.length, 0)) : this.#page(asked.query),
        );
      }
    } catch (error) {
      if (!(error instanceof WfsException)) throw error;
      response.writeHead(400, { 'content-type': 'application/xml' });
      response.end(exceptionReport(error));
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The sample's own page around slices of the file. */
  #page({ startIndex, count, sortBy }: FeatureQuery): Buffer {
    const { length } = this.#slices;
    const all = sortBy[0]?.descending === true ? this.#slices.toReversed() : this.#slices;
    const some = all.slice(startIndex, startIndex + (count ?? length));
    const [head = '', tail = ''] = writeGeoJson(frame(length, some.length)).split('[]');
    const parts = some.flatMap((slice, i) => {
      const text = Buffer.allocUnsafe(slice.length);
      readSync(this.#file, text, 0, slice.length, slice.offset);
      return i > 0 ? [COMMA, text] : [text];
    });
    return Buffer.concat([Buffer.from(`${head}[`), ...parts, Buffer.from(`]${tail}`)]);
  }
}

const COMMA = Buffer.from(',');

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

/** In turn: another authority, the outline 10 cm aside, the area 20 m away. */
function otherwise(feature: SampleFeature, n: number): SampleFeature {
  if (n % 3 === 0) {
    const properties = { ...feature.properties, CVR_navn: 'Nabo Kommune (opdigtet)' };
    return { ...feature, properties };
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

/** The page without its features. */
function frame(numberMatched: number, numberReturned: number): Collection {
  return {
    host: HOST,
    layer: LAYER,
    schema: SCHEMAS[LAYER],
    geometryProperty: sourceOf(LAYER).geometryProperty,
    crs: { epsg: 25832, name: 'urn:ogc:def:crs:EPSG::25832', latitudeFirst: false },
    features: [],
    numberMatched,
    numberReturned,
    nextUrl: null,
  };
}

function isServed({ layer, bbox, where, sortBy, output, hits }: FeatureQuery): boolean {
  const byKey = sortBy.every(({ attribute }) => attribute === 'Objekt_id');
  return (
    layer === LAYER && bbox === null && where === null && byKey && (hits || output === 'geojson')
  );
}
