import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { composeLines } from './compose.ts';
import type { LineLookups } from './compose.ts';
import { NATUR_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { LINE_QUESTIONS } from './questions.ts';
import { LINES_IN_MEMORY } from './layers.ts';
import { LINE_LAYERS } from './mirror.ts';
import { miljoe } from './job.ts';

export const lines: Register<LineLookups> = {
  name: 'lines',
  joins: [],
  mirrors: Object.values(LINE_LAYERS),
  layers: LINES_IN_MEMORY,
  document: {
    tags: [{ name: 'natur', description: 'Building lines and protected nature' }],
    schemas: NATUR_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: LINE_QUESTIONS,
  jobKinds: [miljoe],
  compose: composeLines,
};
