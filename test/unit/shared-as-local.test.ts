/** Limits of one thread's memory are as those in memory that threads share, where one thread alone uses it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_SHARE, nextShare } from '../../src/kernel/burst.ts';
import type { Rate, Share } from '../../src/kernel/burst.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import type { Limiters } from '../../src/kernel/limiters.ts';
import { createLimiterMemory } from '../../src/threads/limits/memory.ts';
import { sharedLimiters } from '../../src/threads/limits/shared-limiters.ts';
import { amountOf } from '../support/run-settings.ts';

const memory = createLimiterMemory(1);
let stories = 0;

/** Both, for holders that no earlier story had. */
function both<T>(make: (limiters: Limiters, name: (of: number) => string) => T): [T, T] {
  stories += 1;
  // Two of them of one home of IPv6.
  const home = `2001:db8:${stories.toString(16)}`;
  const name = (of: number): string => (of === 2 ? `${stories}` : `${home}:${of}`);
  return [make(localLimiters(), name), make(sharedLimiters(memory, 0), name)];
}

interface Step {
  readonly kind: 'take' | 'give' | 'wait' | 'share';
  readonly of: number;
  readonly amount: number;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('take' as const, 'take', 'take', 'give', 'wait', 'wait', 'share'),
    of: fc.nat(2),
    amount: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 50, maxLength: 200, size: 'max' },
);

function play(
  story: readonly Step[],
  step: (step: Step, nowMs: number, share: Share) => void,
): void {
  let nowMs = 1_000;
  let share = nextShare(NO_SHARE, 1, -Infinity);
  for (const each of story) {
    if (each.kind === 'wait') nowMs += each.amount * 32;
    else if (each.kind === 'share') share = nextShare(share, [1, 0.5, 0.25][each.of] ?? 1, nowMs);
    else step(each, nowMs, share);
  }
}

describe('shared by one thread as local', () => {
  test('counters', () => {
    fc.assert(
      fc.property(steps, (story) => {
        const counters = both((limiters, name) => {
          const counter = limiters.counter('layer files', { each: 60, total: 100 });
          const held = [0, 0, 0];
          return ({ kind, of, amount }: Step) => {
            if (kind === 'take') {
              const full = counter.add(name(of), amount);
              if (full === null) held[of]! += amount;
              return [full, counter.countOf(name(of))];
            }
            const back = Math.min(amount, held[of]!);
            held[of]! -= back;
            counter.remove(name(of), back);
            return [null, counter.countOf(name(of))];
          };
        });
        play(story, (step) => expect(counters[1](step)).toEqual(counters[0](step)));
        // What is left would count for the next story.
        for (const of of [0, 1, 2])
          for (const counter of counters) counter({ kind: 'give', of, amount: 100 });
      }),
      { numRuns: amountOf({ gate: 20, night: 50 }) },
    );
  });

  test('buckets, where what comes back in a millisecond can be written in the word', () => {
    const rate: Rate = { size: 16, perMs: 1 / 128 };
    fc.assert(
      fc.property(steps, (story) => {
        const [local, shared] = both((limiters, name) => {
          const bucketOf = limiters.buckets('accounts');
          const buckets = [0, 1, 2].map((of) => bucketOf(name(of)));
          return ({ kind, of, amount }: Step, nowMs: number, share: Share) => {
            const bucket = buckets[of]!;
            if (kind === 'give') bucket.give();
            else for (let n = 0; n < amount / 8; n++) bucket.take(rate, share, nowMs, 1);
            return bucket.level(rate, share, nowMs);
          };
        });
        // test/unit/metering-burst.test.ts has shares that change: a refusal is written in one of them alone.
        const unshared = story.filter(({ kind }) => kind !== 'share');
        play(unshared, (step, nowMs, share) =>
          expect(shared(step, nowMs, share)).toBe(local(step, nowMs, share)),
        );
      }),
      { numRuns: amountOf({ gate: 20, night: 50 }) },
    );
  });

  test('windows', () => {
    const limit = { limit: 12, windowMs: 1_600 };
    fc.assert(
      fc.property(steps, (story) => {
        const [local, shared] = both((limiters, name) => {
          const windowOf = limiters.windows('clients of public keys', limit);
          const windows = [0, 1, 2].map((of) => windowOf(name(of)));
          return ({ of }: Step, nowMs: number, share: Share) => {
            const window = windows[of]!;
            const before = window.remaining(share, nowMs);
            const waitMs = window.take(share, nowMs);
            return [before, waitMs, window.remaining(share, nowMs), window.resetMs(nowMs)];
          };
        });
        play(story, (step, nowMs, share) =>
          expect(shared(step, nowMs, share)).toEqual(local(step, nowMs, share)),
        );
      }),
      { numRuns: amountOf({ gate: 20, night: 50 }) },
    );
  });

  test('sums of a period', () => {
    fc.assert(
      fc.property(steps, (story) => {
        const [local, shared] = both((limiters, name) => {
          const sumOf = limiters.sums('days of visitors', 4_000);
          const sums = [0, 1, 2].map((of) => sumOf(name(of)));
          return ({ kind, of, amount }: Step, nowMs: number) => {
            const sum = sums[of]!;
            if (kind === 'give') sum.giveBack(amount);
            const isTaken = kind === 'give' ? null : sum.take(amount, 200, nowMs);
            return [isTaken, sum.left(200, nowMs), sum.leftMs(nowMs)];
          };
        });
        play(story, (step, nowMs) => expect(shared(step, nowMs)).toEqual(local(step, nowMs)));
      }),
      { numRuns: amountOf({ gate: 20, night: 50 }) },
    );
  });
});
