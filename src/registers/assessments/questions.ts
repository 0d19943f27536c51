/** The assessments of a property (D10, D112): 404 none, 502 unreadable, 503 until mirrored. */
import { question } from '../../core/question/question.ts';
import { assessmentText } from './answer.ts';
import type { AssessmentLookups } from './compose.ts';
import { assessmentsShape } from './schema.ts';

export const ASSESSMENT_QUESTIONS = [
  question(assessmentsShape, {
    path: '/v1/vurdering/:bfe',
    area: 'vurdering',
    ask: async ({ assessments }: AssessmentLookups, { bfe }) => {
      const value = await assessments.find(bfe);
      return { value, facts: value, units: 1 };
    },
    json: assessmentText,
  }),
];
