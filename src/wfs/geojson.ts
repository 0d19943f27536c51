/** Positions are cut to x and y: OpenLayers would misread mixed two- and three-number positions. */
import { parseExactJson } from '../bytes/exact-json.ts';
import { beat } from '../kernel/pulse.ts';
import GeoJSON from 'ol/format/GeoJSON.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import type { Envelope } from './envelope.ts';
import { inspect } from './inspect.ts';
import type { ReadFeature } from './read-feature.ts';
import { isRecord, remainsOfGeoJson } from './geojson-remains.ts';
import { PageRefused } from './read-feature.ts';
import { checkShape } from './shape.ts';

/** RFC 7946: longitude, latitude by default. */
const CRS84 = 'urn:ogc:def:crs:OGC:1.3:CRS84';

/** Nesting of `coordinates`: 0 is a position. */
const DEPTHS: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

export interface GeoJsonOptions {
  readonly srsName?: string;
  readonly envelope?: Envelope;
}

/** Throws PageRefused. */
export function readGeoJson(bytes: Uint8Array, options: GeoJsonOptions = {}): ReadFeature[] {
  const envelope = options.envelope ?? inspect(bytes);
  if (envelope.kind !== 'features' || envelope.format !== 'geojson') {
    throw new PageRefused('not a GeoJSON feature collection');
  }
  const collection = parse(bytes);
  const features = collection['features'];
  if (!Array.isArray(features) || features.length !== envelope.members) {
    const read = Array.isArray(features) ? features.length : 0;
    throw new PageRefused(`${read} features read of ${envelope.members} members`);
  }
  const declared = declaredCrs(collection);
  const reader = new GeoJSON();
  return features.map((feature) => {
    beat();
    if (!isRecord(feature)) throw new PageRefused('a feature that is no object');
    return featureOf(feature, { reader, declared, asked: options.srsName ?? CRS84 });
  });
}

interface Context {
  readonly reader: GeoJSON;
  readonly declared: string | null;
  readonly asked: string;
}

/** A `crs` of the geometry or the feature precedes that of the collection. */
function featureOf(feature: Record<string, unknown>, collection: Context): ReadFeature {
  const { id, properties, geometry } = feature;
  const own = (isRecord(geometry) ? declaredCrs(geometry) : null) ?? declaredCrs(feature);
  const context = own === null ? collection : { ...collection, declared: own };
  const base = {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    properties: isRecord(properties) ? properties : {},
    crs: context.declared,
    remains: () => remainsOfGeoJson(feature, crsAt(context)),
  };
  if (geometry === null || geometry === undefined) {
    return { ...base, geometry: null, refused: null };
  }
  const cut = isRecord(geometry) ? cutToXy(geometry) : 'a geometry that is no object';
  if (typeof cut === 'string') return { ...base, geometry: null, refused: cut };
  const read = context.reader.readGeometry(cut) as SimpleGeometry | null;
  const fault = read === null ? 'an empty geometry' : checkShape(read);
  if (read === null || fault !== null) return { ...base, geometry: null, refused: fault };
  return {
    ...base,
    geometry: read,
    crs: crsAt(context)(...firstOf(read)),
    refused: null,
  };
}

/**
 * Degrees without a `crs` member. Metres that were asked for are understood: the ranges do not
 * overlap.
 */
function crsAt({ declared, asked }: Context): (x: number, y: number) => string {
  return (x, y) => declared ?? (Math.abs(x) <= 180 && Math.abs(y) <= 90 ? CRS84 : asked);
}

function firstOf(geometry: SimpleGeometry): [number, number] {
  const [x = NaN, y = NaN] = geometry.getFlatCoordinates();
  return [x, y];
}

/** Two-number positions, or why they are impossible. */
function cutToXy(geometry: Record<string, unknown>): Record<string, unknown> | string {
  const type = String(geometry['type']).slice(0, 40);
  const depth = DEPTHS[type];
  if (depth === undefined) return `geometry type ${type} is not read`;
  try {
    return { type, coordinates: cutLevel(geometry['coordinates'], depth) };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function cutLevel(level: unknown, depth: number): unknown[] {
  if (!Array.isArray(level)) throw new TypeError('coordinates that are no array');
  if (depth > 0) return level.map((part) => cutLevel(part, depth - 1));
  const [x, y] = level as unknown[];
  if (typeof x !== 'number' || typeof y !== 'number') {
    throw new TypeError('a position that is not two numbers');
  }
  return [x, y];
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = parseExactJson(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw new PageRefused(`not well-formed: ${error instanceof Error ? error.message : 'JSON'}`);
  }
  throw new PageRefused('not a JSON object');
}

function declaredCrs(collection: Record<string, unknown>): string | null {
  const { crs } = collection;
  if (!isRecord(crs)) return null;
  const properties = isRecord(crs['properties']) ? crs['properties'] : {};
  const name = properties['name'] ?? properties['code'] ?? properties['href'];
  // An unreadable crs must not count as absent.
  return typeof name === 'string' || typeof name === 'number' ? String(name) : 'an unreadable crs';
}
