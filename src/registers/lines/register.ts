import type { Register } from '../../core/register.ts';
import { composeLines } from './compose.ts';
import type { LineLookups } from './compose.ts';
import { LINES_DOCUMENT } from './document.ts';
import { LINE_QUESTIONS } from './questions.ts';
import { LINES_IN_MEMORY } from './layers.ts';
import { LINE_LAYERS } from './mirror.ts';
import { miljoe } from './job.ts';

export const lines: Register<LineLookups> = {
  name: 'lines',
  joins: [],
  mirrors: Object.values(LINE_LAYERS),
  layers: LINES_IN_MEMORY,
  document: LINES_DOCUMENT,
  questions: LINE_QUESTIONS,
  jobKinds: [miljoe],
  compose: composeLines,
};
