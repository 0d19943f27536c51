/** 80 % and 100 % of the month's units, passed by fifty requests at once in three processes: told once each. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/account/principal.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Metering } from '../../src/metering/metering.ts';
import { composeMetering } from '../../src/start/metering.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { answered, newDataDir, plansOf, principalOf } from '../metering/metering-fixture.ts';
import { sharedStore } from '../support/store.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startDns } from '../webhooks/dns-server.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { webhookBench } from '../webhooks/webhook-bench.ts';
import type { WebhookBench } from '../webhooks/webhook-bench.ts';
import { until } from '../support/until.ts';
import { opened } from '../support/opened.ts';

const ALLOWANCE = 1_000;
const AT_ONCE = 50;

const dns = await opened(startDns({ 'hooks.example': ['127.0.0.1'] }));
let receiver: Receiver;
let bench: WebhookBench;
let processes: readonly Metering[];
const ending: (() => unknown)[] = [];

const store = await sharedStore();
beforeAll(async () => {
  const authority = makeAuthority();
  receiver = await startReceiver(authority.issue('DNS:hooks.example'));
  const network = { resolve: createResolver(dns.servers), ca: authority.ca };
  bench = webhookBench(store, network, { clock: systemClock });
});
afterAll(async () => {
  await bench.close();
  await receiver.close();
});
beforeEach(async () => {
  processes = await Promise.all([startMetering(), startMetering(), startMetering()]);
});
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function startMetering(): Promise<Metering> {
  const { dataDir, remove } = newDataDir();
  const log = { error: (message: string) => console.error(message) };
  const plans = plansOf(ALLOWANCE);
  const metering = composeMetering({ store, dataDir, clock: systemClock, plans, log });
  await metering.start();
  ending.push(remove, () => metering.stop());
  return metering;
}

async function answer({ meter }: Metering, principal: Principal, units: number): Promise<void> {
  meter.admit(principal, '192.0.2.1');
  await meter.reserve(principal, units);
  meter.settle(principal, units, answered(units));
}

/** Each process answers its part while all of them fold. */
async function fiftyAtOnce(principal: Principal): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const metering = processes[n % processes.length]!;
      await answer(metering, principal, 1);
      if (n % 4 === 0) await metering.fold();
    }),
  );
  await Promise.all(processes.map((metering) => metering.fold()));
}

describe('usage.threshold', () => {
  test('is one event at 80 % and one at 100 %, however many requests pass them together', async () => {
    const account = await bench.accounts.account('pro');
    const url = `https://hooks.example:${receiver.port}/`;
    const { id } = await bench.register(account, url, ['usage.threshold']);
    const principal = principalOf(account, { tier: 'pro' });
    bench.start();
    const [first] = processes;
    const told = async (): Promise<readonly object[]> =>
      (await bench.rows(id)).map(({ body }) => (JSON.parse(body) as { data: object }).data);

    await answer(first!, principal, 0.8 * ALLOWANCE - 1);
    await first!.fold();
    expect(await told()).toEqual([]);
    await fiftyAtOnce(principal);
    expect(await told()).toMatchObject([{ threshold_pct: 80, tier: 'pro', allowance: ALLOWANCE }]);

    await answer(first!, principal, 0.2 * ALLOWANCE - AT_ONCE);
    await first!.fold();
    expect(await told()).toHaveLength(1);
    await fiftyAtOnce(principal);
    expect(await told()).toMatchObject([{ threshold_pct: 80 }, { threshold_pct: 100 }]);

    await until(async () =>
      (await bench.rows(id)).every(({ status: ended }) => ended === 'success'),
    );
    const sent = receiver.received.map(({ body }) => (JSON.parse(body) as { data: object }).data);
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(expect.arrayContaining([...(await told())]));
  });
});
