import { sourceText } from '../../answers/sources.ts';
import type { RegisterParts, ServedRegister } from '../../core/register.ts';
import { ASSESSMENTS_DOCUMENT } from './document.ts';
import { createAssessments } from './lookup.ts';
import type { Assessments } from './lookup.ts';
import { assessmentRoutes } from './routes.ts';
import { readAssessments } from './store.ts';

export interface AssessmentLookups {
  readonly assessments: Assessments;
}

export function composeAssessments(parts: RegisterParts): ServedRegister<AssessmentLookups> {
  const { catalogue, clock, onExpired, watcher, onUnlistedCode, store, isInvented } = parts;
  const assessments = createAssessments({
    ...{ catalogue, clock, onExpired, watcher, onUnlistedCode },
    nameSources: (names) => sourceText(names, isInvented),
    read: (bfe) => readAssessments(store, bfe),
  });
  return {
    name: 'assessments',
    lookups: { assessments },
    document: ASSESSMENTS_DOCUMENT,
    routes: (app) => assessmentRoutes(app, assessments),
    hosts: [],
    stop: () => Promise.resolve(),
  };
}
