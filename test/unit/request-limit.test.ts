/** The limits of maps: by key and by client address, apart from a plan's burst. */
import { describe, expect, test } from 'vitest';
import { TRIAL_ACCOUNT } from '../../src/account/ids.ts';
import { asVisitor } from '../../src/account/principal.ts';
import type { Principal } from '../../src/account/principal.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { WHOLE_SHARE } from '../../src/kernel/burst.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { RequestLimit } from '../../src/metering/request-limit.ts';

function limitOf(perSecond: number) {
  const clock = { nowMs: 1_000_000 };
  const limiters = localLimiters();
  limiters.share.write(WHOLE_SHARE);
  const limit = new RequestLimit({ perSecond, limiters, monotonicMs: () => clock.nowMs });
  return { limit, clock };
}

const key = (keyId: string) => ({ keyId }) as Principal;

/** How many of so many requests at one moment go through. */
function admitted(limit: RequestLimit, who: Principal, address: string, asked: number): number {
  let count = 0;
  for (let n = 0; n < asked; n++) {
    try {
      limit.admit(who, address);
      count += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect((error as Failure).type).toBe('rate_limited');
    }
  }
  return count;
}

describe('requests of maps', () => {
  test('are limited by the key, wherever it is used from', () => {
    const { limit, clock } = limitOf(50);
    expect(
      admitted(limit, key('a'), '192.0.2.1', 60) + admitted(limit, key('a'), '192.0.2.2', 60),
    ).toBe(100);
    clock.nowMs += 1_000;
    expect(admitted(limit, key('a'), '192.0.2.3', 100)).toBe(50);
  });

  test('are limited by the client address, whatever its keys; an IPv6 network counts as one', () => {
    const { limit } = limitOf(10);
    expect(admitted(limit, key('a'), '2001:db8::1', 15)).toBe(15);
    expect(admitted(limit, key('b'), '2001:db8::2', 15)).toBe(5);
    expect(admitted(limit, key('b'), '192.0.2.9', 20)).toBe(15);
  });

  test("are limited by the client address alone where the key is everybody's", () => {
    const { limit } = limitOf(10);
    const trial = { keyId: 'a', accountId: TRIAL_ACCOUNT } as Principal;
    const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
    expect(admitted(limit, asVisitor(trial, one), one, 30)).toBe(20);
    expect(admitted(limit, asVisitor(trial, two), two, 30)).toBe(20);
    expect(limit.states(asVisitor(trial, three), three).key.remaining).toBe(20);
  });

  test('tell what is left, and take nothing of a request that is refused', () => {
    const { limit } = limitOf(5);
    admitted(limit, key('a'), '192.0.2.1', 10);
    expect(admitted(limit, key('b'), '192.0.2.1', 3)).toBe(0);
    const { key: own, address } = limit.states(key('b'), '192.0.2.1');
    expect(own).toEqual({ limit: 10, windowS: 2, remaining: 10, resetS: 0 });
    expect(address).toEqual({ limit: 10, windowS: 2, remaining: 0, resetS: 2 });
  });
});
