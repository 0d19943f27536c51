/** Puts the questions about companies together: the copy in the store, and Virk's search where a login is set up. */
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import type { Store } from '../db/connect.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { CompanyLogin, CompanySearch } from '../layers/company.ts';
import { COMPANIES } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { Watcher } from '../answers/answer.ts';
import { createCompanies } from '../lookups/company.ts';
import type { Companies } from '../lookups/company.ts';
import { createCompanyOrigin } from '../registers/company/origin.ts';
import { readCompany } from '../registers/company/store.ts';
import { createVirkClient } from '../registers/company/virk-client.ts';
import type { HostGate } from '../wfs/hosts.ts';
import { Reasons } from './reasons.ts';

export interface CompanyLookupParts {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly gate: HostGate;
  readonly log: Pick<Logger, 'warn'>;
  /** null: the search is not asked. Secrets. */
  readonly login: CompanyLogin | null;
  /** Whether the registers are the sample's. */
  readonly isInvented: boolean;
  readonly onExpired: (mirror: MirrorId) => void;
  readonly watcher: Watcher;
}

export interface ComposedCompanies {
  readonly edge: { readonly companies: Companies };
  /** Where it is asked live; null: nowhere. */
  readonly host: CompanySearch['host'] | null;
  stop(): Promise<void>;
}

export function composeCompanies(parts: CompanyLookupParts): ComposedCompanies {
  const { catalogue, store, gate, log, login, isInvented, ...common } = parts;
  const { search: source } = catalogue.registers[COMPANIES];
  const live = source === undefined || login === null ? null : { source, login };
  const client = createVirkClient(common);
  const once = new Reasons((message) => log.warn({ component: 'companies' }, message));
  const companies = createCompanies({
    ...common,
    catalogue,
    read: (number) => readCompany(store, number),
    origin: live && createCompanyOrigin({ ...live, client, gate }),
    nameSources: (names) =>
      isInvented ? `Opdigtet prøveregister (${names.join(', ')})` : names.join(', '),
    onOriginFailure: (error) => once.tell(`the search for companies: ${reasonOf(error)}`),
  });
  return {
    edge: { companies },
    host: live && live.source.host,
    stop: () => client.close(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
