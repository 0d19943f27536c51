import type { SampleRegister } from '../../sample-register.ts';
import { CADASTRE_MIN_ROWS, generateCadastre } from './rows.ts';

export const sample: SampleRegister = {
  minRows: CADASTRE_MIN_ROWS,
  asJson: ['Lodflade'],
  rows: generateCadastre,
};
