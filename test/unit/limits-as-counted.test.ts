/** Limits, of one thread, of two by turns and divided between processes, are those that plain counting gives. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_SHARE, WHOLE_SHARE, burstRate, nextShare, windowSize } from '../../src/kernel/burst.ts';
import type { Rate, Share } from '../../src/kernel/burst.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { localLimiters, sharedLimiters } from '../../src/kernel/limiters.ts';
import type { Limiters } from '../../src/kernel/limiters.ts';
import { divide } from '../../src/metering/instances.ts';
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

const bucketOf = localLimiters().buckets('accounts');

test('a token bucket gains nothing when time stands still or goes back', () => {
  const bucket = bucketOf(newHolder());
  const rate = burstRate(5);
  for (let i = 0; i < 10; i++) bucket.take(rate, WHOLE_SHARE, 5000);
  expect(bucket.take(rate, WHOLE_SHARE, 4000)).toBeGreaterThan(0);
  expect(bucket.level(rate, WHOLE_SHARE, 4000)).toBeLessThan(1);
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
let holders = 0;
const newHolder = (): string => `holder ${holders++}`;

/** Tells of each time a process that has the limit is asked, and when one last came or went. */
function eachStoryOfProcesses<T>(
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
    eachStoryOfProcesses(make, () => {
      const one = bucketOf(newHolder());
      return (bucket, share, nowMs) => {
        const promised = Math.floor(bucket.level(rate, share, nowMs));
        const waitMs = bucket.take(rate, share, nowMs);
        expect(waitMs === 0).toBe(promised >= 1);
        // The undivided bucket is a hair more generous: what is divided is rounded.
        if (waitMs === 0) expect(one.level(rate, WHOLE_SHARE, nowMs)).toBeGreaterThan(1 - 1e-6);
        if (waitMs === 0) one.take({ ...rate, size: rate.size + 1e-6 }, WHOLE_SHARE, nowMs);
      };
    });
  });

  test('let no client address pass its requests a minute, but in one in which processes came or went', () => {
    const limit = { limit: 6, windowMs: 6000 };
    const make = () => limiters.windows('clients of public keys', limit)(newHolder());
    eachStoryOfProcesses(make, () => {
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
