/** Job files and progress (D11, D73). */
import { Type } from 'typebox';
import { DIALECTS } from '../../../jobs/files/made-file.ts';
import { FILE_FORMATS } from '../../../jobs/files/file.ts';
import type { FileKind } from '../../../jobs/files/file.ts';
import {
  KEYED_BATCH_STATUSES,
  KEY_SECURITY,
  NOT_MODIFIED,
  errors,
  idOf,
  oneOf,
  query,
} from '../../../core/question/schemas.ts';

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const common = { tags: ['jobs'], security: KEY_SECURITY, querystring: query({}) };
const params = idOf('job');
const file = { type: 'string', format: 'binary' } as const;
const FILES = {
  'text/csv': { schema: file },
  'application/x-ndjson': { schema: file },
  'application/geo+json': { schema: file },
  [WORKBOOK_TYPE]: { schema: file },
};

const ABOUT: Readonly<Record<FileKind, string>> = {
  results:
    'csv (RFC 4180, UTF-8 with a byte order mark): your columns, raekke (the number of the row), ' +
    "then the answer's. ndjson: a line a row, { raekke, generation, input, svar }, svar being what " +
    'the route of the kind answers. geojson: a feature a row, the columns of the csv as its properties; ' +
    'numbers are numbers, what is empty is null. A cell of a csv that a ' +
    "spreadsheet would run as a formula begins with '. xlsx: a workbook with the sheets Svar, Fejl and " +
    'Om (kind, times, generation, source); what is a text in JSON is one in it (0093), numbers are ' +
    'numbers, and a date of yours (2026-01-31, 2026-01-31T12:00:00) is one.',
  errors:
    'csv: your columns, raekke (the number of the row), error and status. ndjson: a line a row, ' +
    '{ raekke, generation, input, error, status }. xlsx: a workbook with the sheets Fejl and Om. Rows ' +
    'that failed cost nothing.',
};

const allRows = Type.Optional(
  oneOf(
    ['alle'],
    'csv and xlsx: every row in the order it came, in one file. After raekke comes status (200 for an ' +
      'answer, else what the error says; empty where the job has not come to the row) and fejl.',
  ),
);

export function fileRoute(which: FileKind) {
  return {
    operationId: which === 'results' ? 'jobResults' : 'jobErrors',
    summary:
      which === 'results' ? 'The answered rows of a job as a file' : 'Its failed rows as a file',
    description:
      `${ABOUT[which]} Of a job that has not ended: the rows that are on file, in their order. ` +
      'Range with If-Range goes on where a download of csv, ndjson or geojson broke off. A file that is ' +
      'made while it is sent (xlsx, dialekt, raekker) comes whole: Accept-Ranges is none, its ETag is ' +
      'weak, it has no Content-Length, and Range is ignored.',
    ...common,
    params,
    querystring: query({
      format: Type.Optional(oneOf(FILE_FORMATS, 'csv where absent.')),
      dialekt: Type.Optional(
        oneOf(
          DIALECTS,
          'da: a csv as Danish spreadsheets open it, with semicolons, decimal commas, CRLF and a byte order ' +
            'mark; the columns of x and y are written as numbers. ord: that, or an xlsx, with headings and ' +
            'verdicts in the words of a caseworker (Inden for skovbyggelinje: ja, nej, kunne ikke svares). ' +
            'Without it: comma and decimal point.',
        ),
      ),
      ...(which === 'results' && { raekker: allRows }),
    }),
    response: {
      200: { description: 'The whole file.', content: FILES },
      206: { description: 'The range of it that was asked for.', content: FILES },
      304: NOT_MODIFIED,
      ...errors(...KEYED_BATCH_STATUSES, 400, 404, 412, 416),
    },
  };
}

export const eventsRoute = {
  operationId: 'jobEvents',
  summary: 'The progress of a job as server-sent events',
  description:
    'An event progress with { job, rowsPerSecond, estimatedCompletionAt } at once and whenever the ' +
    'job has moved; rowsPerSecond and estimatedCompletionAt are null while they are not known. It ' +
    'ends with an event end when the job has ended, and after ten minutes without one: then open ' +
    'it again.',
  ...common,
  params,
  response: {
    200: {
      description: 'The events.',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
    ...errors(...KEYED_BATCH_STATUSES, 400, 404),
  },
};
