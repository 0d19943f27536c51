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

const REQUEST = { service: 'WFS', version: '2.0.0' } as const;
const OUTPUT_FORMATS = { geojson: 'application/json', gml: null } as const;

interface Upstream {
  readonly url: string;
  readonly apiKeyParameter: string | null;
}

type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** Keeps the source's own query string (MapServer's `map=`). */
export function upstreamUrl(of: Upstream, apiKey: string | null, parameters: Parameters): URL {
  const url = new URL(of.url);
  const key = of.apiKeyParameter === null ? {} : { [of.apiKeyParameter]: apiKey };
  for (const [name, value] of Object.entries({ ...parameters, ...key })) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

export function featureUrl(source: WfsSource, query: FeatureQuery, apiKey: string | null): URL {
  const conditions = query.where ? [query.where] : (source.anyOf ?? []);
  return upstreamUrl(source, apiKey, {
    ...REQUEST,
    request: 'GetFeature',
    typeNames: source.typeName,
    srsName: source.srsName,
    // GeoServer's and MapServer's default for 2.0.0 is GML 3.2; hits are in XML.
    ...(query.hits === true
      ? { resultType: 'hits' }
      : { outputFormat: OUTPUT_FORMATS[source.format] }),
    count: query.count,
    startIndex: query.startIndex,
    sortBy: query.sortBy,
    filter: conditions.length > 0 ? filterText(conditions) : null,
    bbox: query.bbox ? bboxText(query.bbox, source.srsName) : null,
  });
}

export function descriptionUrl(source: WfsSource, apiKey: string | null): URL {
  const { typeName: typeNames } = source;
  return upstreamUrl(source, apiKey, { ...REQUEST, request: 'DescribeFeatureType', typeNames });
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
