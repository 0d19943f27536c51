/** Schemas of usage. English, as the events are. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ENVIRONMENTS } from '../../../account/plans.ts';
import { closed, errors, oneOf, query } from '../../../core/question/schemas.ts';

const count = Type.Integer({ minimum: 0 });

const month = Type.Optional(
  Type.String({
    pattern: '^(19[789]|2\\d\\d)\\d-(0[1-9]|1[0-2])$',
    description: 'A month of Danish time, such as 2026-03. Default: the one that runs.',
  }),
);

const TotalSchema = closed({
  units: count,
  requests: count,
  allowance: Type.Integer({ minimum: 0, description: 'Units the plan includes.' }),
  ceiling: Type.Integer({ minimum: 0, description: 'Units after which calls are refused.' }),
  overage_units: Type.Integer({ minimum: 0, description: 'Beyond the allowance; billed apart.' }),
});

const common = {
  tags: ['me'],
  security: [{ session: [] }, { apiKey: [] }, { queryToken: [] }],
};
const failures = errors(400, 401, 403, 429, 503);

export const usageRoute = {
  ...common,
  operationId: 'usage',
  summary: 'Units used in a month, by day, key and operation; a second or two behind the answers',
  querystring: query({ month }),
  response: {
    200: closed({
      month: Type.String({ description: 'In Europe/Copenhagen.' }),
      live: TotalSchema,
      test: TotalSchema,
      days: Type.Array(
        closed({
          day: Type.String({ format: 'date' }),
          key_id: Type.String(),
          operation: Type.String(),
          environment: oneOf(ENVIRONMENTS),
          units: count,
          requests: count,
        }),
      ),
    }),
    ...failures,
  },
};

export const LINE_FORMATS = ['csv', 'ndjson'] as const;

const text = { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) };

export const usageLinesRoute = {
  ...common,
  operationId: 'usageLines',
  summary: 'The lines a month is billed by: their units add up to what the month has',
  description:
    'One line an answered request of a live key, oldest first: time, request_id, operation, units, ' +
    'generation, key_id. Streamed; an answer that breaks off is not whole. In the CSV a cell that a ' +
    "spreadsheet would run as a formula begins with '.",
  querystring: query({ month, format: Type.Optional(oneOf(LINE_FORMATS, 'Default: csv.')) }),
  response: {
    200: {
      description: 'The lines.',
      content: { 'text/csv': text, 'application/x-ndjson': text },
    },
    ...failures,
  },
};
