/** Puts the questions about companies together: the copy in the store, and Virk's search where a login is set up. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Store } from '../../db/connect.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import type { CompanySearch } from './company.ts';
import { COMPANIES } from '../../layers/keys.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { Watcher } from '../../answers/answer.ts';
import { sourceText } from '../../answers/sources.ts';
import { createCompanies } from './lookup.ts';
import type { Companies } from './lookup.ts';
import { createCompanyOrigin } from './origin.ts';
import { readCompany } from './store.ts';
import { createVirkClient } from './virk-client.ts';
import type { HostGate } from '../../wfs/hosts.ts';
import { Reasons } from '../../start/reasons.ts';

/** What of the program's settings and sources companies are told. */
export interface CompanyLookupOptions {
  readonly config: Pick<Config, 'sources' | 'virkLogin'>;
  readonly sources: { readonly catalogue: Pick<Catalogue, 'registers'> };
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly onExpired: (mirror: MirrorId) => void;
}

export interface CompanyLookupParts {
  readonly store: Store;
  readonly gate: HostGate;
  readonly watcher: Watcher;
}

export interface ComposedCompanies {
  readonly edge: { readonly companies: Companies };
  /** Where it is asked live; null: nowhere. */
  readonly host: CompanySearch['host'] | null;
  stop(): Promise<void>;
}

export function composeCompanies(
  { config, sources: { catalogue }, clock, log, onExpired }: CompanyLookupOptions,
  { store, gate, watcher }: CompanyLookupParts,
): ComposedCompanies {
  const { search: source } = catalogue.registers[COMPANIES];
  const { virkLogin: login } = config;
  const live = source === undefined || login === null ? null : { source, login };
  const client = createVirkClient({ clock });
  const once = new Reasons((message) => log.warn({ component: 'companies' }, message));
  const companies = createCompanies({
    ...{ catalogue, clock, onExpired, watcher },
    read: (number) => readCompany(store, number),
    origin: live && createCompanyOrigin({ ...live, client, gate }),
    nameSources: (names) => sourceText(names, config.sources === 'sample'),
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
