import type { SampleRegister } from '../../sample-register.ts';
import { ASSESSMENT_MIN_ROWS, generateAssessments } from './rows.ts';

export const sample: SampleRegister = {
  minRows: ASSESSMENT_MIN_ROWS,
  asJson: ['Ejendomsvurdering'],
  wholeOnly: ['VUR'],
  rows: generateAssessments,
};
