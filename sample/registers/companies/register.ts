import type { SampleRegister } from '../../sample-register.ts';
import { ADDRESS_ENTITIES } from '../addresses/rows.ts';
import { KNOWN_COMPANY, generateCompanies } from './rows.ts';
import { SEARCH_PATH, answerSearch } from './search.ts';

const MIN_ROWS = {
  Virksomhed: 200,
  Navn: 200,
  Adressering: 200,
  Branche: 200,
  Virksomhedsform: 200,
  Reklamebeskyttelse: 20,
};

export const sample: SampleRegister = {
  minRows: MIN_ROWS,
  asJson: ['Navn'],
  wholeOnly: ['CVR'],
  needs: ADDRESS_ENTITIES,
  rows: generateCompanies,
  settingsAt: (base) => ({
    cvr: {
      search: {
        url: `${base}${SEARCH_PATH}`,
        leastCompanies: MIN_ROWS.Virksomhed,
        knownCompany: KNOWN_COMPANY.number,
      },
    },
  }),
  live: { host: 'virk', path: SEARCH_PATH, operation: 'company', answer: answerSearch },
};
