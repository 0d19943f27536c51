import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import { COMPANY_SCHEMAS, COMPANY_QUESTIONS } from './questions.ts';
import type { Companies } from './lookup.ts';
import { COMPANIES_MIRROR, searchOf } from './mirror.ts';
import { sourceText } from '../../answers/sources.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { createCompanies } from './lookup.ts';
import { createCompanyOrigin } from './origin.ts';
import { readCompany } from './store.ts';
import { VirkClient } from './virk-client.ts';
import { COMPANIES } from '../../layers/keys.ts';
import { reasonOf } from '../../core/dry-run.ts';
import type { LiveOutcome, LiveQuestion } from '../../core/dry-run.ts';
import type { Company } from './company.ts';

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
  const client = new VirkClient({ clock });
  const reasons = new Reasons((message) => log.warn({ component: 'companies' }, message));
  const companies = createCompanies({
    ...{ catalogue, clock, onExpired, watcher },
    read: readCompany(store),
    origin: login && createCompanyOrigin({ source, login, client, gate }),
    source: sourceText(['CVR'], isInvented),
    onOriginFailure: (error) => reasons.tell('the search for companies', error),
  });
  return {
    lookups: companies,
    hosts: login === null ? [] : [source.host],
    stop: () => client.close(),
  };
}

/** Never rejects. */
export async function askVirkOnce(question: LiveQuestion): Promise<readonly LiveOutcome[]> {
  return [{ layer: COMPANIES, ...(await askOne(question)) }];
}

async function askOne({
  catalogue,
  login,
  clock,
  reach,
}: LiveQuestion): Promise<Omit<LiveOutcome, 'layer'>> {
  if (login === null) {
    const detail = "Virk's search is not asked: VIRK_USER and VIRK_PASSWORD are not set";
    return { state: 'not-asked', detail };
  }
  const source = searchOf(catalogue);
  const number = source.knownCompany;
  const client = new VirkClient({ clock });
  try {
    await reach?.(source.url);
    const company = await client.fetchCompany(source, number, login);
    if (company === null) {
      return {
        state: 'failed',
        detail: `Virk's search has no company ${number}, and should have`,
      };
    }
    const detail = `Virk's search has company ${number}, with ${partsOf(company)}`;
    return { state: 'answered', detail };
  } catch (error) {
    const detail = `Virk's search: ${reasonOf(error, [login.user, login.password])}`;
    return { state: 'failed', detail };
  } finally {
    await client.close();
  }
}

/** The readable parts, by their names in the answer. */
function partsOf(company: Company): string {
  const { name, form, status, started, address, mainBranch } = company;
  const parts = { name, form, status, started, address, mainBranch };
  const read = Object.entries(parts).filter(([, value]) => value !== null);
  return read.length === 0 ? 'nothing of it' : read.map(([part]) => part).join(', ');
}
