import { COMPANIES } from '../../layers/keys.ts';
import { reasonOf } from '../../core/dry-run.ts';
import type { LiveOutcome, LiveQuestion } from '../../core/dry-run.ts';
import type { Company } from './company.ts';
import { searchOf } from './mirror.ts';
import { createVirkClient } from './virk-client.ts';

/** Never rejects. */
export async function askVirkOnce(question: LiveQuestion): Promise<readonly LiveOutcome[]> {
  return [{ layer: COMPANIES, ...(await askOne(question)) }];
}

async function askOne({
  catalogue,
  login,
  clock,
}: LiveQuestion): Promise<Omit<LiveOutcome, 'layer'>> {
  if (login === null) {
    const detail = "Virk's search is not asked: VIRK_USER and VIRK_PASSWORD are not set";
    return { state: 'not-asked', detail };
  }
  const source = searchOf(catalogue);
  const number = source.knownCompany;
  const client = createVirkClient({ clock });
  try {
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

/** The readable parts of the company, by their names in the answer. */
function partsOf(company: Company): string {
  const { name, form, status, started, address, mainBranch } = company;
  const parts = { name, form, status, started, address, mainBranch };
  const read = Object.entries(parts).filter(([, value]) => value !== null);
  return read.length === 0 ? 'nothing of it' : read.map(([part]) => part).join(', ');
}
