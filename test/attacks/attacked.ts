/**
 * The edge as an attacker meets it: real accounts, keys, sessions and metering in a real store, the
 * lookups behind it in memory.
 */
import { readPlans } from '../../src/account/plans.ts';
import type { Tier } from '../../src/account/plans.ts';
import type { KeyRing } from '../../src/account/principal.ts';
import type { Services } from '../../src/http/services.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { composeMetering } from '../../src/start/metering.ts';
import type { Metering } from '../../src/metering/metering.ts';
import type { EdgeLookups } from '../edge/edge.ts';
import { accountEdge, signIn } from '../http/account-edge.ts';
import type { AccountEdge, Browser } from '../http/account-edge.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { sharedLimiters } from '../../src/kernel/limiters.ts';

export const OPERATOR_TOKEN = 'opdigtet-driftsnoegle-til-proeven';
export const TEN = '/v1/natur/byggelinjer?lon=12.1&lat=55.6';

export interface Customer {
  readonly id: string;
  readonly keyId: string;
  readonly secret: string;
  readonly browser: Browser;
}

export interface Attacked extends AccountEdge {
  readonly store: TestStore;
  readonly metering: Metering;
  customer(tier?: Tier): Promise<Customer>;
  close(): Promise<void>;
}

export async function attacked(services: Partial<Services> & EdgeLookups = {}): Promise<Attacked> {
  const store = await openTestStore();
  const plans = readPlans();
  // Those of threads are attacked where there are several.
  const threads = Number(process.env['REQUEST_THREADS'] ?? 1);
  const limiters = sharedLimiters(createLimiterMemory(threads), 0);
  const metering = composeMetering({
    store,
    dataDir: store.dataDir,
    clock: systemClock,
    plans,
    log: { error: () => undefined },
    limiters,
  });
  await metering.start();
  const jobs = createJobs({ store, clock: systemClock });
  // The very ring that the account's own routes change.
  const keys: KeyRing = { find: (secret) => edge.bench.keys.find(secret) };
  const edge: AccountEdge = await accountEdge(
    store,
    { access: { keys, meter: metering.meter, plans }, jobs, limiters, ...services },
    { operatorToken: OPERATOR_TOKEN },
  );
  const customer = async (tier: Tier = 'pro'): Promise<Customer> => {
    const id = await edge.bench.account(tier);
    const { key, secret } = await edge.bench.key(id, { environment: 'live' });
    return { id, keyId: key.id, secret, browser: await signIn(edge, id) };
  };
  return {
    ...edge,
    store,
    metering,
    customer,
    close: async () => {
      await edge.app.close();
      await metering.stop();
      await store.close();
    },
  };
}

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
