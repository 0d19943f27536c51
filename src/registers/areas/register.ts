import type { Register } from '../../core/register.ts';
import { composeAreas } from './compose.ts';
import type { AreaLookups } from './compose.ts';
import { AREAS_DOCUMENT } from './document.ts';
import { AREA_QUESTIONS } from './questions.ts';
import { AREAS_IN_MEMORY } from './layers.ts';
import { AREA_LAYERS } from './mirror.ts';
import { dagi } from './job.ts';

export const areas: Register<AreaLookups> = {
  name: 'areas',
  joins: [],
  mirrors: Object.values(AREA_LAYERS),
  layers: AREAS_IN_MEMORY,
  document: AREAS_DOCUMENT,
  questions: AREA_QUESTIONS,
  jobKinds: [dagi],
  compose: composeAreas,
};
