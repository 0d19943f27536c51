import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import type { AssessmentLookups } from './lookup.ts';
import { ASSESSMENT_SCHEMAS, ASSESSMENT_QUESTIONS } from './questions.ts';
import { ASSESSMENT_REGISTER } from './mirror.ts';
import { sourceText } from '../../answers/sources.ts';
import { createAssessments } from './lookup.ts';
import { readAssessments } from './store.ts';

export const assessments: Register<AssessmentLookups> = {
  name: 'assessments',
  joins: [],
  mirrors: [ASSESSMENT_REGISTER],
  document: {
    tags: [{ name: 'vurdering', description: 'Public assessments of property values' }],
    schemas: ASSESSMENT_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: ASSESSMENT_QUESTIONS,
  compose: composeAssessments,
};

function composeAssessments(parts: RegisterParts): Composed<AssessmentLookups> {
  const { catalogue, clock, onExpired, watcher, onUnlistedCode, store, isInvented } = parts;
  const assessments = createAssessments({
    ...{ catalogue, clock, onExpired, watcher, onUnlistedCode },
    source: sourceText(['VUR'], isInvented),
    read: readAssessments(store),
  });
  return { lookups: { assessments } };
}
