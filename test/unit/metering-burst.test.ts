import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { NO_SHARE, burstRate, nextShare } from '../../src/kernel/burst.ts';
import type { Share, TokenBucket } from '../../src/kernel/burst.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { localLimiters, sharedLimiters } from '../../src/kernel/limiters.ts';
import { divide } from '../../src/metering/instances.ts';
import { amountOf } from '../support/run-settings.ts';

const WHOLE: Share = nextShare(NO_SHARE, 1, -Infinity);

let holders = 0;
const newHolder = (): string => `holder ${holders++}`;
const bucketOf = localLimiters().buckets('accounts');
const newBucket = (): TokenBucket => bucketOf(newHolder());

describe('a token bucket', () => {
  const rate = burstRate(5);

  test('holds two seconds of the plan and fills at its rate', () => {
    const bucket = newBucket();
    for (let i = 0; i < 10; i++) expect(bucket.take(rate, WHOLE, 1000)).toBe(0);
    expect(bucket.take(rate, WHOLE, 1000)).toBe(200);
    expect(bucket.take(rate, WHOLE, 1199)).toBeCloseTo(1, 5);
    expect(bucket.take(rate, WHOLE, 1200)).toBe(0);
    expect(bucket.level(rate, WHOLE, 60_000)).toBe(10);
  });

  test('gains nothing when time stands still or goes back', () => {
    const bucket = newBucket();
    for (let i = 0; i < 10; i++) bucket.take(rate, WHOLE, 5000);
    expect(bucket.take(rate, WHOLE, 4000)).toBeGreaterThan(0);
    expect(bucket.level(rate, WHOLE, 4000)).toBeLessThan(1);
  });

  test('is not filled at once for the time in which others had the larger part', () => {
    const half = nextShare(WHOLE, 0.5, 100_000);
    const bucket = newBucket();
    for (let i = 0; i < 5; i++) expect(bucket.take(rate, half, 100_000)).toBe(0);
    // 400 ms at half of 5 a second: one token; the next half second of the whole: two and a half.
    const whole = nextShare(half, 1, 100_400);
    expect(bucket.level(rate, whole, 100_400)).toBeCloseTo(1, 5);
    expect(bucket.level(rate, whole, 100_900)).toBeCloseTo(3.5, 5);
  });
});

/** Any number of processes that share one limit, as they join, leave and are asked. */
type Event =
  | { readonly kind: 'ask'; readonly process: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'join' | 'leave'; readonly process: number };

const process = fc.integer({ min: 0, max: 3 });
const events = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('ask' as const), process }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        ms: fc.integer({ min: 1, max: 900 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('join' as const, 'leave'), process }),
    },
  ),
  // Long stories: short ones never come to an edge.
  { minLength: 100, maxLength: 400, size: 'max' },
);

class Processes<T> {
  readonly shares = new Map<number, Share>();
  readonly limits = new Map<number, T>();
  readonly make: () => T;

  constructor(make: () => T) {
    this.make = make;
  }

  change(kind: 'join' | 'leave', id: number, nowMs: number): void {
    if ((kind === 'join') === this.shares.has(id)) return;
    const first = this.shares.size === 0;
    if (kind === 'leave') this.shares.delete(id);
    else {
      this.shares.set(id, NO_SHARE);
      this.limits.set(id, this.make());
    }
    const fraction = 1 / this.shares.size;
    for (const [each, share] of this.shares) {
      const since = first && !this.#everLeft ? -Infinity : nowMs;
      this.shares.set(each, nextShare(share, fraction, since));
    }
    if (kind === 'leave') this.#everLeft = true;
  }

  #everLeft = false;
}

const limiters = sharedLimiters(createLimiterMemory(2), 0);

/** Tells of each time a process that has the limit is asked, and when one last came or went. */
function eachStory<T>(
  make: () => T,
  begin: () => (limit: T, share: Share, nowMs: number, changedMs: number) => void,
): void {
  const property = fc.property(events, (story: Event[]) => {
    const all = new Processes(make);
    const asked = begin();
    let nowMs = 0;
    let changedMs = -Infinity;
    for (const event of story) {
      if (event.kind === 'wait') nowMs += event.ms;
      else if (event.kind !== 'ask') {
        all.change(event.kind, event.process, nowMs);
        changedMs = nowMs;
      } else {
        const [share, limit] = [all.shares.get(event.process), all.limits.get(event.process)];
        if (share !== undefined && limit !== undefined) asked(limit, share, nowMs, changedMs);
      }
    }
  });
  fc.assert(property, { numRuns: amountOf({ gate: 100, night: 300 }) });
}

describe('limits divided between processes', () => {
  test('let no more through together than one limit would, and promise no more than they let', () => {
    const rate = burstRate(7);
    const make = () => limiters.buckets('accounts')(newHolder());
    eachStory(make, () => {
      const one = newBucket();
      return (bucket, share, nowMs) => {
        const promised = Math.floor(bucket.level(rate, share, nowMs));
        const waitMs = bucket.take(rate, share, nowMs);
        expect(waitMs === 0).toBe(promised >= 1);
        // The undivided bucket is a hair more generous: what is divided is rounded.
        if (waitMs === 0) expect(one.level(rate, WHOLE, nowMs)).toBeGreaterThan(1 - 1e-6);
        if (waitMs === 0) one.take({ ...rate, size: rate.size + 1e-6 }, WHOLE, nowMs);
      };
    });
  });

  test('let no client address pass its requests a minute, but in one in which processes came or went', () => {
    const limit = { limit: 6, windowMs: 6000 };
    const make = () => limiters.windows('clients of public keys', limit)(newHolder());
    eachStory(make, () => {
      const passed: number[] = [];
      return (window, share, nowMs, changedMs) => {
        if (window.take(share, nowMs) > 0) return;
        passed.push(nowMs);
        // A newcomer knows nobody's past: then as with a bucket of that size that fills anew.
        const most = nowMs - changedMs >= 6000 ? 6 : 12;
        expect(passed.filter((ms) => ms > nowMs - 6000).length).toBeLessThanOrEqual(most);
      };
    });
  });
});

test('a limit is divided so that all parts in force together are never more than one', () => {
  const steps = fc.array(fc.record({ process, kind: fc.constantFrom('beat', 'join', 'leave') }), {
    maxLength: 200,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (story) => {
      // Parts in force, and as told; undefined: not there.
      const force = new Map<number, number>();
      for (const { process: id, kind } of story) {
        if (kind === 'join' && !force.has(id)) force.set(id, 0);
        else if (kind === 'leave') force.delete(id);
        else if (force.has(id)) {
          const others = [...force].filter(([each]) => each !== id).map(([, parts]) => parts);
          const { shrinkTo, growTo } = divide(force.get(id)!, others);
          force.set(id, shrinkTo ?? growTo ?? force.get(id)!);
        }
        const sum = [...force.values()].reduce(
          (all, parts) => all + (parts === 0 ? 0 : 1 / parts),
          0,
        );
        expect(sum).toBeLessThanOrEqual(1 + 1e-9);
      }
      // Left in peace, all come to the same share.
      for (let round = 0; round < 3; round++) {
        for (const [id, parts] of force) {
          const others = [...force].filter(([each]) => each !== id).map(([, other]) => other);
          const { shrinkTo, growTo } = divide(parts, others);
          force.set(id, shrinkTo ?? growTo ?? parts);
        }
      }
      for (const parts of force.values()) expect(parts).toBe(force.size);
    }),
  );
});
