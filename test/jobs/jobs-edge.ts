/** The routes of jobs over real accounts and jobs in a real store. Close it yourself. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { readPlans } from '../../src/account/plans.ts';
import type { Permission } from '../../src/account/permissions.ts';
import type { Tier } from '../../src/account/plans.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import type { AccountBench } from '../account/accounts-fixture.ts';
import { keptAccess } from '../edge/access.ts';
import { memoryApp } from '../edge/edge.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

export interface ShownJob {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly totalRows: number;
  readonly columns: Readonly<Record<string, string>>;
  readonly inputColumns: readonly string[];
  readonly [field: string]: unknown;
}

export interface Caller {
  readonly secret: string;
  readonly keyId: string;
  readonly accountId: string;
  ask(request: InjectOptions): Promise<LightMyRequestResponse>;
  post(url: string, payload?: object, headers?: object): Promise<LightMyRequestResponse>;
  send(
    id: string,
    type: string,
    body: string | Buffer,
    headers?: object,
  ): ReturnType<Caller['ask']>;
  /** A fresh job; rows by x and y, in metres. */
  draft(change?: object): Promise<ShownJob>;
  job(id: string): Promise<ShownJob>;
}

export interface JobsEdge {
  readonly app: Awaited<ReturnType<typeof memoryApp>>;
  readonly store: TestStore;
  readonly bench: AccountBench;
  caller(options?: {
    readonly tier?: Tier;
    readonly permission?: Permission;
    readonly environment?: 'live' | 'test';
    readonly accountId?: string;
  }): Promise<Caller>;
  close(): Promise<void>;
}

export async function jobsEdge(): Promise<JobsEdge> {
  const store = await openTestStore();
  const bench = accountBench(store);
  const access = { ...keptAccess({}), keys: bench.keys, plans: readPlans() };
  const jobs = createJobs({ store, clock: bench.clock });
  const app = await memoryApp({ access, jobs });
  return {
    app,
    store,
    bench,
    caller: async ({ tier = 'pro', permission = 'jobs', environment = 'live', accountId } = {}) => {
      const id = accountId ?? (await bench.account(tier));
      const { key, secret } = await bench.key(id, { environment, permission });
      return callerOf(app, { secret, keyId: key.id, accountId: id });
    },
    close: async () => {
      await app.close();
      await store.close();
    },
  };
}

function callerOf(
  app: JobsEdge['app'],
  key: Pick<Caller, 'secret' | 'keyId' | 'accountId'>,
): Caller {
  const { secret } = key;
  const ask: Caller['ask'] = (request) =>
    app.inject({ ...request, headers: { authorization: `Bearer ${secret}`, ...request.headers } });
  const caller: Caller = {
    ...key,
    ask,
    post: (url, payload, headers = {}) =>
      ask({ method: 'POST', url, headers: { ...headers }, ...(payload && { payload }) }),
    send: (id, type, body, headers = {}) =>
      ask({
        method: 'POST',
        url: `/v1/jobs/${id}/rows`,
        payload: body,
        headers: { 'content-type': type, ...headers },
      }),
    draft: async (change = {}) => {
      const response = await caller.post('/v1/jobs', { kind: 'dagi', start: false, ...change });
      return shown(response, 201);
    },
    job: async (id) => shown(await ask({ url: `/v1/jobs/${id}` }), 200),
  };
  return caller;
}

export function shown(response: LightMyRequestResponse, status = 200): ShownJob {
  if (response.statusCode !== status) throw new Error(`${response.statusCode}: ${response.body}`);
  return response.json<{ job: ShownJob }>().job;
}
