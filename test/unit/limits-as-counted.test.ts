/** Limits, of one thread and of two by turns, are those that plain counting gives. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_SHARE, WHOLE_SHARE, nextShare, windowSize } from '../../src/kernel/burst.ts';
import type { Rate, Share } from '../../src/kernel/burst.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { localLimiters, sharedLimiters } from '../../src/kernel/limiters.ts';
import type { Limiters } from '../../src/kernel/limiters.ts';
import { amountOf } from '../support/run-settings.ts';

const memory = createLimiterMemory(2);
const KINDS: Readonly<Record<string, readonly Limiters[]>> = {
  'one thread': [localLimiters()],
  'two threads': [sharedLimiters(memory, 0), sharedLimiters(memory, 1)],
};
let stories = 0;

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

interface Moment extends Step {
  readonly nowMs: number;
  readonly share: Share;
  readonly turn: number;
}

interface Played {
  play(moment: Moment): void;
  end?(): void;
}

/** `make` plays a story for holders that no earlier story had. */
function eachStory(make: (name: (of: number) => string) => Played): void {
  const story = fc.property(steps, (story) => {
    stories += 1;
    const number = stories;
    const played = make((of) => `${number} ${of}`);
    let nowMs = 1_000;
    let share = nextShare(NO_SHARE, 1, -Infinity);
    for (const [turn, step] of story.entries()) {
      if (step.kind === 'wait') nowMs += step.amount * 32;
      else if (step.kind === 'share') share = nextShare(share, [1, 0.5, 0.25][step.of] ?? 1, nowMs);
      else played.play({ ...step, nowMs, share, turn });
    }
    played.end?.();
  });
  fc.assert(story, { numRuns: amountOf({ gate: 20, night: 50 }) });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe.each(Object.entries(KINDS))('of %s', (_, threads) => {
  /** What each thread has of a limit, by turns. */
  const byTurns = <T>(make: (limiters: Limiters) => T): ((turn: number) => T) => {
    const made = threads.map(make);
    return (turn) => made[turn % made.length]!;
  };

  test('counters', () => {
    const limits = { each: 60, total: 100 };
    const counterOf = byTurns((limiters) => limiters.counter('layer files', limits));
    eachStory((name) => {
      // Each thread gives back what it took.
      const held = threads.map(() => [0, 0, 0]);
      const all = (of: number): number => sum(held.map((counts) => counts[of]!));
      const end = (): void => {
        for (const [thread, counts] of held.entries())
          for (const [of, count] of counts.entries()) counterOf(thread).remove(name(of), count);
      };
      const play = ({ kind, of, amount, turn }: Moment): void => {
        const counter = counterOf(turn);
        const own = held[turn % threads.length]!;
        if (kind === 'give') {
          const back = Math.min(amount, own[of]!);
          own[of]! -= back;
          counter.remove(name(of), back);
        } else {
          const isOver = all(of) + amount > limits.each;
          const isFull = sum([0, 1, 2].map(all)) + amount > limits.total;
          const full = isOver ? 'each' : isFull ? 'total' : null;
          expect(counter.add(name(of), amount)).toBe(full);
          if (full === null) own[of]! += amount;
        }
        expect(counter.countOf(name(of))).toBe(all(of));
      };
      return { play, end };
    });
  });

  test('buckets', () => {
    const rate: Rate = { size: 16, perMs: 1 / 128 };
    const bucketsOf = byTurns((limiters) => limiters.buckets('accounts'));
    eachStory((name) => {
      const levels = [16, 16, 16];
      let lastMs = 1_000;
      const play = ({ kind, of, nowMs, turn }: Moment): void => {
        for (const each of [0, 1, 2]) {
          levels[each] = Math.min(16, levels[each]! + (nowMs - lastMs) * rate.perMs);
        }
        lastMs = nowMs;
        const bucket = bucketsOf(turn)(name(of));
        expect(bucket.level(rate, WHOLE_SHARE, nowMs)).toBe(levels[of]);
        if (kind === 'give') {
          // A full bucket is not made.
          if (levels[of] === 16) return;
          bucket.give();
          levels[of] = Math.min(16, levels[of]! + 1);
        } else {
          const isThere = levels[of]! >= 4;
          const waitMs = isThere ? 0 : Math.max(1, (4 - levels[of]!) / rate.perMs);
          expect(bucket.take(rate, WHOLE_SHARE, nowMs, 4)).toBe(waitMs);
          if (isThere) levels[of]! -= 4;
        }
      };
      return { play };
    });
  });

  test('windows', () => {
    const limit = { limit: 12, windowMs: 1_600 };
    const windowsOf = byTurns((limiters) => limiters.windows('clients of public keys', limit));
    eachStory((name) => {
      const passed: number[][] = [[], [], []];
      const play = ({ of, nowMs, share, turn }: Moment): void => {
        const window = windowsOf(turn)(name(of));
        const counted = (passed[of] = passed[of]!.filter((ms) => ms > nowMs - 1_600));
        const size = windowSize(limit, share, nowMs);
        const left = Math.max(0, size - counted.length);
        expect(window.remaining(share, nowMs)).toBe(left);
        const leaving = counted[counted.length - size];
        const waitMs = leaving === undefined ? 1_000 : Math.max(1, leaving + 1_600 - nowMs);
        expect(window.take(share, nowMs)).toBe(left > 0 ? 0 : waitMs);
        if (left > 0) counted.push(nowMs);
        const resetMs = counted.length === 0 ? 0 : counted.at(-1)! + 1_600 - nowMs;
        expect(window.resetMs(nowMs)).toBe(resetMs);
      };
      return { play };
    });
  });

  test('sums of a period', () => {
    const sumsOf = byTurns((limiters) => limiters.sums('days of visitors', 4_000));
    eachStory((name) => {
      const used = [0, 0, 0];
      const endsMs = [0, 0, 0];
      const play = ({ kind, of, amount, nowMs, turn }: Moment): void => {
        const day = sumsOf(turn)(name(of));
        const units = nowMs < endsMs[of]! ? used[of]! : 0;
        if (kind === 'give') {
          day.giveBack(amount);
          used[of] = Math.max(0, units - amount);
        } else {
          const mayTake = units + amount <= 200;
          expect(day.take(amount, 200, nowMs)).toBe(mayTake);
          if (mayTake) used[of] = units + amount;
          if (mayTake && nowMs >= endsMs[of]!) endsMs[of] = nowMs + 4_000;
        }
        const now = nowMs < endsMs[of]! ? used[of]! : 0;
        expect(day.left(200, nowMs)).toBe(200 - now);
        expect(day.leftMs(nowMs)).toBe(now === 0 ? 0 : endsMs[of]! - nowMs);
      };
      return { play };
    });
  });
});
