/** Reads WFS 2.0 key-value requests. Names are case-insensitive; nonsense is refused by name. */
import { toUtm32 } from '../../src/geo/project.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Box } from '../data/geometry.ts';
import { at } from '../data/geometry.ts';
import { schemaOf } from '../data/schemas.ts';
import type { SampleHost } from '../hosts.ts';
import { layerNamed, sourceOf } from '../hosts.ts';
import { WfsException } from './exception.ts';
import { readFilter } from './filter.ts';
import type { Where } from './filter.ts';

/** A reference system asked for or answered in. */
export interface Crs {
  readonly epsg: 25832 | 4326;
  /** As it is written in the answer. */
  readonly name: string;
  /** The URN and http forms of 4326 put latitude first; 25832 is east, north in every form. */
  readonly latitudeFirst: boolean;
}

export interface SortKey {
  readonly attribute: string;
  readonly descending: boolean;
}

export interface FeatureQuery {
  readonly layer: LayerId;
  readonly count: number | null;
  readonly startIndex: number;
  readonly sortBy: readonly SortKey[];
  readonly hits: boolean;
  /** Always EPSG:25832. */
  readonly bbox: Box | null;
  readonly resourceIds: readonly string[] | null;
  /** `filter`: one attribute equal to one of some values. */
  readonly where: Where | null;
  readonly properties: readonly string[] | null;
  readonly crs: Crs;
  readonly output: 'gml' | 'geojson';
}

export type WfsQuery =
  | { readonly operation: 'capabilities' }
  | { readonly operation: 'schema'; readonly layers: readonly LayerId[] }
  | { readonly operation: 'features'; readonly query: FeatureQuery };

export type Parameters = ReadonlyMap<string, string>;

/** Parameter names in lower case; the last of a repeated name counts. */
export function readParameters(search: URLSearchParams): Parameters {
  return new Map([...search].map(([name, value]) => [name.toLowerCase(), value]));
}

/** @throws WfsException for what a WFS would refuse. */
export function readQuery(host: SampleHost, parameters: Parameters): WfsQuery {
  const service = parameters.get('service');
  if (service !== undefined && service.toUpperCase() !== 'WFS') {
    throw new WfsException('InvalidParameterValue', `No service ${service} here`, 'service');
  }
  const request = parameters.get('request');
  if (request === undefined || request === '') {
    throw new WfsException('MissingParameterValue', 'Could not determine the request', 'request');
  }
  switch (request.toLowerCase()) {
    case 'getcapabilities':
      return { operation: 'capabilities' };
    case 'describefeaturetype':
      checkVersion(parameters);
      return { operation: 'schema', layers: readTypes(host, parameters, host.layers) };
    case 'getfeature':
      checkVersion(parameters);
      return { operation: 'features', query: readFeatureQuery(host, parameters) };
    default:
      throw new WfsException('OperationNotSupported', `No such operation ${request}`, 'request');
  }
}

function checkVersion(parameters: Parameters): void {
  const version = parameters.get('version');
  if (version !== undefined && !version.startsWith('2.0')) {
    throw new WfsException('VersionNegotiationFailed', 'Only WFS 2.0.0 is spoken here', 'version');
  }
}

function readTypes(
  host: SampleHost,
  parameters: Parameters,
  fallback: readonly LayerId[],
): readonly LayerId[] {
  const text = parameters.get('typenames') ?? parameters.get('typename') ?? '';
  if (text === '') return fallback;
  return text.split(',').map((name) => {
    const layer = layerNamed(host, name.trim());
    if (layer !== null) return layer;
    throw new WfsException('InvalidParameterValue', `Feature type ${name} unknown`, 'typeName');
  });
}

function readFeatureQuery(host: SampleHost, parameters: Parameters): FeatureQuery {
  for (const name of ['cql_filter', 'storedquery_id']) {
    // A filter that is passed over would answer more than was asked for.
    if (parameters.has(name)) {
      throw new WfsException('OptionNotSupported', `${name} is not supported by the sample`, name);
    }
  }
  const resourceIds = readList(parameters.get('resourceid') ?? parameters.get('featureid'));
  const layers = readTypes(host, parameters, typesOfIds(host, resourceIds));
  const layer = layers[0];
  if (layer === undefined || layers.length > 1) {
    throw new WfsException('MissingParameterValue', 'Name one feature type', 'typeNames');
  }
  const crs = readCrs(parameters.get('srsname'), sourceOf(layer).srsName);
  return {
    layer,
    count: readWhole(parameters, ['count', 'maxfeatures']),
    startIndex: readWhole(parameters, ['startindex']) ?? 0,
    sortBy: readSort(layer, parameters.get('sortby')),
    hits: readResultType(parameters),
    bbox: readBbox(parameters.get('bbox')),
    resourceIds,
    where: readFilter(layer, parameters.get('filter')),
    properties: readList(parameters.get('propertyname')),
    crs,
    output: readOutput(parameters.get('outputformat')),
  };
}

function typesOfIds(host: SampleHost, ids: readonly string[] | null): readonly LayerId[] {
  const names = new Set((ids ?? []).map((id) => id.split('.')[0] ?? ''));
  return [...names].map((name) => layerNamed(host, name)).filter((layer) => layer !== null);
}

