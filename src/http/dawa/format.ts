/** How DAWA wrote answers: JSON, JSONP, NDJSON, CSV and GeoJSON. */
import type { FastifyReply } from 'fastify';
import { csvLine } from '../wire/csv.ts';
import { badParameter } from './failure.ts';
import type { Params } from './params.ts';

type Values = Readonly<Record<string, unknown>>;

/** `flad` is what CSV and GeoJSON hold. */
export interface Shape<R> {
  readonly nestet: (row: R) => Values;
  readonly flad?: (row: R) => Values;
  /** Absent: the flat one without its box, with `label`. */
  readonly mini?: (row: R) => Values;
  readonly label?: (row: R) => string;
  /** GeoJSON. */
  readonly geometry?: (row: R) => string;
}

export interface Rows<R> {
  readonly kind: 'one' | 'list' | 'array';
  readonly rows: readonly R[];
  readonly shape: Shape<R>;
}

const STRUCTURES = ['nestet', 'flad', 'mini'] as const;
const FORMATS = ['json', 'jsonp', 'geojson', 'geojsonz', 'csv', 'ndjson'] as const;
/** Nothing else becomes part of a script. */
const CALLBACK = /^[A-Za-z_$][\w$]{0,99}(?:\.[A-Za-z_$][\w$]{0,99}){0,5}$/;

export interface Format {
  readonly format: 'json' | 'geojson' | 'csv' | 'ndjson';
  readonly structure: (typeof STRUCTURES)[number] | null;
  readonly callback: string | null;
  readonly isCompact: boolean;
  readonly srid: 4326 | 25832;
}

export function formatOf(params: Params): Format {
  const format = params.oneOf('format', FORMATS);
  const callback = params.text('callback', 300);
  if (callback !== null && !CALLBACK.test(callback)) {
    throw badParameter('callback', 'not a name of a function');
  }
  const isNd = format === null && params.has('ndjson');
  return {
    format: isNd ? 'ndjson' : WRITTEN[format ?? 'json'],
    structure:
      params.oneOf('struktur', STRUCTURES) ?? (params.flag('autocomplete') ? 'mini' : null),
    callback,
    isCompact: params.has('noformat'),
    srid: params.oneOf('srid', ['4326', '25832']) === '25832' ? 25832 : 4326,
  };
}

const WRITTEN = {
  ...{ json: 'json', jsonp: 'json', geojson: 'geojson', geojsonz: 'geojson' },
  ...{ csv: 'csv', ndjson: 'ndjson' },
} as const satisfies Record<(typeof FORMATS)[number], Format['format']>;

const JSON_TYPE = 'application/json; charset=UTF-8';

export function sendRows<R>(reply: FastifyReply, format: Format, answer: Rows<R>): FastifyReply {
  const { callback } = format;
  const [type, body] = written(format, answer);
  if (callback === null || type !== JSON_TYPE) {
    return reply.header('content-type', type).send(body);
  }
  // The comment keeps the callback from being read as another type of file.
  return reply
    .header('content-type', 'application/javascript; charset=UTF-8')
    .send(
      `/**/${callback}(${body.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});`,
    );
}

function written<R>(format: Format, answer: Rows<R>): readonly [type: string, body: string] {
  const { kind, rows, shape } = answer;
  switch (format.format) {
    case 'csv':
      return ['text/csv; charset=UTF-8', csvOf(rows.map(shape.flad ?? shape.nestet))];
    case 'geojson':
      return [JSON_TYPE, geoJsonOf(answer, format)];
    case 'ndjson': {
      const lines = rows.map((row) => JSON.stringify(valuesOf(shape, format, row)));
      return ['application/x-ndjson; charset=UTF-8', lines.map((line) => `${line}\r\n`).join('')];
    }
    case 'json':
      return [
        JSON_TYPE,
        jsonOf(
          kind,
          rows.map((row) => valuesOf(shape, format, row)),
          format,
        ),
      ];
  }
}

function valuesOf<R>(shape: Shape<R>, { structure }: Format, row: R): Values {
  if (structure === 'mini') return miniOf(shape, row);
  return (shape[structure ?? 'nestet'] ?? shape.nestet)(row);
}

function miniOf<R>({ nestet, flad, mini, label }: Shape<R>, row: R): Values {
  if (mini !== undefined) return mini(row);
  if (label === undefined || flad === undefined) return nestet(row);
  const { bbox_xmin, bbox_ymin, bbox_xmax, bbox_ymax, ...values } = flad(row);
  void [bbox_xmin, bbox_ymin, bbox_xmax, bbox_ymax];
  return { ...values, betegnelse: label(row) };
}

function jsonOf(kind: Rows<unknown>['kind'], values: readonly Values[], format: Format): string {
  const indent = format.isCompact ? 0 : 2;
  if (kind === 'one') return JSON.stringify(values[0], null, indent);
  if (kind === 'array') return JSON.stringify(values, null, indent);
  const each = values.map((value) => JSON.stringify(value, null, indent));
  return `[\n${each.join(', ')}\n]`;
}

function geoJsonOf<R>({ kind, rows, shape }: Rows<R>, { srid, structure }: Format): string {
  const { geometry } = shape;
  if (geometry === undefined) throw badParameter('format', 'geojson is not offered here');
  const properties = shape[structure ?? 'flad'] ?? shape.flad ?? shape.nestet;
  const crs = `"crs":{"type":"name","properties":{"name":"EPSG:${srid}"}}`;
  const features = rows.map((row) => {
    const own = kind === 'one' ? `,${crs}` : '';
    return `{"type":"Feature","geometry":${geometry(row)}${own},${membersOf(properties(row))}}`;
  });
  if (kind === 'one') return features[0] ?? 'null';
  const ofAll = srid === 4326 ? '' : `,${crs}`;
  return `{"type":"FeatureCollection"${ofAll},"features":[\n${features.join(',\n')}\n]}`;
}

/** A box is a member of the feature, not a property. */
function membersOf(values: Values): string {
  const { bbox_xmin: west, bbox_ymin: south, bbox_xmax: east, bbox_ymax: north, ...rest } = values;
  const box = west === undefined || west === null ? null : [west, south, east, north];
  return JSON.stringify({ properties: rest, ...(box && { bbox: box }) }).slice(1, -1);
}

function csvOf(rows: readonly Values[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return lines.map(csvLine).join('');
}
