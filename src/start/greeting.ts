/** The greeting when the service listens: URL, sources, and something to try. */
import type { Greeted } from '../kernel/logger.ts';

export interface Greeting {
  readonly url: string;
  readonly sources: 'sample' | 'live';
  /** In degrees; something is found there. */
  readonly place: { readonly lon: number; readonly lat: number };
  /** The first test key, shown only here and once. null: none was created. */
  readonly key: string | null;
  /** null: unknown. */
  readonly hasAccounts: boolean | null;
  /** Whether the operator's routes have a token. */
  readonly isOperated: boolean;
  /** Webhooks may go to this machine: a trial. */
  readonly isLoopbackTrial: boolean;
  readonly switchesUrl: string | null;
}

/** Creates the first account and its key in one command. */
const FIRST_ACCOUNT =
  "npm run admin -- account create --name 'Anna' --email anna@example.dk --tier pro --key test";

export function greeting({
  url,
  sources,
  place,
  key,
  hasAccounts,
  isOperated,
  isLoopbackTrial,
  switchesUrl,
}: Greeting): [fields: object, text: Greeted] {
  const what = sources === 'sample' ? 'sample registers (invented)' : 'live registers';
  const curl =
    `curl -H 'Authorization: Bearer ${key ?? '<key>'}' ` +
    `'${url}/v1/natur/byggelinjer?lon=${place.lon}&lat=${place.lat}'`;
  const keys = hasAccounts === true ? 'npm run admin -- key mint <account> --test' : FIRST_ACCOUNT;
  const operations = `${url}/drift`;
  const trial = isLoopbackTrial ? ', TRIAL: webhooks to this machine (WEBHOOK_LOOPBACK)' : '';
  const first = `Geoopslag listens on ${url} (${what}${trial}). Try: ${curl}`;
  const more = [
    ...(key === null ? [`Keys: ${keys}`] : []),
    `Operations: ${operations}${isOperated ? '' : ' (set OPERATOR_TOKEN, or sign in as an operator)'}`,
    ...(switchesUrl === null ? [] : [`Sample upstream: its switches are at ${switchesUrl}`]),
  ];
  const fields = {
    url,
    sources,
    ...(key === null ? { keys } : { key }),
    operations,
    ...(isLoopbackTrial && { webhook_loopback: true }),
    ...(switchesUrl !== null && { sample_switches: switchesUrl }),
  };
  return [fields, { first, more }];
}
