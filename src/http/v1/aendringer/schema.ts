/** The change log and extracts (D158, D225 to D227, D252 to D254). */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { CHANGE_LIMITS } from '../../../changes/limits.ts';
import { MAX_NUMBER } from '../../../changes/log.ts';
import { OPERATIONS } from '../../../changes/types.ts';
import { listParameter } from '../../../core/question/lists.ts';
import {
  KEYED_STATUSES,
  KEY_SECURITY,
  MetaRef,
  NOT_MODIFIED,
  closed,
  errors,
  lookupAnswer,
  nullable,
  oneOf,
  query,
  wholeWithin,
} from '../../../core/question/schemas.ts';
import { FOLLOWED } from './registers.ts';

const common = { tags: ['aendringer'], security: KEY_SECURITY };
const text = Type.String();
const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_NUMBER, description });
const row = nullable(
  Type.Object({}, { additionalProperties: true, description: 'By the names of the register.' }),
);
const lines = { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) };

const LINES_TYPE = 'application/x-ndjson';

const FeedSchema = closed({
  transaktioner: Type.Array(
    closed({
      nr: number('The generation that the publication made; it never goes back.'),
      tidspunkt: Type.String({ format: 'date-time', description: 'When it was published here.' }),
      register: text,
      udtraek: nullable(
        Type.String({
          description:
            'The log of the register begins here: take this extract, of this transaction or a later one. Else null.',
        }),
      ),
      haendelser: Type.Array(
        closed({
          nr: number('Of the event: no number is left out, but that of a start.'),
          operation: oneOf(
            OPERATIONS,
            'ulaeselig: the object cannot be read; it has not ended, and nothing is answered of it.',
          ),
          entitet: text,
          noegle: text,
          foer: row,
          efter: row,
          virkning_fra: nullable(Type.String({ format: 'date-time' })),
        }),
      ),
    }),
  ),
  naeste: number('Give it as efter to go on.'),
  seneste: number('The latest event.'),
  meta: MetaRef,
});

export const feedRoute = {
  ...common,
  operationId: 'aendringer',
  summary: 'What publications have changed since an event',
  description:
    'Every inserted, changed or ended row of the registers that the key may read, in the order of their ' +
    'publication. Changes are kept as long as histories, at least 400 days: who comes later is answered 410. ' +
    'Costs one unit for each 1,000 events begun. In NDJSON each line is an event with its transaction, and Link ' +
    'tells where to go on.',
  querystring: query({
    efter: number('The last event that you have; 0 at first.'),
    register: listParameter(
      'Keys as in /v1/status, with | between them; absent: all that the key may read.',
      FOLLOWED.join('|'),
    ),
    antal: Type.Optional(
      wholeWithin(
        CHANGE_LIMITS.events,
        `Events at most; default ${CHANGE_LIMITS.events.default}. An answer of many megabytes has fewer.`,
      ),
    ),
    vent: Type.Optional(
      wholeWithin(
        { min: 0, max: CHANGE_LIMITS.waitS },
        'Seconds to wait for an event where there is none; default 0.',
      ),
    ),
    format: Type.Optional(oneOf(['json', 'ndjson'], 'Default: by Accept, else json.')),
  }),
  response: {
    200: lookupAnswer(
      {
        description: 'The changes.',
        content: { 'application/json': { schema: FeedSchema }, [LINES_TYPE]: lines },
      },
      'areas',
    ),
    ...errors(...KEYED_STATUSES, 409, 410),
  },
};

export const latestRoute = {
  ...common,
  operationId: 'aendringerSeneste',
  summary: 'The latest transaction and event',
  description: 'Costs no unit.',
  querystring: query({}),
  response: {
    200: lookupAnswer(
      closed({
        transaktion: number('0: nothing was published yet.'),
        haendelse: number('Of that transaction the last.'),
        tidspunkt: nullable(Type.String({ format: 'date-time' })),
        meta: MetaRef,
      }),
      'areas',
    ),
    ...errors(...KEYED_STATUSES),
  },
};

export const extractRoute = {
  ...common,
  operationId: 'udtraek',
  summary: 'All rows of a register as they were after a transaction',
  description:
    'Streamed, in no order and without ranges; an answer that breaks off is not whole. Link tells from which event the log goes on. ' +
    'In NDJSON a line is { entitet, noegle, ulaeselig, raekke }; raekke is null for an object that could not be read. ' +
    'CSV is of one entity. Costs one unit for each 1,000 rows begun of those in service.',
  params: closed({ register: oneOf(FOLLOWED, 'A key as in /v1/status.') }),
  querystring: query({
    transaktion: Type.Optional(number('Default: the latest.')),
    entitet: Type.Optional(
      Type.String({ maxLength: 60, description: 'A table of the register; default: all.' }),
    ),
    format: Type.Optional(oneOf(['ndjson', 'csv'], 'Default: ndjson.')),
  }),
  response: {
    200: lookupAnswer(
      { description: 'The rows.', content: { [LINES_TYPE]: lines, 'text/csv': lines } },
      'areas',
    ),
    304: NOT_MODIFIED,
    ...errors(...KEYED_STATUSES, 409, 410),
  },
};
