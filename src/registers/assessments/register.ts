import type { Register } from '../../core/register.ts';
import { composeAssessments } from './compose.ts';
import type { AssessmentLookups } from './compose.ts';
import { ASSESSMENTS_DOCUMENT } from './document.ts';
import { ASSESSMENT_QUESTIONS } from './questions.ts';
import { ASSESSMENT_REGISTER } from './mirror.ts';

export const assessments: Register<AssessmentLookups> = {
  name: 'assessments',
  joins: [],
  mirrors: [ASSESSMENT_REGISTER],
  document: ASSESSMENTS_DOCUMENT,
  questions: ASSESSMENT_QUESTIONS,
  compose: composeAssessments,
};
