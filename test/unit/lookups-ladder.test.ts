/** Which rung answers, second by second (D34, D42). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyAgeS } from '../../src/layers/published-copy.ts';
import { firstAnswer, firstRung, lastRung, wantsSync } from '../../src/core/standing/ladder.ts';

const FRESHNESS = { limitS: 100, hardLimitS: 1000 };
const SYNCED_AT_MS = 1_700_000_000_000;
const COPY = { version: 1, syncedAtMs: SYNCED_AT_MS, held: false };
const HELD = { ...COPY, held: true };
const after = (seconds: number): number => SYNCED_AT_MS + 1000 * seconds;

describe('the ladder', () => {
  it.each([
    { ageS: 0, first: 'copy', last: 'stale' },
    { ageS: 100, first: 'copy', last: 'stale' },
    { ageS: 101, first: 'origin', last: 'stale' },
    { ageS: 1000, first: 'origin', last: 'stale' },
    { ageS: 1001, first: 'origin', last: 'unavailable' },
  ])('asks the $first first at $ageS s, and is left with $last', ({ ageS, first, last }) => {
    expect(firstRung(COPY, FRESHNESS, after(ageS))).toBe(first);
    expect(lastRung(COPY, FRESHNESS, after(ageS))).toBe(last);
  });

  it.each([
    { ageS: 0, rung: 'copy' },
    { ageS: 100, rung: 'copy' },
    { ageS: 101, rung: 'stale' },
    { ageS: 1000, rung: 'stale' },
    { ageS: 1001, rung: 'unavailable' },
  ])('leaves a held copy of $ageS s at $rung: the origin is never asked', ({ ageS, rung }) => {
    expect(firstRung(HELD, FRESHNESS, after(ageS))).toBe(rung);
  });

  it.each([
    { ageS: 100, rung: 'snapshot', synced: false },
    { ageS: 101, rung: 'stale', synced: true },
    { ageS: 1000, rung: 'stale', synced: true },
    { ageS: 1001, rung: 'unavailable', synced: true },
  ])(
    'leaves a copy of $ageS s at $rung when its register was refused, and may sync it: $synced',
    ({ ageS, rung, synced }) => {
      const register = { held: false, refused: true };
      const standing = { nowMs: after(ageS), by: 'snapshot', register } as const;
      const answer = firstAnswer(COPY, FRESHNESS, standing);
      expect(typeof answer === 'string' ? answer : answer.rung).toBe(rung);
      expect(wantsSync(COPY, FRESHNESS, after(ageS))).toBe(synced);
      expect(wantsSync(HELD, FRESHNESS, after(ageS))).toBe(false);
    },
  );

  it('asks no register that was refused or is held where no copy is at hand', () => {
    const standing = { nowMs: SYNCED_AT_MS, by: 'store' } as const;
    const of = (held: boolean, refused: boolean) =>
      firstAnswer(null, FRESHNESS, { ...standing, register: { held, refused } });
    expect(of(false, false)).toBe('origin');
    expect(of(true, false)).toBe('unavailable');
    expect(of(false, true)).toBe('unavailable');
  });

  it('has only the origin where nothing was mirrored', () => {
    expect(firstRung(null, FRESHNESS, SYNCED_AT_MS)).toBe('origin');
    expect(lastRung(null, FRESHNESS, SYNCED_AT_MS)).toBe('unavailable');
  });

  it('takes a copy from the future as new within the clocks’ difference, then as late', () => {
    expect(copyAgeS(COPY, after(-50))).toBe(0);
    expect(firstRung(COPY, FRESHNESS, after(-5))).toBe('copy');
    expect(firstRung(COPY, FRESHNESS, after(-50))).toBe('stale');
    expect(lastRung(COPY, FRESHNESS, after(-50))).toBe('stale');
  });

  it('never lets a copy past its hard limit answer, whatever the limits', () => {
    const seconds = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(seconds, seconds, seconds, (limitS, hardLimitS, ageS) => {
        const freshness = { limitS, hardLimitS };
        const now = after(ageS);
        if (ageS <= hardLimitS) return;
        expect(firstRung(COPY, freshness, now)).toBe('origin');
        expect(lastRung(COPY, freshness, now)).toBe('unavailable');
        expect(firstRung(HELD, freshness, now)).toBe('unavailable');
      }),
    );
  });
});
