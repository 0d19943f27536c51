import type { SampleRegister } from '../../sample-register.ts';
import { PLACE_MIN_ROWS, placeTables } from './rows.ts';

export const sample: SampleRegister = {
  minRows: PLACE_MIN_ROWS,
  asJson: ['Bebyggelse'],
  rows: placeTables,
};
