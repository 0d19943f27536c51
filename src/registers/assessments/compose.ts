import { sourceText } from '../../answers/sources.ts';
import type { Composed, RegisterParts } from '../../core/register.ts';
import { createAssessments } from './lookup.ts';
import type { Assessments } from './lookup.ts';
import { readAssessments } from './store.ts';

export interface AssessmentLookups {
  readonly assessments: Assessments;
}

export function composeAssessments(parts: RegisterParts): Composed<AssessmentLookups> {
  const { catalogue, clock, onExpired, watcher, onUnlistedCode, store, isInvented } = parts;
  const assessments = createAssessments({
    ...{ catalogue, clock, onExpired, watcher, onUnlistedCode },
    nameSources: (names) => sourceText(names, isInvented),
    read: (bfe) => readAssessments(store, bfe),
  });
  return { lookups: { assessments } };
}
