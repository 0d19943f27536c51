import { keyCommand } from '../account/first-key.ts';
import type { KeyState } from '../account/first-key.ts';
import type { Greeted } from '../kernel/logger.ts';

export interface Greeting {
  readonly url: string;
  readonly sources: 'sample' | 'live';
  readonly place: { readonly lon: number; readonly lat: number };
  /** Shown only once. null: none was created. */
  readonly key: string | null;
  /** null: unknown. */
  readonly keys: KeyState | null;
  readonly isOperated: boolean;
  /** PostGIS of the embedded store is experimental. */
  readonly isEmbedded: boolean;
  /** A trial: webhooks may go to this machine. */
  readonly isLoopbackTrial: boolean;
  readonly switchesUrl: string | null;
}

const EMBEDDED =
  'The embedded store is for trials, its PostGIS is experimental: DATABASE_URL names a PostgreSQL.';

export function greeting({
  url,
  sources,
  place,
  key,
  keys: state,
  isOperated,
  isEmbedded,
  isLoopbackTrial,
  switchesUrl,
}: Greeting): [fields: object, text: Greeted] {
  const what = sources === 'sample' ? 'sample registers (invented)' : 'live registers';
  const curl =
    `curl -H 'Authorization: Bearer ${key ?? '<key>'}' ` +
    `'${url}/v1/natur/byggelinjer?lon=${place.lon}&lat=${place.lat}'`;
  const keys = keyCommand(state);
  const operations = `${url}/drift`;
  const trial = isLoopbackTrial ? ', TRIAL: webhooks to this machine (WEBHOOK_LOOPBACK)' : '';
  const first = `Geoopslag listens on ${url} (${what}${trial}). Try: ${curl}`;
  const more = [
    ...(key === null ? [`Keys: ${keys}`] : []),
    `Operations: ${operations}${isOperated ? '' : ' (set OPERATOR_TOKEN, or sign in as an operator)'}`,
    ...(isEmbedded ? [EMBEDDED] : []),
    ...(switchesUrl === null ? [] : [`Sample upstream: its switches are at ${switchesUrl}`]),
  ];
  const fields = {
    url,
    sources,
    ...(key === null ? { keys } : { key }),
    operations,
    ...(isEmbedded && { store: EMBEDDED }),
    ...(isLoopbackTrial && { webhook_loopback: true }),
    ...(switchesUrl !== null && { sample_switches: switchesUrl }),
  };
  return [fields, { first, more }];
}
