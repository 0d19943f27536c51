/** The URLs contain the key and are never shown. */
import type { Box } from '../geo/box.ts';
import type { FeatureCondition, WfsSource } from '../layers/source.ts';

export type Where = FeatureCondition;

export interface FeatureQuery {
  readonly count?: number | null;
  readonly startIndex?: number | null;
  readonly sortBy?: string | null;
  readonly bbox?: Box | null;
  readonly where?: Where | null;
  readonly hits?: boolean;
}

const OUTPUT_FORMATS = { geojson: 'application/json', gml: null } as const;

/** Keeps the source's own query string (MapServer's `map=`). */
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
  // GeoServer's and MapServer's default for 2.0.0 is GML 3.2; hits are in XML.
  else set('outputFormat', OUTPUT_FORMATS[source.format]);
  set('count', query.count);
  set('startIndex', query.startIndex);
  set('sortBy', query.sortBy);
  const conditions = query.where ? [query.where] : (source.anyOf ?? []);
  if (conditions.length > 0) set('filter', filterText(conditions));
  if (query.bbox) set('bbox', bboxText(query.bbox, source.srsName));
  if (source.apiKeyParameter !== null) set(source.apiKeyParameter, apiKey);
  return url;
}

export function descriptionUrl(source: WfsSource, apiKey: string | null): URL {
  const url = new URL(source.url);
  url.searchParams.set('service', 'WFS');
  url.searchParams.set('version', '2.0.0');
  url.searchParams.set('request', 'DescribeFeatureType');
  url.searchParams.set('typeNames', source.typeName);
  if (source.apiKeyParameter !== null && apiKey !== null) {
    url.searchParams.set(source.apiKeyParameter, apiKey);
  }
  return url;
}

/** EPSG:25832 is east-north in either form, so the source's `srsName` never swaps axes. */
function bboxText({ minX, minY, maxX, maxY }: Box, srsName: string): string {
  return [minX, minY, maxX, maxY, srsName].join(',');
}

/** Filter Encoding 2.0, which GeoServer and MapServer read. */
function filterText(anyOf: readonly FeatureCondition[]): string {
  const equal = anyOf.flatMap(({ property, values }) =>
    values.map(
      (value) =>
        `<fes:PropertyIsEqualTo><fes:ValueReference>${escaped(property)}</fes:ValueReference>` +
        `<fes:Literal>${escaped(value)}</fes:Literal></fes:PropertyIsEqualTo>`,
    ),
  );
  const condition = equal.length === 1 ? equal.join('') : `<fes:Or>${equal.join('')}</fes:Or>`;
  return `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0">${condition}</fes:Filter>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
