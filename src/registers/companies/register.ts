import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { composeCompanies } from './compose.ts';
import { COMPANY_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { COMPANY_QUESTIONS } from './questions.ts';
import { askVirkOnce } from './dry-run.ts';
import type { Companies } from './lookup.ts';
import { COMPANIES_MIRROR } from './mirror.ts';

export const companies: Register<Companies> = {
  name: 'companies',
  joins: [],
  mirrors: [COMPANIES_MIRROR],
  document: {
    tags: [{ name: 'cvr', description: 'Companies' }],
    schemas: COMPANY_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: COMPANY_QUESTIONS,
  compose: composeCompanies,
  dryRun: askVirkOnce,
};
