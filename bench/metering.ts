/**
 * What limits and metering cost one request: admission, reservation, one line on record, the numbers
 * for the headers, beside an empty function called as often. The journal is a real file and the store
 * a real one, folding meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { areasOf } from '../src/account/permissions.ts';
import type { Principal } from '../src/account/principal.ts';
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { composeMetering } from '../src/metering/compose.ts';
import type { Metering } from '../src/metering/compose.ts';
import { openData } from './data.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const ACCOUNTS = 50;
/** As many as a block holds: none of them asks the store. */
const REQUESTS = 2_000;
const ROUNDS = 60;
const PLAN = {
  unitsPerMonth: { live: 1_000_000_000, test: 1_000_000_000 },
  requestsPerSecond: 100_000,
  overage: true,
  batches: true,
};

export async function benchMetering(): Promise<readonly BenchRow[]> {
  const data = await openData();
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-bench-usage-'));
  try {
    const store = await openStore({ ...data, log: console });
    await migrate(store);
    const plans = { free: PLAN, pro: PLAN, business: PLAN };
    const metering = composeMetering({ store, dataDir, clock: systemClock, plans, log: console });
    await metering.start();
    const rows = await measure(metering);
    const folding = await measureFolding(metering);
    await metering.stop();
    await store.close();
    return [...rows, folding];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await data.close();
  }
}

async function measure(metering: Metering): Promise<BenchRow[]> {
  const principals = Array.from({ length: ACCOUNTS }, (_, i) => principalOf(i));
  const times: Record<'empty' | 'limits' | 'whole', number[]> = {
    empty: [],
    limits: [],
    whole: [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const principal of principals) {
      await metering.meter.reserve(principal, 1);
      metering.meter.settle(principal, 1, answered(0, 0));
    }
    times.empty.push(timed(principals, empty));
    times.limits.push(timed(principals, (principal) => limitsAlone(metering, principal)));
    times.whole.push(timed(principals, (principal, i) => oneRequest(metering, principal, i)));
    // Prefetched blocks arrive, folding gets its turn.
    await sleep(20);
  }
  const whole = mean(times.whole);
  return [
    row({
      what: 'admit, reserve, settle and limits: processor time',
      value: whole,
      unit: 'µs',
      reference: { what: 'an empty function', value: mean(times.empty) },
      gate: { text: '< 10', pass: whole < 10 },
    }),
    row({
      what: 'of it, without the line in the journal',
      value: mean(times.limits),
      unit: 'µs',
    }),
  ];
}

/** Lines a second the store takes while nothing else is asked of it. */
async function measureFolding(metering: Metering): Promise<BenchRow> {
  await metering.fold();
  const principal = principalOf(0);
  let lines = 0;
  while (lines < 20_000) {
    await metering.meter.reserve(principal, 1);
    metering.meter.settle(principal, 1, answered(lines, 1));
    lines++;
  }
  const started = performance.now();
  await metering.fold();
  const seconds = (performance.now() - started) / 1000;
  return row({ what: 'folding into the store', value: lines / seconds, unit: 'lines/s' });
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
  if (waiting !== undefined) throw new Error('A block ran out in the middle of the measurement.');
  meter.settle(principal, 1, answered(i, 1));
  sink += meter.limits(principal, '192.0.2.1').burst.remaining;
}

/** Processor time of this thread, microseconds a call: not moved by a busy machine. */
function timed(
  principals: readonly Principal[],
  work: (principal: Principal, i: number) => void,
): number {
  const before = process.threadCpuUsage();
  for (let i = 0; i < REQUESTS; i++) work(principals[i % ACCOUNTS]!, i);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / REQUESTS;
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
