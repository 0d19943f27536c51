import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { composeAreas } from './compose.ts';
import type { AreaLookups } from './compose.ts';
import { DAGI_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { AREA_QUESTIONS } from './questions.ts';
import { AREAS_IN_MEMORY } from './layers.ts';
import { AREA_LAYERS } from './mirror.ts';
import { dagi } from './job.ts';

export const areas: Register<AreaLookups> = {
  name: 'areas',
  joins: [],
  mirrors: Object.values(AREA_LAYERS),
  layers: AREAS_IN_MEMORY,
  document: {
    tags: [{ name: 'dagi', description: 'Administrative areas' }],
    schemas: DAGI_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: AREA_QUESTIONS,
  jobKinds: [dagi],
  compose: composeAreas,
};
