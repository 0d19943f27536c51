/** Properties by number, one or many (D1, D2), and an invented one (D59). */
import { asOfMs } from '../../core/question/as-of.ts';
import { onlyAnswer, unitsOfAnswers } from '../../core/question/answers.ts';
import { question } from '../../core/question/question.ts';
import type { Answered } from '../../core/question/question.ts';
import type { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PropertyAnswer } from './answers.ts';
import type { PropertyLookups } from './compose.ts';
import { demoProperty } from './demo.ts';
import { propertyBatchBody, recordText } from './record/batch.ts';
import { demoShape, propertyBatchShape, propertyShape } from './schema.ts';

const one = question(propertyShape, {
  path: '/v1/bbr/ejendom/:bfe',
  area: 'bbr',
  ask: async ({ properties }: PropertyLookups, { bfe, asOf }) => {
    const { value, ...facts } = await properties.find([bfe], asOfMs(asOf));
    return { value: onlyAnswer(value), facts, units: 1 };
  },
  json: recordText,
});

/** The body, where threads wrote it. */
type Batch =
  | Buffer
  | { readonly bfes: readonly number[]; readonly answers: readonly (PropertyAnswer | Failure)[] };

const batch = question(propertyBatchShape, {
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

const demo = question(demoShape, {
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
