/** Blocks, months and promises over a real store, with a clock that is turned. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import {
  addAccount,
  answered,
  newDataDir,
  plansOf,
  principalOf,
  tallyOf,
} from '../metering/metering-fixture.ts';
import type { Plans } from '../../src/account/plans.ts';
import type { Principal } from '../../src/account/principal.ts';
import { TRIAL_ACCOUNT } from '../../src/account/ids.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { NO_SHARE, nextShare } from '../../src/kernel/burst.ts';
import type { Entry } from '../../src/metering/journal.ts';
import { AccountMeter } from '../../src/metering/meter.ts';
import { Quota } from '../../src/metering/quota.ts';
import { Months } from '../../src/metering/months.ts';
import { monthOf } from '../../src/metering/calendar.ts';
import { acquireGrant, readMonths, writeGrants } from '../../src/metering/store-grants.ts';
import { foldChunk, openJournal } from '../../src/metering/usage-flusher.ts';
import { Journal } from '../../src/metering/journal.ts';
import { readChunk } from '../../src/metering/journal-lines.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { localLimiters, sharedLimiters } from '../../src/kernel/limiters.ts';
import type { Limiters } from '../../src/kernel/limiters.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';

const store = await sharedStore();

/** A meter over the real store, with time, journal and the way to the store in the test's hand. */
class Bench {
  readonly meter: AccountMeter;
  readonly limiters: Limiters;
  readonly lines: Entry[] = [];
  nowMs = Date.parse('2026-03-10T12:00:00Z');
  monotonicMs = 1000;
  questions = 0;
  trouble: unknown[] = [];
  isStoreUnavailable = false;
  /** As the watch over the store tells it; counted by the test. */
  readonly outages = { isUnavailable: false, count: 0, failed: () => undefined };
  readonly months: Months;
  diskIsFull = false;
  hangs = false;

  constructor(plans: Plans, instance = `i${Math.random()}`, limiters = localLimiters()) {
    const reach = async <T>(work: () => Promise<T>): Promise<T> => {
      this.questions++;
      if (this.hangs) await new Promise(() => undefined);
      if (this.isStoreUnavailable) throw new Error('connect ECONNREFUSED');
      return await work();
    };
    this.months = new Months({
      read: (month, most) => reach(() => readMonths(store, instance, { month, most })),
      monotonicMs: () => this.monotonicMs,
      most: 1000,
    });
    const quota = new Quota({
      outages: this.outages,
      months: this.months,
      source: {
        acquire: (question) => reach(() => acquireGrant(store, instance, question)),
        write: (states) => reach(() => writeGrants(store, instance, states)),
      },
      monotonicMs: () => this.monotonicMs,
      onTrouble: (error) => this.trouble.push(error),
      onAnswer: () => undefined,
    });
    this.limiters = limiters;
    limiters.share.write(nextShare(NO_SHARE, 1, -Infinity));
    this.meter = new AccountMeter({
      plans,
      clock: { nowMs: () => this.nowMs },
      monotonicMs: () => this.monotonicMs,
      quota,
      outages: this.outages,
      mapsPerSecond: 50,
      limiters,
      journal: this,
    });
  }

  record(entries: readonly Entry[]): void {
    if (this.diskIsFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    this.lines.push(...entries);
  }

  /** The store is away, and it is known; or it is back. */
  away(isUnavailable = true): void {
    this.isStoreUnavailable = isUnavailable;
    this.outages.isUnavailable = isUnavailable;
    if (isUnavailable) this.outages.count++;
  }

