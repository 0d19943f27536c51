import type { SampleRegister } from '../../../src/core/sample-register.ts';
import { TERRAIN_HOST, TERRAIN_PATH, answerCoverage } from './answer.ts';

export const TERRAIN_SAMPLE: SampleRegister = {
  minRows: {},
  asJson: [],
  wholeOnly: [],
  needs: [],
  rows: () => ({}),
  live: {
    host: TERRAIN_HOST,
    path: TERRAIN_PATH,
    operation: 'coverage',
    answer: ({ url }) => answerCoverage(url),
  },
};
