/** Blocks, months and promises over a real store, with a clock that is turned. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { plansOf, principalOf, addAccount, answered } from './metering-fixture.ts';
import type { Plans } from '../../src/account/plans.ts';
import type { Principal } from '../../src/account/principal.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { NO_SHARE, nextShare } from '../../src/metering/burst.ts';
import type { Entry } from '../../src/metering/journal.ts';
import { createMeter } from '../../src/metering/meter.ts';
import type { MeterBook } from '../../src/metering/meter.ts';
import { Quota, blockSize } from '../../src/metering/quota.ts';
import { acquireGrant, writeGrants } from '../../src/metering/store-grants.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const WHOLE = nextShare(NO_SHARE, 1, -Infinity);

/** A meter over the real store, with time, journal and the way to the store in the test's hand. */
class Bench {
  readonly meter: MeterBook;
  readonly lines: Entry[] = [];
  nowMs = Date.parse('2026-03-10T12:00:00Z');
  monotonicMs = 1000;
  questions = 0;
  trouble: unknown[] = [];
  storeIsAway = false;
  diskIsFull = false;

  constructor(plans: Plans, instance = `i${Math.random()}`) {
    const reach = async <T>(work: () => Promise<T>): Promise<T> => {
      this.questions++;
      if (this.storeIsAway) throw new Error('connect ECONNREFUSED');
      return await work();
    };
    const quota = new Quota({
      source: {
        acquire: (question) => reach(() => acquireGrant(store, instance, question)),
        write: (states) => reach(() => writeGrants(store, instance, states)),
      },
      monotonicMs: () => this.monotonicMs,
      onTrouble: (error) => this.trouble.push(error),
      onAnswer: () => undefined,
    });
    this.meter = createMeter({
      plans,
      clock: { nowMs: () => this.nowMs },
      monotonicMs: () => this.monotonicMs,
      quota,
      share: () => WHOLE,
      record: (entries) => {
        if (this.diskIsFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        this.lines.push(...entries);
      },
    });
  }

  async refusal(principal: Principal, units = 1): Promise<Failure | null> {
    try {
      await this.meter.reserve(principal, units);
      return null;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }

  /** What is said to be left of the month; nothing is said before anything was asked for. */
  month(principal: Principal) {
    const { month } = this.meter.limits(principal, '');
    return month ?? { limit: NaN, windowS: NaN, remaining: 0, resetS: NaN };
  }
}

async function outstanding(accountId: string): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(granted - spent), 0)::int as units from usage_grant
    where account_id = ${accountId}`.execute(store.db);
  return rows[0]!.units;
}

describe('a reservation', () => {
  test('asks the store once for a block, and then not at all', async () => {
    const bench = new Bench(plansOf(1000));
    const principal = principalOf(await addAccount(store));
    await bench.meter.reserve(principal, 1);
    expect(bench.questions).toBe(1);
    for (let i = 0; i < 100; i++) expect(bench.meter.reserve(principal, 1)).toBeUndefined();
    expect(bench.questions).toBe(1);
    expect(bench.month(principal)).toMatchObject({ limit: 1000, remaining: 149 });
  });

  test('is what the month is known by: before it no number is told, none left is told as none', async () => {
    const bench = new Bench(plansOf(3));
    const principal = principalOf(await addAccount(store));
    expect(bench.meter.limits(principal, '').month).toBeNull();
    await bench.meter.reserve(principal, 3);
    expect(bench.meter.limits(principal, '').month).toMatchObject({ limit: 3, remaining: 0 });
    bench.meter.settle(principal, 3, answered(3));
    expect(await bench.refusal(principal)).toMatchObject({ type: 'quota_exceeded' });
    expect(bench.meter.limits(principal, '').month).toMatchObject({ limit: 3, remaining: 0 });
  });

  test('is made once for many that wait together', async () => {
    const bench = new Bench(plansOf(1000));
    const principal = principalOf(await addAccount(store));
    await Promise.all(Array.from({ length: 300 }, () => bench.refusal(principal)));
    expect(bench.questions).toBeLessThanOrEqual(2);
  });

  test('that does not fit whole is refused whole and takes nothing', async () => {
    const bench = new Bench(plansOf(40));
    const principal = principalOf(await addAccount(store));
    expect(await bench.refusal(principal, 30)).toBeNull();
    bench.meter.settle(principal, 30, answered(30));
    const refusal = await bench.refusal(principal, 11);
    expect(refusal).toMatchObject({ type: 'quota_exceeded', status: 429 });
    expect(await bench.refusal(principal, 10)).toBeNull();
    bench.meter.settle(principal, 10, answered(10));
    expect(await bench.refusal(principal, 1)).toMatchObject({ type: 'quota_exceeded' });
    expect(bench.lines.reduce((sum, { units }) => sum + units, 0)).toBe(40);
  });

  test('gives back what was not answered', async () => {
    const bench = new Bench(plansOf(40));
    const principal = principalOf(await addAccount(store));
    await bench.meter.reserve(principal, 40);
    bench.meter.settle(principal, 40, answered(0));
    expect(bench.lines).toEqual([]);
    expect(bench.month(principal).remaining).toBe(40);
    expect(await bench.refusal(principal, 40)).toBeNull();
  });

  test('is given back when its line cannot be written, and its answer is refused', async () => {
    const bench = new Bench(plansOf(40));
    const principal = principalOf(await addAccount(store));
    await bench.meter.reserve(principal, 40);
    bench.diskIsFull = true;
    expect(() => bench.meter.settle(principal, 40, answered(40))).toThrow(Failure);
    expect(bench.month(principal).remaining).toBe(40);
    bench.diskIsFull = false;
    expect(await bench.refusal(principal, 40)).toBeNull();
    bench.meter.settle(principal, 40, answered(40));
    expect(() => bench.meter.settle(principal, 1, answered(1))).toThrow(Failure);
    expect(bench.lines).toHaveLength(1);
  });

  test('goes on while a block lasts when the store is away, and is refused early afterwards', async () => {
    const bench = new Bench(plansOf(400));
    const principal = principalOf(await addAccount(store));
    await bench.meter.reserve(principal, 1);
    bench.storeIsAway = true;
    for (let i = 0; i < 99; i++) expect(await bench.refusal(principal)).toBeNull();
    await sleep(1);
    bench.monotonicMs += 1000;
    const asked = bench.questions;
    const refusal = await bench.refusal(principal);
    expect(refusal).toMatchObject({ type: 'overloaded', retryAfterS: 1 });
    for (let i = 0; i < 50; i++) await bench.refusal(principal);
    expect(bench.questions).toBe(asked + 1);
    bench.storeIsAway = false;
    bench.monotonicMs += 1000;
    expect(await bench.refusal(principal)).toBeNull();
    // What a lost answer may have granted is set right with the next one.
    expect(await outstanding(principal.accountId)).toBe(101 + bench.month(principal).remaining);
  });
});

describe('a refusal', () => {
  test('says when the month turns, over the night the clocks change', async () => {
    for (const [now, seconds] of [
      ['2026-03-28T23:00:00Z', 2 * 86_400 + 23 * 3600],
      ['2026-10-24T22:00:00Z', 6 * 86_400 + 25 * 3600],
    ] as const) {
      const bench = new Bench(plansOf(5));
      bench.nowMs = Date.parse(now);
      const principal = principalOf(await addAccount(store));
      await bench.meter.reserve(principal, 5);
      bench.meter.settle(principal, 5, answered(5));
      expect(bench.month(principal)).toMatchObject({ remaining: 0, resetS: seconds });
      expect(await bench.refusal(principal)).toMatchObject({ retryAfterS: seconds });
    }
  });

  test('says a few seconds while another process holds what is left', async () => {
    const plans = plansOf(20);
    const [one, two] = [new Bench(plans), new Bench(plans)];
    const principal = principalOf(await addAccount(store));
    await one.meter.reserve(principal, 1);
    await two.meter.reserve(principal, 10);
    expect(await two.refusal(principal, 1)).toMatchObject({
      type: 'quota_exceeded',
      retryAfterS: 3,
    });
    one.monotonicMs += 6000;
    await one.meter.tidy();
    two.monotonicMs += 3000;
    expect(await two.refusal(principal, 9)).toBeNull();
    expect(await two.refusal(principal, 1)).toMatchObject({ type: 'quota_exceeded' });
  });

  test('is remembered: a storm of requests past the quota asks the store once a second', async () => {
    const bench = new Bench(plansOf(5));
    const principal = principalOf(await addAccount(store));
    await bench.meter.reserve(principal, 5);
    await bench.refusal(principal);
    const asked = bench.questions;
    for (let i = 0; i < 500; i++) expect(await bench.refusal(principal)).not.toBeNull();
    expect(bench.questions).toBe(asked);
    // A raised cap is seen at once.
    expect(await bench.refusal({ ...principal, tier: 'pro', capUnits: 6 })).toBeNull();
  });
});

describe('the month', () => {
  const TURN = Date.parse('2026-03-31T22:00:00Z');

  test('turns at Danish midnight: the quota is whole again and the old block is gone', async () => {
    const bench = new Bench(plansOf(20));
    const principal = principalOf(await addAccount(store));
    bench.nowMs = TURN - 1;
    await bench.meter.reserve(principal, 20);
    bench.meter.settle(principal, 20, answered(20));
    expect(await bench.refusal(principal)).toMatchObject({ retryAfterS: 1 });
    bench.nowMs = TURN;
    expect(bench.meter.limits(principal, '').month).toBeNull();
    expect(await bench.refusal(principal, 20)).toBeNull();
    bench.meter.settle(principal, 20, answered(20));
    expect(bench.lines.map(({ date, units }) => [date, units])).toEqual([
      ['2026-03-31', 20],
      ['2026-04-01', 20],
    ]);
  });

  test('that a reservation was made in is the one it counts in', async () => {
    const bench = new Bench(plansOf(20));
    const principal = principalOf(await addAccount(store));
    bench.nowMs = TURN - 5;
    await bench.meter.reserve(principal, 7);
    bench.nowMs = TURN + 5;
    await bench.meter.reserve(principal, 20);
    bench.meter.settle(principal, 7, answered(7));
    bench.meter.settle(principal, 20, answered(20));
    expect(bench.lines.map(({ date, atMs, units }) => [date, atMs, units])).toEqual([
      ['2026-03-31', TURN - 1, 7],
      ['2026-04-01', TURN + 5, 20],
    ]);
    bench.monotonicMs += 6000;
    await bench.meter.tidy();
    // 7 and 20 are on their way to the store, nothing else is promised.
    expect(await outstanding(principal.accountId)).toBe(27);
  });

  test('stays when the clock is set back', async () => {
    const bench = new Bench(plansOf(20));
    const principal = principalOf(await addAccount(store));
    bench.nowMs = TURN + 5;
    await bench.meter.reserve(principal, 1);
    bench.nowMs = TURN - 5000;
    await bench.meter.reserve(principal, 1);
    bench.meter.settle(principal, 1, answered(1));
    expect(bench.lines).toMatchObject([{ date: '2026-04-01', atMs: TURN }]);
  });
});

describe('what is promised', () => {
  test('was granted, at every moment, with several processes at the edge', async () => {
    const plans = plansOf(120);
    const accountId = await addAccount(store);
    const principal = principalOf(accountId);
    const benches = [new Bench(plans), new Bench(plans), new Bench(plans)];
    let answeredUnits = 0;
    const check = async (): Promise<void> => {
      const promised = benches.reduce((sum, bench) => sum + bench.month(principal).remaining, 0);
      expect(promised + answeredUnits).toBeLessThanOrEqual(120);
      expect(await outstanding(accountId)).toBeLessThanOrEqual(120);
    };
    for (let step = 0; step < 150; step++) {
      const bench = benches[step % 3]!;
      const units = 1 + ((step * 7) % 5);
      const promised = bench.month(principal).remaining;
      const refused = await bench.refusal(principal, units);
      // A promise is kept.
      if (units <= promised) expect(refused).toBeNull();
      if (refused === null) {
        const given = step % 4 === 0 ? 0 : units;
        bench.meter.settle(principal, units, answered(given));
        answeredUnits += given;
      }
      if (step % 10 === 9) {
        bench.monotonicMs += 6000;
        await bench.meter.tidy();
      }
      await check();
    }
    for (const bench of benches) await bench.meter.giveBackAll();
    expect(await outstanding(accountId)).toBe(answeredUnits);
    const last = new Bench(plans);
    expect(await last.refusal(principal, 120 - answeredUnits)).toBeNull();
  });
});

test.each([
  [1000, { wanted: 1, least: 1 }, 250],
  [1_000_000, { wanted: 1, least: 1 }, 10_000],
  [12, { wanted: 1, least: 1 }, 10],
  [5, { wanted: 1, least: 1 }, 5],
  [5, { wanted: 50, least: 50 }, 0],
  [60, { wanted: 50, least: 50 }, 50],
  [0, { wanted: 1, least: 1 }, 0],
  [-3, { wanted: 1, least: 1 }, 0],
  [100_000, { wanted: 60_000, least: 1 }, 60_000],
])('of %i units left, %j takes %i', (available, needs, block) => {
  expect(blockSize(available, needs)).toBe(block);
});
