import type { SampleRegister } from '../../sample-register.ts';
import { BBR_ENTITIES } from '../property/buildings.ts';
import { generateAssessments } from './rows.ts';

export const sample: SampleRegister = {
  minRows: {
    BFEKrydsreference: 1_000,
    Ejendomsvurdering: 1_000,
    Vurderingsejendom: 500,
  },
  asJson: ['Ejendomsvurdering'],
  wholeOnly: ['VUR'],
  needs: BBR_ENTITIES,
  rows: generateAssessments,
};
