/** Names of fields are the interface's (Job; D11, D70 to D76). */
import { Type } from 'typebox';
import { KINDS, ROLES, SRIDS, STATUSES } from '../../../core/rows/job-types.ts';
import type { RoleColumns, Srid } from '../../../core/rows/job-types.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { JOB_LIMITS } from '../../../jobs/limits.ts';
import { WORKBOOK_TYPE } from './file-schema.ts';
import {
  KEYED_BATCH_STATUSES,
  KEY_SECURITY,
  closed,
  errors,
  idOf,
  nullable,
  oneOf,
  query,
  ref,
  textWithin,
  wholeWithin,
} from '../../../core/question/schemas.ts';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const instant = Type.String({ format: 'date-time' });
const srid = Type.Unsafe<Srid>({
  type: 'number',
  enum: [...SRIDS],
  description: 'Coordinate system of x and y; 4326 (x is longitude) where absent.',
});

export const JobSchema = closed(
  {
    id: text,
    kind: oneOf(KINDS),
    status: oneOf(STATUSES),
    label: nullable(text),
    totalRows: count,
    processedRows: Type.Integer({
      minimum: 0,
      description: 'Rows with an answer or an error on file.',
    }),
    succeeded: count,
    failed: count,
    billedUnits: Type.Integer({
      minimum: 0,
      description: 'Successful rows billed; 0 for a test key.',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    columns: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: "Role to the caller's column: as named, and from the start on as found.",
    }),
    srid: { ...srid, description: 'Coordinate system of x and y.' },
    inputColumns: Type.Array(text),
    error: nullable(
      Type.String({
        description: 'Why the job failed, or why the service paused or cancelled it; else null.',
      }),
    ),
    createdAt: instant,
    updatedAt: instant,
    startedAt: nullable(instant),
    completedAt: nullable(instant),
    resultsAvailable: Type.Boolean({
      description: 'False once the rows are deleted after the retention period.',
    }),
  },
  { $id: 'Job', description: 'A list of rows that is answered in the background.' },
);

const JobAnswerSchema = closed(
  {
    job: ref('Job'),
    advarsler: Type.Optional(
      Type.Array(text, {
        description:
          'Columns that look like a part of an address and are not read (a row that one may decide is at most ' +
          'category C), and titles above the head that were passed over, each in a sentence; absent where there ' +
          'is none.',
      }),
    ),
  },
  { $id: 'JobSvar' },
);
const JobListSchema = closed({ jobs: Type.Array(ref('Job')) }, { $id: 'JobListe' });

const RowSchema = {
  type: 'object',
  propertyNames: {
    type: 'string',
    minLength: JOB_LIMITS.columnChars.min,
    maxLength: JOB_LIMITS.columnChars.max,
  },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: JOB_LIMITS.valueChars },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
    ],
  },
};

const rows = (minItems: number) =>
  Type.Unsafe<readonly unknown[]>({
    type: 'array',
    minItems,
    maxItems: JOB_LIMITS.rowsPerAppend.max,
    items: RowSchema,
  });

const roleName = {
  type: 'string',
  minLength: JOB_LIMITS.columnChars.min,
  maxLength: JOB_LIMITS.columnChars.max,
} as const;

const roles = Type.Unsafe<RoleColumns>({
  type: 'object',
  properties: Object.fromEntries(ROLES.map((role) => [role, roleName])),
  additionalProperties: false,
  description:
    'Role to the name of your column. A role that is not named is found where a column has its name; bogstav, ' +
    'etage, doer, postnr and by also by a heading that says so (litra, sal, side, postnummer, city).',
});

export const JOB_SCHEMAS = [JobSchema, JobAnswerSchema, JobListSchema] as const;

const common = { tags: ['jobs'], security: KEY_SECURITY, querystring: query({}) };

const onceHeader = Type.Object({
  'idempotency-key': Type.Optional(
    textWithin(
      JOB_LIMITS.idempotencyKeyChars,
      'The same key and body within 24 hours repeat the first answer (Idempotency-Replayed: ' +
        'true) and do nothing again; another body is 409.',
    ),
  ),
});

const params = idOf('job');

const STATUS = [...KEYED_BATCH_STATUSES, 400] as const;

const answer = (description: string) => ({ ...ref('JobSvar'), description });

