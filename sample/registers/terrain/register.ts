import type { SampleRegister } from '../../sample-register.ts';
import { sampleCoverage } from '../../data/coverage.ts';
import { CENTRE } from '../../data/island.ts';
import { TERRAIN_HOST, TERRAIN_PATH, answerCoverage } from './answer.ts';

export const sample: SampleRegister = {
  minRows: {},
  liveAt: (base) => ({
    dhm: {
      url: `${base}${TERRAIN_PATH}`,
      coverage: sampleCoverage(),
      knownPoint: { xUtm32: CENTRE.x, yUtm32: CENTRE.y },
    },
  }),
  live: {
    host: TERRAIN_HOST,
    path: TERRAIN_PATH,
    operation: 'coverage',
    answer: ({ url }) => answerCoverage(url),
  },
};
