import type { SampleRegister } from '../../sample-register.ts';
import { generatePlaces } from './rows.ts';

export const sample: SampleRegister = {
  minRows: {
    Stednavn: 60,
    Bebyggelse: 10,
    Landskabsform: 5,
    Soe: 5,
    Standsningssted: 5,
    Vandloeb: 5,
  },
  asJson: ['Bebyggelse'],
  rows: generatePlaces,
};
