import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { composeAssessments } from './compose.ts';
import type { AssessmentLookups } from './compose.ts';
import { ASSESSMENT_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { ASSESSMENT_QUESTIONS } from './questions.ts';
import { ASSESSMENT_REGISTER } from './mirror.ts';

export const assessments: Register<AssessmentLookups> = {
  name: 'assessments',
  joins: [],
  mirrors: [ASSESSMENT_REGISTER],
  document: {
    tags: [{ name: 'vurdering', description: 'Public assessments of property values' }],
    schemas: ASSESSMENT_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: ASSESSMENT_QUESTIONS,
  compose: composeAssessments,
};
