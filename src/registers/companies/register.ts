import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import { COMPANY_SCHEMAS, COMPANY_QUESTIONS } from './questions.ts';
import { askVirkOnce } from './dry-run.ts';
import type { Companies } from './lookup.ts';
import { COMPANIES_MIRROR, searchOf } from './mirror.ts';
import { sourceText } from '../../answers/sources.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { createCompanies } from './lookup.ts';
import { createCompanyOrigin } from './origin.ts';
import { readCompany } from './store.ts';
import { createVirkClient } from './virk-client.ts';

export const companies: Register<Companies> = {
  name: 'companies',
  joins: [],
  mirrors: [COMPANIES_MIRROR],
  document: {
    tags: [{ name: 'cvr', description: 'Companies' }],
    schemas: COMPANY_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: COMPANY_QUESTIONS,
  compose: composeCompanies,
  dryRun: askVirkOnce,
};

function composeCompanies(parts: RegisterParts): Composed<Companies> {
  const { catalogue, clock, log, onExpired, store, gate, watcher, login, isInvented } = parts;
  const source = searchOf(catalogue);
  const client = createVirkClient({ clock });
  const reasons = new Reasons((message) => log.warn({ component: 'companies' }, message));
  const companies = createCompanies({
    ...{ catalogue, clock, onExpired, watcher },
    read: (number) => readCompany(store, number),
    origin: login && createCompanyOrigin({ source, login, client, gate }),
    nameSources: (names) => sourceText(names, isInvented),
    onOriginFailure: (error) => reasons.tell('the search for companies', error),
  });
  return {
    lookups: companies,
    hosts: login === null ? [] : [source.host],
    stop: () => client.close(),
  };
}
