import type { Register } from '../../core/register.ts';
import { composeCompanies } from './compose.ts';
import { COMPANIES_DOCUMENT } from './document.ts';
import { COMPANY_QUESTIONS } from './questions.ts';
import { askVirkOnce } from './dry-run.ts';
import type { Companies } from './lookup.ts';
import { COMPANIES_MIRROR } from './mirror.ts';

export const companies: Register<Companies> = {
  name: 'companies',
  joins: [],
  mirrors: [COMPANIES_MIRROR],
  document: COMPANIES_DOCUMENT,
  questions: COMPANY_QUESTIONS,
  compose: composeCompanies,
  dryRun: askVirkOnce,
};