  /** Reads what is left of everybody's month, as a process does every few seconds. */
  async readMonths(): Promise<void> {
    this.monotonicMs += 1;
    await this.months.refresh(monthOf(this.nowMs).firstDay);
    this.monotonicMs += 1;
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

  /** Units that are set aside and answered. */
  async use(principal: Principal, units: number): Promise<void> {
    await this.meter.reserve(principal, units);
    this.meter.settle(principal, units, answered(units));
  }

  /** So many seconds pass, and what was idle is given back. */
  async idle(seconds = 6): Promise<void> {
    this.monotonicMs += 1_000 * seconds;
    await this.meter.tidy();
  }

  /** What is said to be left of the month; nothing is said before anything was asked for. */
  month(principal: Principal) {
    const { month } = this.meter.limits(principal, '');
    return month ?? { limit: NaN, windowS: NaN, remaining: 0, resetS: NaN };
  }
}

/** An account of so many units a month, and a meter that serves it. */
async function account(units: number) {
  return { bench: new Bench(plansOf(units)), principal: principalOf(await addAccount(store)) };
}

async function outstanding(accountId: string): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(granted - spent), 0)::int as units from usage_grant
    where account_id = ${accountId}`.execute(store.db);
  return rows[0]!.units;
}

describe('a reservation', () => {
  test('asks the store once for a lease, and then not at all', async () => {
    const { bench, principal } = await account(1000);
    await bench.meter.reserve(principal, 1);
    expect(bench.questions).toBe(1);
    for (let i = 0; i < 100; i++) expect(bench.meter.reserve(principal, 1)).toBeUndefined();
    expect(bench.questions).toBe(1);
    // What is left of the month, not of the lease.
    expect(bench.month(principal)).toMatchObject({ limit: 1000, remaining: 899 });
  });

  test('is what the month is known by: before it no number is told, none left is told as none', async () => {
    const { bench, principal } = await account(3);
    expect(bench.meter.limits(principal, '').month).toBeNull();
    await bench.meter.reserve(principal, 3);
    expect(bench.meter.limits(principal, '').month).toMatchObject({ limit: 3, remaining: 0 });
    bench.meter.settle(principal, 3, answered(3));
    expect(await bench.refusal(principal)).toMatchObject({ type: 'quota_exceeded' });
    expect(bench.meter.limits(principal, '').month).toMatchObject({ limit: 3, remaining: 0 });
  });

  test('is made once for many that wait together', async () => {
    const { bench, principal } = await account(1000);
    await Promise.all(Array.from({ length: 300 }, () => bench.refusal(principal)));
    expect(bench.questions).toBeLessThanOrEqual(2);
  });

  test('that does not fit whole is refused whole and takes nothing', async () => {
    const { bench, principal } = await account(40);
    await bench.use(principal, 30);
    const refusal = await bench.refusal(principal, 11);
    expect(refusal).toMatchObject({ type: 'quota_exceeded', status: 429 });
    await bench.use(principal, 10);
    expect(await bench.refusal(principal, 1)).toMatchObject({ type: 'quota_exceeded' });
    expect(bench.lines.reduce((sum, { units }) => sum + units, 0)).toBe(40);
  });

  test('gives back what was not answered', async () => {
    const { bench, principal } = await account(40);
    await bench.meter.reserve(principal, 40);
    bench.meter.settle(principal, 40, answered(0));
    expect(bench.lines).toEqual([]);
    expect(bench.month(principal).remaining).toBe(40);
    expect(await bench.refusal(principal, 40)).toBeNull();
  });

  test('is given back when its line cannot be written, and its answer is refused', async () => {
    const { bench, principal } = await account(40);
    await bench.meter.reserve(principal, 40);
    bench.diskIsFull = true;
    expect(() => bench.meter.settle(principal, 40, answered(40))).toThrow(Failure);
    expect(bench.month(principal).remaining).toBe(40);
    bench.diskIsFull = false;
    await bench.use(principal, 40);
    expect(() => bench.meter.settle(principal, 1, answered(1))).toThrow(Failure);
    expect(bench.lines).toHaveLength(1);
  });

  test('goes on while a lease lasts when the store is unavailable, and is refused early afterwards', async () => {
    const { bench, principal } = await account(400);
    await bench.meter.reserve(principal, 1);
    bench.isStoreUnavailable = true;
    for (let i = 0; i < 99; i++) expect(await bench.refusal(principal)).toBeNull();
    await sleep(1);
    bench.monotonicMs += 1000;
    const asked = bench.questions;
    const refusal = await bench.refusal(principal);
    expect(refusal).toMatchObject({ type: 'overloaded', retryAfterS: 1 });
    for (let i = 0; i < 50; i++) await bench.refusal(principal);
    expect(bench.questions).toBe(asked + 1);
    bench.isStoreUnavailable = false;
    bench.monotonicMs += 1000;
    expect(await bench.refusal(principal)).toBeNull();
    // What a lost answer may have granted is set right with the next one.
    expect(bench.month(principal).remaining).toBe(400 - 101);
    expect(await outstanding(principal.accountId)).toBeLessThan(400);
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
      await bench.use(principal, 5);
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
    await one.idle();
    two.monotonicMs += 3000;
    expect(await two.refusal(principal, 9)).toBeNull();
    expect(await two.refusal(principal, 1)).toMatchObject({ type: 'quota_exceeded' });
  });

  test('is remembered: a storm of requests past the quota asks the store once a second', async () => {
    const { bench, principal } = await account(5);
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

  test('turns at Danish midnight: the quota is whole again and the old lease is gone', async () => {
    const { bench, principal } = await account(20);
    bench.nowMs = TURN - 1;
    await bench.use(principal, 20);
    expect(await bench.refusal(principal)).toMatchObject({ retryAfterS: 1 });
    bench.nowMs = TURN;
    expect(bench.meter.limits(principal, '').month).toBeNull();
    await bench.use(principal, 20);
    expect(bench.lines.map(({ date, units }) => [date, units])).toEqual([
      ['2026-03-31', 20],
      ['2026-04-01', 20],
    ]);
  });

  test('that a reservation was made in is the one it counts in', async () => {
    const { bench, principal } = await account(20);
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
    await bench.idle();
    // 7 and 20 are on their way to the store, nothing else is promised.
    expect(await outstanding(principal.accountId)).toBe(27);
  });

  test('is the former one, with what was used of it, when the clock is set back', async () => {
    const { bench, principal } = await account(20);
    bench.nowMs = TURN - 5000;
    await bench.use(principal, 8);
    bench.nowMs = TURN + 86_400_000;
    await bench.use(principal, 1);
    for (let tidied = 0; tidied < 3; tidied++) await bench.idle();
    bench.nowMs = TURN - 4000;
    await bench.use(principal, 12);
    expect(await bench.refusal(principal)).toMatchObject({ retryAfterS: 4 });
    const lines = bench.lines.map(({ date, units }) => [date, units]);
    expect(lines).toEqual([
      ['2026-03-31', 8],
      ['2026-04-02', 1],
      ['2026-03-31', 12],
    ]);
    expect(await outstanding(principal.accountId)).toBe(21);
  });
});

/** All that is told at times, else a few; where none is told, one. */
function unitsOf(step: number, told: number): number {
  return step % 5 === 0 ? Math.max(1, told) : 1 + ((step * 7) % 5);
}

/** Three processes that share a small month, and what each tells to be left of it. */
class Edge {
  readonly benches: readonly Bench[];
  readonly principal: Principal;
  readonly #units: number;
  answered = 0;
  /** How often none was told, some, and some that was not at hand. */
  readonly told = { none: 0, some: 0, unheld: 0 };

  constructor(units: number, principal: Principal) {
    const plans = plansOf(units);
    this.#units = units;
    this.principal = principal;
    this.benches = [new Bench(plans), new Bench(plans), new Bench(plans)];
    for (const bench of this.benches)
      bench.limiters.share.write(nextShare(NO_SHARE, 1 / 3, -Infinity));
  }

  async step(step: number): Promise<void> {
    const bench = this.benches[step % 3]!;
    const isFresh = step % 2 === 0;
    if (isFresh) await bench.readMonths();
    const told = bench.meter.limits(this.principal, '').month?.remaining ?? null;
    const units = unitsOf(step, told ?? 1);
    const asked = bench.questions;
    const refused = await bench.refusal(this.principal, units);
    const label = `step ${step}: ${told} told, ${units} asked for`;
    if (told === 0) this.#none(refused, label);
    else if (told !== null) this.#some(refused, isFresh && units <= told, label);
    if (isFresh && refused === null && bench.questions > asked) this.told.unheld++;
    if (refused === null) this.#settle(bench, units, step % 16 === 0 ? 1 : 0);
    if (step % 10 !== 9) return;
    await bench.idle();
  }

  /** All that is left is answered by one of them. */
  async useUp(): Promise<void> {
    const [bench] = this.benches;
    const left = this.#units - this.answered;
    for (const each of this.benches) await each.meter.giveBackAll();
    for (const each of this.benches) each.monotonicMs += 3000;
    expect(await bench!.refusal(this.principal, left)).toBeNull();
    this.#settle(bench!, left, left);
  }

  #none(refused: Failure | null, label: string): void {
    this.told.none++;
    expect(refused, label).not.toBeNull();
  }

  #some(refused: Failure | null, isPromised: boolean, label: string): void {
    this.told.some++;
    if (isPromised) expect(refused, label).toBeNull();
  }

  #settle(bench: Bench, units: number, given: number): void {
    bench.meter.settle(this.principal, units, answered(given));
    this.answered += given;
  }
}

describe('what is told to be left', () => {
  test('was granted or can be had, and is none only where none is, with several processes at the edge', async () => {
    const edge = new Edge(120, principalOf(await addAccount(store)));
    for (let step = 0; step < 400; step++) {
      await edge.step(step);
      // The last quarter is at the very edge.
      if (step === 300) await edge.useUp();
      if (step % 4 > 0) continue;
      expect(await outstanding(edge.principal.accountId)).toBeLessThanOrEqual(120);
    }
    expect(edge.answered).toBe(120);
    expect(edge.told.none).toBeGreaterThan(50);
    expect(edge.told.some).toBeGreaterThan(100);
    expect(edge.told.unheld).toBeGreaterThan(10);
    for (const bench of edge.benches) await bench.meter.giveBackAll();
    expect(await outstanding(edge.principal.accountId)).toBe(120);
  });

  test('is no 0 after five idle seconds, nor of a key that was never used', async () => {
    const { bench, principal } = await account(50_000);
    await bench.readMonths();
    const fresh = bench.month(principal);
    expect(fresh).toMatchObject({ limit: 50_000, remaining: 50_000 });
    await bench.use(principal, 1);
    expect(bench.month(principal).remaining).toBe(49_999);
    await bench.idle();
    expect(await outstanding(principal.accountId)).toBe(1);
    expect(bench.month(principal).remaining).toBe(49_999);
    // One of six tells nearly all of a large month, less a lease of each of the others.
    const large = new Bench(plansOf(10_000_000));
    large.limiters.share.write(nextShare(NO_SHARE, 1 / 6, -Infinity));
    await large.readMonths();
    expect(large.month(principalOf(await addAccount(store))).remaining).toBe(9_950_000);
    // A month that is used up is told so before anything of it was asked for here.
    const full = principalOf(await addAccount(store), { tier: 'free' });
    const other = new Bench(plansOf(50_000));
    await other.use(full, 50_000);
    await bench.readMonths();
    expect(bench.month(full).remaining).toBe(1);
    await store.pool.query(
      `update usage_month set used = 50000 where account_id = '${full.accountId}'`,
    );
    await store.pool.query(`delete from usage_grant where account_id = '${full.accountId}'`);
    await bench.readMonths();
    expect(bench.month(full).remaining).toBe(0);
    expect(await bench.refusal(full)).toMatchObject({ type: 'quota_exceeded' });
  });
});

describe('while the store is away', () => {
  /** Serves single units until one is refused; at most so many. */
  async function serve(bench: Bench, principal: Principal, most = 100_000) {
    for (let served = 0; served < most; served++) {
      const refusal = await bench.refusal(principal);
      if (refusal !== null) return { served, refusal };
      bench.meter.settle(principal, 1, answered(1));
    }
    return { served: most, refusal: null };
  }

  test('an account that was idle goes on, by a hundredth of its month and 100 units at least', async () => {
    for (const [units, allowed] of [
      [1_000, 100],
      [50_000, 500],
      [1_000_000, 10_000],
    ] as const) {
      const bench = new Bench(plansOf(units));
      const [idle, never] = [
        principalOf(await addAccount(store), { tier: 'pro' }),
        principalOf(await addAccount(store), { tier: 'free' }),
      ];
      await bench.use(idle, 1);
      await bench.idle();
      await bench.readMonths();
      bench.away();
      bench.monotonicMs += 86_400_000;
      for (const principal of [idle, never]) {
        expect(bench.month(principal).remaining).toBe(allowed);
        const { served, refusal } = await serve(bench, principal);
        expect(served).toBe(allowed);
        expect(refusal).toMatchObject({ status: 503, code: 'store_unreachable' });
        expect(bench.month(principal).remaining).toBe(0);
      }
    }
  });

  test('what is at hand is kept, and comes first', async () => {
    const { bench, principal } = await account(1_000);
    await bench.use(principal, 1);
    bench.away();
    await bench.idle(86_400);
    expect(await serve(bench, principal)).toMatchObject({ served: 249 + 100 });
  });

  test('each outage has its own allowance, and a month that turns none', async () => {
    const { bench, principal } = await account(1_000);
    await bench.readMonths();
    bench.away();
    expect(await serve(bench, principal, 60)).toMatchObject({ served: 60 });
    bench.nowMs = Date.parse('2026-04-01T12:00:00Z');
    expect(await serve(bench, principal)).toMatchObject({ served: 40 });
    bench.away(false);
    bench.away();
    expect(await serve(bench, principal)).toMatchObject({ served: 100 });
  });

  test('nobody passes what was left of the month, shared by the processes there are', async () => {
    const plans = plansOf(1_000);
    const principal = principalOf(await addAccount(store));
    const [one, two] = [new Bench(plans), new Bench(plans)];
    for (const bench of [one, two])
      bench.limiters.share.write(nextShare(NO_SHARE, 1 / 2, -Infinity));
    await one.use(principal, 970);
    await one.meter.giveBackAll();
    for (const bench of [one, two]) await bench.readMonths();
    for (const bench of [one, two]) bench.away();
    expect(await serve(one, principal)).toMatchObject({ served: 15 });
    expect(await serve(two, principal)).toMatchObject({ served: 15 });
    // Used up is told as what it is.
    const full = principalOf(await addAccount(store));
    const third = new Bench(plans);
    await third.use(full, 1_000);
    third.away();
    expect(await third.refusal(full)).toMatchObject({ type: 'quota_exceeded' });
    // Nothing was ever told of this one's month: it is not guessed.
    const begun = new Bench(plans);
    begun.away();
    expect(await begun.refusal(principal)).toMatchObject({ status: 503 });
  });

  test('the bill is exact when it is back, and nothing is granted twice', async () => {
    const plans = plansOf(400);
    const { dataDir, remove } = newDataDir();
    const instance = `i${Date.now()}`;
    const journal = new Journal({ directory: dataDir, instance, log: { error: () => undefined } });
    try {
      const bench = new Bench(plans, instance);
      const principal = principalOf(await addAccount(store));
      await bench.readMonths();
      bench.away();
      expect(await serve(bench, principal)).toMatchObject({ served: 100 });
      journal.append(...bench.lines);
      const [segment] = journal.segments;
      const at = { journal: segment!.name, instance };
      await openJournal(store, at);
      const chunk = await readChunk(segment!.path, { from: 0, size: segment!.size, maxBytes: 1e6 });
      await foldChunk(store, { ...at, from: 0, chunk, atMs: bench.nowMs, plans });
      expect(await tallyOf(store, principal.accountId)).toMatchObject({
        used: 100,
        outstanding: 0,
        lines: 100,
        days: 100,
      });
      // Another process sees what is left, no more.
      const other = new Bench(plans);
      expect(await other.refusal(principal, 301)).toMatchObject({ type: 'quota_exceeded' });
      expect(await other.refusal(principal, 250)).toBeNull();
      bench.away(false);
      bench.monotonicMs += 10_000;
      expect(await bench.refusal(principal, 51)).toMatchObject({ type: 'quota_exceeded' });
      bench.monotonicMs += 10_000;
      expect(await bench.refusal(principal, 50)).toBeNull();
    } finally {
      journal.close();
      remove();
    }
  });

  test('a store that stays silent is waited for once, then the allowance answers', async () => {
    const { bench, principal } = await account(1_000);
    await bench.readMonths();
    // The watch notices while the first request waits.
    bench.hangs = true;
    setTimeout(() => bench.away(), 500);
    const startedMs = performance.now();
    expect(await bench.refusal(principal)).toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(HANG_MS);
    for (let i = 0; i < 50; i++) expect(bench.meter.reserve(principal, 1)).toBeUndefined();
  });
});

describe('meters of two threads', () => {
  function threads(plans: Plans): [Bench, Bench] {
    const memory = createLimiterMemory(2);
    const [first, second] = [0, 1].map(
      (thread) => new Bench(plans, `t${thread}${Math.random()}`, sharedLimiters(memory, thread)),
    );
    return [first!, second!];
  }

  /** How many of so many pass, by turns. */
  function passing(meters: readonly Bench[], asked: number, ask: (bench: Bench) => void): number {
    let passed = 0;
    for (let n = 0; n < asked; n++) {
      try {
        ask(meters[n % meters.length]!);
        passed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }
    return passed;
  }

  test('let a client address pass 60 times a minute, and the maps of a key twice 50 at once', () => {
    const both = threads(plansOf(1_000));
    const page = principalOf('acc', { kind: 'public' });
    expect(passing(both, 100, ({ meter }) => meter.admit(page, '192.0.2.1'))).toBe(60);
    expect(both[0].meter.limits(page, '192.0.2.1').address?.remaining).toBe(0);
    const key = principalOf('acc');
    const maps = ({ meter }: Bench): void => meter.admitMap(key, `192.0.2.${addresses++ % 4}`);
    let addresses = 0;
    expect(passing(both, 300, maps)).toBe(100);
  });

  test('answer a visitor 2,000 units a day', () => {
    const both = threads(plansOf(1_000));
    const visitor = principalOf(TRIAL_ACCOUNT, { visitor: '192.0.2.9' });
    for (const bench of both) bench.away();
    const served = passing(both, 300, ({ meter }) => void meter.reserve(visitor, 10));
    expect(served).toBe(200);
    expect(both[1].meter.limits(visitor, '').visitor?.remaining).toBe(0);
  });

  test('use one allowance in an outage, which ends when both have the store again', async () => {
    const both = threads(plansOf(1_000));
    const principal = principalOf(await addAccount(store));
    for (const bench of both) {
      await bench.readMonths();
      bench.away();
    }
    const ask = ({ meter }: Bench): void => void meter.reserve(principal, 1);
    expect(passing(both, 300, ask)).toBe(100);
    expect(both.map((bench) => bench.month(principal).remaining)).toEqual([0, 0]);
    both[0].away(false);
    await both[0].meter.tidy();
    both[0].away();
    expect(passing(both, 20, ask)).toBe(0);
    for (const bench of both) {
      bench.away(false);
      await bench.meter.tidy();
    }
    for (const bench of both) bench.away();
    expect(passing(both, 300, ask)).toBe(100);
  });
});
