import type { SampleRegister } from '../../sample-register.ts';
import { COMPANY_MIN_ROWS, KNOWN_COMPANY, generateCompanies } from './rows.ts';
import { SEARCH_PATH, answerSearch } from './search.ts';

export const sample: SampleRegister = {
  minRows: COMPANY_MIN_ROWS,
  asJson: ['Navn'],
  wholeOnly: ['CVR'],
  rows: generateCompanies,
  settingsAt: (base) => ({
    cvr: {
      search: {
        url: `${base}${SEARCH_PATH}`,
        leastCompanies: COMPANY_MIN_ROWS.Virksomhed,
        knownCompany: KNOWN_COMPANY.number,
      },
    },
  }),
  live: { host: 'virk', path: SEARCH_PATH, operation: 'company', answer: answerSearch },
};