function readList(text: string | undefined): readonly string[] | null {
  if (text === undefined || text === '') return null;
  return text.split(',').map((item) => item.trim().replace(/^.*[:/]/, ''));
}

function readWhole(parameters: Parameters, names: readonly string[]): number | null {
  for (const name of names) {
    const text = parameters.get(name);
    if (text === undefined || text === '') continue;
    if (!/^\d{1,9}$/.test(text)) {
      throw new WfsException('InvalidParameterValue', `${name} must be a whole number`, name);
    }
    return Number(text);
  }
  return null;
}

function readResultType(parameters: Parameters): boolean {
  const text = parameters.get('resulttype')?.toLowerCase() ?? 'results';
  if (text === 'hits' || text === 'results') return text === 'hits';
  throw new WfsException('InvalidParameterValue', 'resultType is hits or results', 'resultType');
}

function readSort(layer: LayerId, text: string | undefined): SortKey[] {
  if (text === undefined || text.trim() === '') return [];
  return text.split(',').map((item) => {
    const [name = '', direction = 'ASC'] = item.trim().split(/[ +]+/);
    const attribute = name.replace(/^[^:]*:/, '');
    if (!Object.hasOwn(schemaOf(layer), attribute)) {
      throw new WfsException('InvalidParameterValue', `No attribute ${name} to sort by`, 'sortBy');
    }
    if (!/^(A|ASC|D|DESC)$/i.test(direction)) {
      throw new WfsException('InvalidParameterValue', `No order ${direction}`, 'sortBy');
    }
    return { attribute, descending: direction.toUpperCase().startsWith('D') };
  });
}

const CRS_FORMS = [
  { pattern: /^EPSG:(\d+)$/i, axisByEpsg: false },
  { pattern: /^urn:ogc:def:crs:EPSG:[\d.]*:(\d+)$/i, axisByEpsg: true },
  { pattern: /^urn:x-ogc:def:crs:EPSG:(\d+)$/i, axisByEpsg: true },
  { pattern: /^http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/(\d+)$/i, axisByEpsg: true },
  { pattern: /^http:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#(\d+)$/i, axisByEpsg: false },
] as const;

function readCrs(text: string | undefined, fallback: string): Crs {
  const name = text === undefined || text === '' ? fallback : text;
  for (const { pattern, axisByEpsg } of CRS_FORMS) {
    const epsg = Number(pattern.exec(name)?.[1] ?? 0);
    // The short form is not one GML knows: GeoServer answers it with the oldest http form.
    const written = /^EPSG:/i.test(name) ? `http://www.opengis.net/gml/srs/epsg.xml#${epsg}` : name;
    if (epsg === 25832) return { epsg, name: written, latitudeFirst: false };
    if (epsg === 4326) return { epsg, name: written, latitudeFirst: axisByEpsg };
  }
  throw new WfsException('InvalidParameterValue', `Reference system ${name} unknown`, 'srsName');
}

function readBbox(text: string | undefined): Box | null {
  if (text === undefined || text === '') return null;
  const parts = text.split(',');
  const numbers = parts.slice(0, 4).map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (parts.length < 4 || parts.length > 5 || !numbers.every(Number.isFinite)) {
    throw new WfsException('InvalidParameterValue', 'bbox is minx,miny,maxx,maxy[,crs]', 'bbox');
  }
  const [a, b, c, d] = [at(numbers, 0), at(numbers, 1), at(numbers, 2), at(numbers, 3)];
  if (a > c || b > d) {
    throw new WfsException('InvalidParameterValue', 'bbox: the minimum is above', 'bbox');
  }
  const crs = readCrs(parts[4], 'EPSG:25832');
  if (crs.epsg === 25832) return { minX: a, minY: b, maxX: c, maxY: d };
  const [minLon, minLat, maxLon, maxLat] = crs.latitudeFirst ? [b, a, d, c] : [a, b, c, d];
  return boxAround(minLon, minLat, { maxLon, maxLat });
}

/** The box in metres round a box in degrees: by its corners, as GeoServer reprojects envelopes. */
function boxAround(
  minLon: number,
  minLat: number,
  { maxLon, maxLat }: { readonly maxLon: number; readonly maxLat: number },
): Box {
  const corners = [minLon, maxLon].flatMap((lon) =>
    [minLat, maxLat].map((lat) => toUtm32({ lon, lat })),
  );
  const xs = corners.map((corner) => corner.xUtm32);
  const ys = corners.map((corner) => corner.yUtm32);
  return {
    minX: Math.min(...xs),
    minY: Math.min(...ys),
    maxX: Math.max(...xs),
    maxY: Math.max(...ys),
  };
}

function readOutput(text: string | undefined): 'gml' | 'geojson' {
  if (text === undefined || text === '') return 'gml';
  if (/^(application\/(geo\+)?json|json)\b/i.test(text)) return 'geojson';
  if (/^(gml32?|application\/gml\+xml|text\/xml)\b/i.test(text)) return 'gml';
  throw new WfsException('InvalidParameterValue', `Cannot write ${text}`, 'outputFormat');
}
