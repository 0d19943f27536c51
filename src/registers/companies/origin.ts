/**
 * Virk's search for one company, live: through its host's gate, with one request shared by
 * concurrent callers. No answer is kept.
 */
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
  const flights = new Map<number, Promise<Company | null>>();
  const send = (number: number): Promise<Company | null> => {
    // A queued request is dropped once its callers no longer wait.
    const timeout = AbortSignal.timeout(LIMITS.originDeadlineMs);
    const ask = () => client.fetchCompany(source, number, login);
    const flight = gate
      .run(source.host, ask, { signal: timeout })
      .finally(() => flights.delete(number));
    flights.set(number, flight);
    return flight;
  };
  return (number) => flights.get(number) ?? send(number);
}
