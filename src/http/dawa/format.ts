/** What is asked of the form of an answer. */
import type { Format } from '../wire/row-formats.ts';
import { badParameter } from './failure.ts';
import type { Params } from './params.ts';

const STRUCTURES = ['nestet', 'flad', 'mini'] as const;
const FORMATS = ['json', 'jsonp', 'geojson', 'geojsonz', 'csv', 'ndjson'] as const;
/** Nothing else becomes part of a script. */
const CALLBACK = /^[A-Za-z_$][\w$]{0,99}(?:\.[A-Za-z_$][\w$]{0,99}){0,5}$/;

export function formatOf(params: Params): Format {
  const format = params.oneOf('format', FORMATS);
  const callback = params.text('callback', 300);
  if (callback !== null && !CALLBACK.test(callback)) {
    throw badParameter('callback', 'not a name of a function');
  }
  const isLines = params.flag('ndjson');
  const given = WRITTEN[format ?? 'json'];
  return {
    ...{ isLines, isFile: params.flag('download') },
    format: isLines && given === 'json' ? 'ndjson' : given,
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
