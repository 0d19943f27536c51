import type { SampleRegister } from '../../sample-register.ts';
import { generateAddresses } from './rows.ts';

export const sample: SampleRegister = {
  minRows: {
    Postnummer: 6,
    SupplerendeBynavn: 3,
    NavngivenVej: 60,
    NavngivenVejKommunedel: 60,
    Adressepunkt: 1_000,
    Husnummer: 1_000,
    Adresse: 1_500,
    Ejendomsbeliggenhed: 600,
  },
  asJson: ['Adresse'],
  rows: generateAddresses,
};
