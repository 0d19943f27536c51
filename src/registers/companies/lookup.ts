/**
 * Companies by number (D116 to D118): from a fresh copy, else Virk's search where configured, else
 * an old copy marked stale. No failure contains personal data (D117).
 */
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { companyNumber } from './company.ts';
import { COMPANIES } from '../../layers/keys.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import {
  failureOfCopy,
  unanswered,
  FROM_ORIGIN,
  standingOf,
} from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import { personalFormsOf } from './mirror.ts';
import type { CompanyOrigin } from './origin.ts';
import type { CompanyRead } from './store.ts';
import type { AnsweredCompany } from './answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Provenance } from '../../answers/answer.ts';

export interface CompaniesDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly read: (number: number) => Promise<CompanyRead>;
  readonly origin: CompanyOrigin | null;
  readonly source: string;
  readonly onOriginFailure?: (error: unknown) => void;
}

export type CompanyAnswer = AnsweredCompany & AnswerFacts;

export interface Companies {
  /**
   * Throws invalid_request, not_found, upstream_error where it cannot be read, upstream_unavailable
   * without copy or search.
   */
  find(digits: string): Promise<CompanyAnswer>;
}

export function createCompanies(deps: CompaniesDeps): Companies {
  return {
    find: async (digits) => {
      const number = companyNumber(digits);
      if (number === null) throw noNumber();
      const read = await readCopy(deps, number);
      const found = await climb(deps, number, read);
      deps.watcher?.answered(COMPANIES, found.provenance.rung);
      const { company, provenance, generation } = found;
      if (company === undefined)
        throw unknownTo(deps.catalogue.registers[COMPANIES].coverage, NO_COMPANY);
      if (company === null) throw tooMuch();
      const { catalogue, source } = deps;
      const personalForms = personalFormsOf(catalogue);
      return { company, personalForms, source, generation, provenance: [provenance] };
    },
  };
}

type CopyRead = CompanyRead | { readonly copy: null; readonly cause: unknown };

async function readCopy({ read }: CompaniesDeps, number: number): Promise<CopyRead> {
  return await read(number).catch((cause: unknown) => ({ copy: null, cause }));
}

interface Found {
  readonly company: CompanyRead['found'];
  readonly generation: number | null;
  readonly provenance: Provenance;
}

async function climb(deps: CompaniesDeps, number: number, read: CopyRead): Promise<Found> {
  const moment = { nowMs: deps.clock.nowMs(), by: 'store' } as const;
  const { freshness } = deps.catalogue.registers[COMPANIES];
  const { first, last: provenance, wantsSync } = standingOf(read.copy, freshness, moment);
  if (wantsSync) deps.onExpired?.(COMPANIES);
  const isTorn = 'isTorn' in read && read.isTorn;
  if ((isTorn || first === 'origin') && deps.origin !== null) {
    const answer = await askOrigin(deps, deps.origin, number);
    if (answer !== null) return answer;
  }
  if (provenance !== null && isTorn) throw torn();
  if (provenance !== null && !('cause' in read)) {
    return { company: read.found, generation: read.generation, provenance };
  }
  deps.watcher?.answered(COMPANIES, 'unavailable');
  throw nothingAnswered(deps, read);
}

async function askOrigin(
  { onOriginFailure }: CompaniesDeps,
  origin: CompanyOrigin,
  number: number,
): Promise<Found | null> {
  try {
    const company = (await origin(number)) ?? undefined;
    return { company, generation: null, provenance: FROM_ORIGIN };
  } catch (error) {
    onOriginFailure?.(error);
    return null;
  }
}

function nothingAnswered({ catalogue, origin }: CompaniesDeps, read: CopyRead): Failure {
  const register = catalogue.registers[COMPANIES];
  if ('cause' in read || (read.copy === null && origin !== null)) {
    return unanswered('unreadable', register, {
      error: 'The register of companies cannot be read now.',
      errorDa: 'CVR kan ikke læses nu.',
      ...('cause' in read && { cause: read.cause }),
    });
  }
  return failureOfCopy(register, read.copy);
}

/** Whether the row is this company's may be unknown (D143). */
function torn(): Failure {
  return upstreamUnavailable(
    'The register holds rows of this company that cannot be read.',
    'Registret har rækker om denne virksomhed, som ikke kan læses.',
  );
}

function noNumber(): Failure {
  return new Failure('invalid_request', {
    error: 'cvr must be eight digits, the last of which meets the modulus-11 check.',
    errorDa: 'cvr skal være otte cifre, og det sidste skal passe med modulus 11.',
  });
}

const NO_COMPANY = {
  error: 'No company has this number.',
  errorDa: 'Ingen virksomhed har dette nummer.',
};

function tooMuch(): Failure {
  return new Failure('overloaded', {
    error: 'More is known of this company than one answer may hold.',
    errorDa: 'Der vides mere om denne virksomhed, end ét svar må rumme.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}
