/** The addresses of WFS 2.0 requests. What is built here holds the key: it is never shown. */
import type { WfsSource } from '../layers/source.ts';

/** A window in EPSG:25832, metres. */
export interface Bbox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export interface FeatureQuery {
  /** Features asked for; null leaves it to the server. */
  readonly count?: number | null;
  readonly startIndex?: number | null;
  /** Property to order by; null asks for no order. */
  readonly sortBy?: string | null;
  readonly bbox?: Bbox | null;
  /** Only the number of features. */
  readonly hits?: boolean;
}

const OUTPUT_FORMATS = { geojson: 'application/json', gml: null } as const;

/** A GetFeature address. The source's own query string (MapServer's `map=`) is kept. */
export function featureUrl(source: WfsSource, query: FeatureQuery, apiKey: string | null): URL {
  const url = new URL(source.url);
  const set = (name: string, value: string | number | null | undefined): void => {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  };
  set('service', 'WFS');
  set('version', '2.0.0');
  set('request', 'GetFeature');
  set('typeNames', source.typeName);
  set('srsName', source.srsName);
  if (query.hits === true) set('resultType', 'hits');
  // GeoServer's and MapServer's own default for 2.0.0 is GML 3.2; hits are answered in XML.
  else set('outputFormat', OUTPUT_FORMATS[source.format]);
  set('count', query.count);
  set('startIndex', query.startIndex);
  set('sortBy', query.sortBy);
  if (query.bbox) set('bbox', bboxText(query.bbox, source.srsName));
  if (source.apiKeyParameter !== null) set(source.apiKeyParameter, apiKey);
  return url;
}

/**
 * `minx,miny,maxx,maxy,crs`. EPSG:25832 is east-north in the short form and in the URN form alike,
 * so the fifth part is the source's own `srsName` and never turns the axes.
 */
function bboxText({ minX, minY, maxX, maxY }: Bbox, srsName: string): string {
  return [minX, minY, maxX, maxY, srsName].join(',');
}
