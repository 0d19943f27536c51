import type { SampleRegister } from '../../sample-register.ts';
import { ADDRESS_ENTITIES } from '../addresses/rows.ts';
import { generateCadastre } from './rows.ts';

export const sample: SampleRegister = {
  minRows: {
    Ejerlav: 4,
    SamletFastEjendom: 500,
    Jordstykke: 500,
    Ejerlejlighed: 50,
    BygningPaaFremmedGrund: 2,
    Lodflade: 400,
  },
  asJson: ['Lodflade'],
  needs: ADDRESS_ENTITIES,
  rows: generateCadastre,
};
