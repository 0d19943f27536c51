/** Asks with keys of the session, for tests and for what is billed, in this tab's memory alone. */
import { LARGE_MS, Refused, request } from '../shared/ask.ts';
import { HeldKey, mintSessionKey } from '../shared/held-key.ts';
import type { Environment } from './address-bar.ts';
import type { Action } from '../../jobs/for-pages.ts';
import type { renderJob } from '../../http/v1/jobs/render.ts';

export type Job = ReturnType<typeof renderJob>;

export interface Progress {
  readonly job: Job;
  /** null: not known yet, or nothing moves. */
  readonly rowsPerSecond: number | null;
}

export interface UsageTotal {
  readonly units: number;
  readonly allowance: number;
}

const AREAS = ['adresser', 'dagi', 'natur', 'miljoe', 'bbr', 'jobs'];

const keys: Readonly<Record<Environment, HeldKey>> = {
  test: new HeldKey(() => mint('test')),
  live: new HeldKey(() => mint('live')),
};
/** Keys that bill jobs: their jobs would be paused if they ended now. */
const working = new Set<Environment>();

export async function readUsage(): Promise<Readonly<Record<Environment, UsageTotal>>> {
  const response = await request('v1/me/usage');
  return (await response.json()) as Readonly<Record<Environment, UsageTotal>>;
}

let whenSignedOut: (why: string) => void = () => undefined;

/** After it nothing can be asked. */
export function onSignedOut(listener: (why: string) => void): void {
  whenSignedOut = listener;
}

async function mint(environment: Environment) {
  try {
    return await mintSessionKey('Job', environment, AREAS);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) whenSignedOut(error.message);
    throw error;
  }
}

/** Jobs are billed to it: it stays when the page goes away. */
export function keepKey(environment: Environment): void {
  working.add(environment);
}

export function releaseKeys(): void {
  for (const environment of ['test', 'live'] as const) {
    if (!working.has(environment)) keys[environment].release();
  }
}

type Call = Pick<
  NonNullable<Parameters<typeof request>[1]>,
  'method' | 'headers' | 'body' | 'signal' | 'isLong'
>;

/** Its body unread. Throws Refused, or the signal's reason. */
export function call(
  environment: Environment,
  path: string,
  options: Call = {},
): Promise<Response> {
  return keys[environment].ask((secret) =>
    request(path, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${secret}` },
      credentials: 'omit',
      limitMs: LARGE_MS,
    }),
  );
}

export async function read<Body>(
  environment: Environment,
  path: string,
  options: Call = {},
): Promise<Body> {
  return (await (await call(environment, path, options)).json()) as Body;
}

export async function readJob(
  environment: Environment,
  path: string,
  options: Call = {},
): Promise<Job> {
  return (await read<{ readonly job: Job }>(environment, path, options)).job;
}

export async function act(environment: Environment, id: string, action: Action): Promise<Job> {
  // Before it is asked: the page may go away while the answer is on its way.
  if (action === 'start' || action === 'resume') keepKey(environment);
  return await readJob(environment, `v1/jobs/${id}/${action}`, { method: 'POST' });
}

export async function deleteJob(environment: Environment, id: string): Promise<void> {
  await call(environment, `v1/jobs/${id}`, { method: 'DELETE' });
}
