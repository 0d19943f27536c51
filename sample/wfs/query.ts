/**
 * Reads WFS 2.0 key-value requests, as much of them as the service and GDAL ask. Names are
 * case-insensitive; what is not read here is refused by name.
 */
import type { LayerId } from '../../src/layers/keys.ts';
import type { Box } from '../data/geometry.ts';
import { schemaOf } from '../data/schemas.ts';
import type { SampleHost } from '../hosts.ts';
import type { Parameters } from '../http.ts';
import { layerNamed, sourceOf } from '../hosts.ts';
import { WfsException } from './exception.ts';
import { readFilter } from './filter.ts';
import type { Where } from './filter.ts';

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
  readonly bbox: Box | null;
  /** `filter`: one attribute equal to one of some values. */
  readonly where: Where | null;
  /** EPSG:25832 as it is written in the answer. */
  readonly srsName: string;
  readonly output: 'gml' | 'geojson';
}

export type WfsQuery =
  | { readonly operation: 'capabilities' }
  | { readonly operation: 'schema'; readonly layers: readonly LayerId[] }
  | { readonly operation: 'features'; readonly query: FeatureQuery };

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
      return { operation: 'schema', layers: readTypes(host, parameters) };
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

function readTypes(host: SampleHost, parameters: Parameters): readonly LayerId[] {
  const text = parameters.get('typenames') ?? parameters.get('typename') ?? '';
  if (text === '') return host.layers;
  return text.split(',').map((name) => {
    const layer = layerNamed(host, name.trim());
    if (layer !== null) return layer;
    throw new WfsException('InvalidParameterValue', `Feature type ${name} unknown`, 'typeName');
  });
}

/** One that is passed over would make the answer another than was asked for. */
const REFUSED = ['cql_filter', 'storedquery_id', 'resourceid', 'featureid', 'propertyname'];

function readFeatureQuery(host: SampleHost, parameters: Parameters): FeatureQuery {
  const refused = REFUSED.find((name) => parameters.has(name));
  if (refused !== undefined) {
    throw new WfsException('OptionNotSupported', `${refused} is not read by the sample`, refused);
  }
  const [layer, ...others] = readTypes(host, parameters);
  if (layer === undefined || others.length > 0) {
    throw new WfsException('MissingParameterValue', 'Name one feature type', 'typeNames');
  }
  return {
    layer,
    count: readWhole(parameters, 'count'),
    startIndex: readWhole(parameters, 'startindex') ?? 0,
    sortBy: readSort(layer, given(parameters, 'sortby')),
    hits: readResultType(parameters),
    bbox: readBbox(given(parameters, 'bbox')),
    where: readFilter(layer, parameters.get('filter')),
    srsName: readCrs(given(parameters, 'srsname') ?? sourceOf(layer).srsName),
    output: readOutput(given(parameters, 'outputformat')),
  };
}

/** A parameter without a value is one that is not there. */
function given(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.trim() || undefined;
}

function readWhole(parameters: Parameters, name: string): number | null {
  const text = given(parameters, name);
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new WfsException('InvalidParameterValue', `${name} must be a whole number`, name);
}

function readResultType(parameters: Parameters): boolean {
  const text = parameters.get('resulttype')?.toLowerCase() ?? 'results';
  if (text === 'hits' || text === 'results') return text === 'hits';
  throw new WfsException('InvalidParameterValue', 'resultType is hits or results', 'resultType');
}

function readSort(layer: LayerId, text: string | undefined): SortKey[] {
  if (text === undefined) return [];
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

function readCrs(name: string): string {
  if (/^urn:ogc:def:crs:EPSG:[\d.]*:25832$/i.test(name)) return name;
  // The short form is not one GML knows: GeoServer answers it with the oldest http form.
  if (/^EPSG:25832$/i.test(name)) return 'http://www.opengis.net/gml/srs/epsg.xml#25832';
  throw new WfsException('InvalidParameterValue', `Reference system ${name} unknown`, 'srsName');
}

function readBbox(text: string | undefined): Box | null {
  if (text === undefined) return null;
  const [a, b, c, d, crs = 'EPSG:25832', ...more] = text.split(',');
  const [minX = NaN, minY = NaN, maxX = NaN, maxY = NaN] = [a, b, c, d].map(Number);
  readCrs(crs);
  if (more.length === 0 && minX <= maxX && minY <= maxY) return { minX, minY, maxX, maxY };
  throw new WfsException('InvalidParameterValue', 'bbox is minx,miny,maxx,maxy[,crs]', 'bbox');
}

function readOutput(text = 'gml'): 'gml' | 'geojson' {
  if (/^(application\/(geo\+)?json|json)\b/i.test(text)) return 'geojson';
  if (/^(gml(32)?|application\/gml\+xml|text\/xml)\b/i.test(text)) return 'gml';
  throw new WfsException('InvalidParameterValue', `Cannot write ${text}`, 'outputFormat');
}
