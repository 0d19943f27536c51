/** The edge over real accounts in a real store. Close the store and the app yourself. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { readPlans } from '../../src/account/plans.ts';
import type { EdgeOptions } from '../../src/http/options.ts';
import type { AccountServices, Services } from '../../src/http/services.ts';
import { createWatchLists } from '../../src/watch/lists.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import type { AccountBench } from '../account/accounts-fixture.ts';
import type { TestStore } from '../support/store.ts';
import { memoryApp } from '../edge/edge.ts';
import type { EdgeLookups } from '../edge/edge.ts';

export interface AccountEdge {
  readonly app: FastifyInstance;
  readonly bench: AccountBench;
}

/** For lists that are shown alone: theirs are packed by none. */
const NO_THREADS = { run: () => Promise.reject(new Error('These tests have no threads.')) };

export async function accountEdge(
  store: TestStore,
  services: Partial<Services> & EdgeLookups = {},
  options: Partial<EdgeOptions> = {},
  more: Partial<AccountServices> = {},
): Promise<AccountEdge> {
  const bench = accountBench(store);
  const { clock } = bench;
  const app = await memoryApp(
    {
      accounts: {
        ...{ ...bench, plans: readPlans(), clock, isStoreUnavailable: () => false },
        ...{ accountRequests: null, ...more },
      },
      watches: createWatchLists({ ...bench, workers: NO_THREADS, onDue: () => undefined }),
      ...services,
    },
    { publicUrl: null, ...options },
  );
  return { app, bench };
}

export interface Browser {
  readonly token: string;
  readonly csrfToken: string;
  ask(request: InjectOptions): Promise<LightMyRequestResponse>;
}

export async function signIn(
  { app, bench }: AccountEdge,
  accountId: string,
  headers: Record<string, string> = {},
): Promise<Browser> {
  const { token: link } = await bench.sessions.newLink(accountId);
  const response = await app.inject({
    method: 'POST',
    url: '/v1/me/session',
    payload: { link },
    headers: { host: 'geo.example', ...headers },
  });
  const token = /^svc_session=([^;]+)/.exec(String(response.headers['set-cookie']))?.[1];
  if (token === undefined) throw new Error(`Not signed in: ${response.body}`);
  const { session } = response.json<{ session: { csrf_token: string } }>();
  const own = { host: 'geo.example', cookie: `svc_session=${token}` };
  return {
    token,
    csrfToken: session.csrf_token,
    ask: (request) =>
      app.inject({
        ...request,
        headers: { ...own, 'x-csrf-token': session.csrf_token, ...request.headers },
      }),
  };
}
