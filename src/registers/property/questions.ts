/** Properties by number, one or many (D1, D2), and an invented one (D59). */
import * as jobs from './job.ts';
import { AS_OF_PATTERN, asOfMs } from '../../core/question/as-of.ts';
import { onlyAnswer, unitsOfAnswers } from '../../core/question/answers.ts';
import { question } from '../../core/question/question.ts';
import type { Answered } from '../../core/question/question.ts';
import type { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Type } from 'typebox';
import { BfeParameter, COUNTS, closed, ref } from '../../core/question/schemas.ts';
import type { PropertyAnswer } from './answers.ts';
import type { PropertyLookups } from './batches.ts';
import { fieldsIn } from './fields.ts';
import { RECORD_FIELDS } from './record-fields.ts';
import { demoProperty } from './demo.ts';
import { propertyBatchBody, recordText } from './record/batch.ts';

/** Text in a path; must be a number in a body. */
const AS_OF = {
  asOf: Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: AS_OF_PATTERN,
      examples: ['2020-12-31', '2020-12-31T12:00:00Z', '2020-12-31T12:00:00.000Z'],
      description:
        'The record as it was then: a date (the beginning of that day in Denmark) or an instant with ' +
        'its offset, of at most nine decimals of a second. Names and addresses are those of today.',
    }),
  ),
};

const PropertyBatchSchema = closed({
  results: Type.Array(
    closed({ bfe: Type.Integer(), ejendom: ref('Ejendom'), stale: Type.Boolean() }),
  ),
  errors: Type.Array(closed({ bfe: Type.Integer(), error: Type.String(), status: Type.Integer() })),
  ...COUNTS,
});

const one = question({
  key: 'bbrEjendom',
  called: { da: 'Ejendom (BBR)', en: 'Property (BBR)' },
  summary: 'A property by BFE number, with every current building on it',
  tag: 'bbr',
  danish: Object.fromEntries(
    RECORD_FIELDS.flatMap(fieldsIn).flatMap(({ description: says }) =>
      says ? [[says.en, says.da]] : [],
    ),
  ),
  params: { bfe: BfeParameter },
  query: AS_OF,
  answer: ref('Ejendom'),
  failures: [400, 404],
  path: '/v1/bbr/ejendom/:bfe',
  area: 'bbr',
  ask: async ({ properties }: PropertyLookups, { bfe, asOf }) => {
    const { value, ...facts } = await properties.find([bfe], asOfMs(asOf));
    return { value: onlyAnswer(value), facts, units: 1 };
  },
  json: recordText,
  jobKinds: Object.values(jobs),
});

type Batch =
  | Buffer
  | { readonly bfes: readonly number[]; readonly answers: readonly (PropertyAnswer | Failure)[] };

const batch = question({
  key: 'bbrEjendomBatch',
  called: { da: 'Ejendomme (BBR), flere ad gangen', en: 'Properties (BBR), many at a time' },
  summary: `Up to ${LIMITS.property.perBatch} properties by BFE number`,
  tag: 'bbr',
  query: AS_OF,
  body: closed({
    bfe: Type.Array(BfeParameter, {
      minItems: 1,
      maxItems: LIMITS.property.perBatch,
      description: 'BFE numbers; one that is named twice is answered and billed once.',
    }),
  }),
  answer: PropertyBatchSchema,
  failures: [],
  path: '/v1/bbr/ejendom:batch',
  area: 'bbr',
  bodyLimit: LIMITS.bodyBytes.numbers,
  mostUnits: ({ bfe }) => distinctOf(bfe).length,
  ask: async (
    { properties, propertyBatches }: PropertyLookups,
    { bfe, asOf },
    asker,
  ): Promise<Answered<Batch>> => {
    const asOfInstant = asOfMs(asOf);
    const bfes = distinctOf(bfe);
    const threads = asOfInstant === null ? propertyBatches : undefined;
    const rendered = (await threads?.render(bfes, asker)) ?? null;
    if (rendered !== null) return { value: rendered.body, facts: rendered, units: rendered.found };
    const { value, ...facts } = await properties.find(bfes, asOfInstant);
    return { value: { bfes, answers: value }, facts, units: unitsOfAnswers(value) };
  },
  json: (value) => ('answers' in value ? propertyBatchBody(value.bfes, value.answers) : value),
});

const demo = question({
  key: 'demoEjendom',
  called: { da: 'Prøveopslag', en: 'Trial lookup' },
  summary: 'A complete, invented property record',
  tag: 'demo',
  answer: ref('Ejendom'),
  failures: [400],
  path: '/v1/demo/ejendom',
  area: null,
  ask: () => ({ value: null, facts: { generation: null, provenance: [] }, units: 0 }),
  json: () => JSON.stringify(demoProperty()),
});

export const PROPERTY_QUESTIONS = [one, batch, demo];

/** In the order of first mention (D49); each is answered and billed once. */
function distinctOf(bfe: readonly number[]): number[] {
  return [...new Set(bfe)];
}
