/** Metering over a real store: blocks, folding, several processes at the quota's edge. */
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { composeMetering } from '../../src/start/metering.ts';
import type { Metering } from '../../src/metering/metering.ts';
import type { Plans } from '../../src/account/plans.ts';
import type { Principal } from '../../src/account/principal.ts';
import { sharedStore } from '../support/store.ts';
import {
  addAccount,
  answered,
  newDataDir,
  plansOf,
  principalOf,
  tallyOf,
} from './metering-fixture.ts';

const ending: (() => unknown)[] = [];

const store = await sharedStore();
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function startMetering(plans: Plans, dataDir?: string): Promise<Metering> {
  const own = dataDir === undefined ? newDataDir() : { dataDir, remove: () => undefined };
  const log = { error: (message: string) => console.error(message) };
  const metering = composeMetering({ store, ...own, clock: systemClock, plans, log });
  await metering.start();
  ending.push(own.remove, () => metering.stop());
  return metering;
}

/** One request from admission to answer; what refused it, if anything. */
async function request(
  { meter }: Metering,
  principal: Principal,
  units = 1,
): Promise<Failure | null> {
  try {
    meter.admit(principal, '192.0.2.1');
    await meter.reserve(principal, units);
    meter.settle(principal, units, answered(units));
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

describe('a process that counts', () => {
  test('never passes the ceiling when three processes serve its last units', async () => {
    const account = await addAccount(store);
    const plans = plansOf(200);
    const meters = [
      await startMetering(plans),
      await startMetering(plans),
      await startMetering(plans),
    ];
    const principal = principalOf(account);
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => request(meters[i % 3]!, principal)),
    );
    const refused = answers.filter((answer) => answer !== null);
    expect(new Set(refused.map(({ type }) => type))).toEqual(new Set(['quota_exceeded']));
    expect(400 - refused.length).toBeLessThanOrEqual(200);
    for (const metering of meters) await metering.stop();
    const tally = await tallyOf(store, account);
    expect(tally).toMatchObject({ used: 400 - refused.length, outstanding: 0 });
    // What was left unused can be had by the next.
    const last = await startMetering(plans);
    let more = 0;
    while ((await request(last, principal)) === null) more++;
    expect(tally.used + more).toBe(200);
  });
});
