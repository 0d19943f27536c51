import type { SampleRegister } from '../../sample-register.ts';
import { ADDRESS_MIN_ROWS, generateAddresses } from './rows.ts';

export const sample: SampleRegister = {
  minRows: ADDRESS_MIN_ROWS,
  asJson: ['Adresse'],
  rows: generateAddresses,
};
