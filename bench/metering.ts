/**
 * What limits and metering cost one request: admission, reservation, one line on record, the numbers
 * for the headers, beside an empty function called as often. The journal is a real file and the store
 * a real one, folding meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { areasOf } from '../src/account/permissions.ts';
import type { Principal } from '../src/account/principal.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { composeMetering } from '../src/start/metering.ts';
import type { Metering } from '../src/metering/metering.ts';
import { interleave, seconds, threadCpuUs } from './harness/measure.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openData, openMigrated, temporaryDirectory } from './harness/store.ts';

const ACCOUNTS = 50;
/** As many as a quota lease holds: none of them asks the store. */
const REQUESTS = 2_000;
const ROUNDS = 60;
const FOLDED = 20_000;
const PLAN = {
  unitsPerMonth: { live: 1_000_000_000, test: 1_000_000_000 },
  requestsPerSecond: 100_000,
  overage: true,
  batches: true,
};

export async function benchMetering(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const data = await openData(cleanup);
  const dataDir = temporaryDirectory(cleanup);
  const store = await openMigrated(cleanup, data);
  const plans = { free: PLAN, pro: PLAN, business: PLAN };
  const metering = composeMetering({ store, dataDir, clock: systemClock, plans, log: console });
  await metering.start();
  cleanup.defer(() => metering.stop());
  return [...(await measure(metering)), await measureFolding(metering)];
}

async function measure(metering: Metering): Promise<BenchRow[]> {
  const principals = Array.from({ length: ACCOUNTS }, (_, i) => principalOf(i));
  const cpuUs = (work: (principal: Principal, i: number) => void): number =>
    threadCpuUs(() => {
      for (let i = 0; i < REQUESTS; i++) work(principals[i % ACCOUNTS]!, i);
    }) / REQUESTS;
  const times = await interleave(
    {
      prepare: async () => {
        for (const principal of principals) {
          await metering.meter.reserve(principal, 1);
          metering.meter.settle(principal, 1, answered(0, 0));
        }
      },
      empty: () => cpuUs(empty),
      limits: () => cpuUs((principal) => limitsAlone(metering, principal)),
      whole: () => cpuUs((principal, i) => oneRequest(metering, principal, i)),
      // Prefetched leases arrive, folding gets its turn.
      rest: () => sleep(20),
    },
    { rounds: ROUNDS },
  );
  return [
    row('admit, reserve, settle and limits: processor time', mean(times.whole), 'µs', {
      beside: ['an empty function', mean(times.empty)],
      gate: '< 10',
    }),
    row('of it, without the line in the journal', mean(times.limits), 'µs'),
  ];
}

/** Lines a second the store takes while nothing else is asked of it. */
async function measureFolding(metering: Metering): Promise<BenchRow> {
  await metering.fold();
  const principal = principalOf(0);
  for (let line = 0; line < FOLDED; line++) {
    await metering.meter.reserve(principal, 1);
    metering.meter.settle(principal, 1, answered(line, 1));
  }
  const elapsedS = await seconds(() => metering.fold());
  return row('folding into the store', FOLDED / elapsedS, 'lines/s');
}

/** Keeps the compiler from leaving out what nobody reads. */
export let sink = 0;

function empty(principal: Principal, i: number): void {
  sink += i + principal.keyId.length;
}

function limitsAlone({ meter }: Metering, principal: Principal): void {
  meter.admit(principal, '192.0.2.1');
  void meter.reserve(principal, 1);
  meter.settle(principal, 1, answered(0, 0));
  sink += meter.limits(principal, '192.0.2.1').burst.remaining;
}

function oneRequest({ meter }: Metering, principal: Principal, i: number): void {
  meter.admit(principal, '192.0.2.1');
  const waiting = meter.reserve(principal, 1);
  if (waiting !== undefined)
    throw new Error('A quota lease ran out in the middle of the measurement.');
  meter.settle(principal, 1, answered(i, 1));
  sink += meter.limits(principal, '192.0.2.1').burst.remaining;
}

function answered(i: number, units: number) {
  const requestId = `0f7c9a52-1f6e-4a0b-9d2e-${i.toString(16).padStart(12, '0')}`;
  return { operation: 'GET /v1/natur/byggelinjer', requestId, generation: 17, units };
}

function principalOf(i: number): Principal {
  const name = String(i).padStart(20, 'a');
  return {
    keyId: `key_${name}`,
    accountId: `account_${name}`,
    tier: 'business',
    environment: 'live',
    kind: 'secret',
    areas: areasOf('read'),
    origins: [],
    capUnits: null,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
