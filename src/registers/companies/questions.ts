/** A company by its number (D9, D116). */
import { question } from '../../core/question/question.ts';
import { companyText } from './answer.ts';
import type { Companies } from './lookup.ts';
import { companyShape } from './schema.ts';

export const COMPANY_QUESTIONS = [
  question(companyShape, {
    path: '/v1/cvr/:cvr',
    area: 'cvr',
    ask: async (companies: Companies, { cvr }) => {
      const value = await companies.find(cvr);
      return { value, facts: value, units: 1 };
    },
    json: companyText,
  }),
];
