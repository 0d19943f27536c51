/**
 * Virk's live search through its host's gate; concurrent callers share a request. No answer is
 * cached.
 */
import { Flights } from '../../kernel/remember.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Login } from '../../core/live-settings.ts';
import type { Company, CompanySearch } from './company.ts';
import type { HostGate } from '../../wfs/hosts.ts';
import type { VirkClient } from './virk-client.ts';

/** null: no company has the number. Throws UpstreamFailure. */
export type CompanyOrigin = (number: number) => Promise<Company | null>;

export interface CompanyOriginDeps {
  readonly source: CompanySearch;
  readonly login: Login;
  readonly client: Pick<VirkClient, 'fetchCompany'>;
  readonly gate: HostGate;
}

export function createCompanyOrigin({
  source,
  login,
  client,
  gate,
}: CompanyOriginDeps): CompanyOrigin {
  const flights = new Flights<number, Company | null>();
  return (number) =>
    flights.of(number, () => {
      // A queued request is dropped once its callers no longer wait.
      const signal = AbortSignal.timeout(LIMITS.originDeadlineMs);
      return gate.run(source.host, () => client.fetchCompany(source, number, login), { signal });
    });
}