export const createJobRoute = {
  operationId: 'createJob',
  summary: 'Makes a job, with rows or without, started or a draft',
  description:
    'Every kind takes an address: adresse, or vej, husnr and postnr or by, with etage and doer. A row without x and ' +
    'y, bfe or adgangsadresse_id is answered for the address that is sure or nearly sure (category A or B); ' +
    'otherwise its error is 404 and names up to three of the nearest. An answered row costs one unit, with its ' +
    'address found in the same unit; a row with an error costs nothing.',
  ...common,
  headers: onceHeader,
  body: {
    content: {
      'application/json': {
        schema: closed({
          kind: oneOf(KINDS),
          rows: Type.Optional(rows(0)),
          columns: Type.Optional(roles),
          srid: Type.Optional(srid),
          label: Type.Optional(textWithin(JOB_LIMITS.labelChars)),
          start: Type.Optional(
            Type.Boolean({
              description: 'Default true: it starts at once, unless it comes without rows.',
            }),
          ),
        }),
      },
    },
  },
  response: { 201: answer('The job.'), ...errors(...STATUS, 409, 413, 415) },
};

export const appendRowsRoute = {
  operationId: 'appendJobRows',
  summary: 'Adds rows to a draft: JSON, a CSV with a header, NDJSON, or a workbook (.xlsx)',
  description:
    `A body has at most ${JOB_LIMITS.bodyBytes / 1024 / 1024} MiB, of JSON at most ` +
    `${JOB_LIMITS.rowsPerAppend.max} rows; a job has at most ${JOB_LIMITS.rowsPerJob} rows. All of a body is ` +
    'added or nothing. A CSV has its delimiter (; , tab or |) from its header, and is UTF-8, ' +
    'Windows-1252 or UTF-16, or Mac Roman by charset=macintosh. Of a workbook the one sheet that is shown and has rows is read: its first ' +
    'row under titles names the columns, formulas give their results, dates become texts (2026-01-31), numbers stay ' +
    'numbers; hidden sheets are left alone, merged cells in the head or under it are refused.',
  ...common,
  params,
  querystring: query({
    ark: Type.Optional(
      textWithin(
        JOB_LIMITS.workbook.sheetNameChars,
        'Of a workbook: the name of the sheet to read, where several have rows.',
      ),
    ),
    overskrift: Type.Optional(
      wholeWithin(
        JOB_LIMITS.headRow,
        'Of a CSV or a workbook: the row that names the columns. Absent: the first that is not blank, or the one ' +
          'under up to five titles, each a text alone in its row; advarsler then says which.',
      ),
    ),
  }),
  headers: onceHeader,
  body: {
    content: {
      'application/json': { schema: closed({ rows: rows(JOB_LIMITS.rowsPerAppend.min) }) },
      'text/csv': { schema: Type.String({ description: 'A header, then a line a row.' }) },
      'application/x-ndjson': { schema: Type.String({ description: 'A JSON object a line.' }) },
      [WORKBOOK_TYPE]: {
        schema: Type.String({ description: 'The bytes of a workbook, as spreadsheets save it.' }),
      },
    },
  },
  response: { 200: answer('The job with its new rows.'), ...errors(...STATUS, 404, 409, 413, 415) },
};

export const listJobsRoute = {
  operationId: 'jobs',
  summary: "The account's jobs, the newest first",
  ...common,
  querystring: query({
    limit: Type.Optional(
      wholeWithin(
        { min: 1, max: JOB_LIMITS.perPage.max },
        `How many at most; ${JOB_LIMITS.perPage.default} where absent.`,
      ),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: LIMITS.pathParameterChars,
        description:
          'Those older than the job of this id: how the header Link names the next page.',
      }),
    ),
    status: Type.Optional(oneOf(STATUSES, 'Only those of this status.')),
  }),
  response: {
    200: {
      ...ref('JobListe'),
      headers: { Link: { type: 'string', description: 'rel="next" while there are more.' } },
    },
    ...errors(...STATUS, 404),
  },
};

export const jobRoute = {
  operationId: 'job',
  summary: 'One job and how far it is',
  ...common,
  params,
  response: { 200: answer('The job.'), ...errors(...STATUS, 404) },
};

const SUMMARIES = {
  start: 'Starts a draft; its rows must have the columns its kind needs. Bills the key that asks',
  pause: 'Pauses a running job after the rows that are being answered',
  resume: 'Goes on with a paused job, and bills the key that asks for the rest',
  cancel: 'Ends a job; rows that are answered stay',
} as const;

export function actionRoute(action: keyof typeof SUMMARIES) {
  return {
    operationId: `${action}Job`,
    summary: SUMMARIES[action],
    ...common,
    params,
    body: nullable(closed({})),
    response: { 200: answer('The job after it.'), ...errors(...STATUS, 404, 409, 413, 415) },
  };
}

export const deleteJobRoute = {
  operationId: 'deleteJob',
  summary: 'Deletes a draft or an ended job with its rows and files',
  ...common,
  params,
  response: {
    204: Type.Null({ description: 'It is gone.' }),
    ...errors(...STATUS, 404, 409, 413, 415),
  },
};
