/** Which rung answers, second by second (D34, D42). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyAgeS } from '../../src/layers/published-copy.ts';
import {
  answeringCopy,
  heldStanding,
  notHere,
  standingOf,
} from '../../src/core/standing/standing.ts';
import { allMirrored } from '../../src/layers/catalogue.ts';
import type { Freshness } from '../../src/layers/source.ts';
import type { PublishedCopy } from '../../src/layers/published-copy.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { addressProvenance } from '../../src/registers/property/joins.ts';

const FACTS: Freshness & { readonly register?: typeof OPEN } = { limitS: 100, hardLimitS: 1000 };
const SYNCED_AT_MS = 1_700_000_000_000;
const COPY = { version: 1, syncedAtMs: SYNCED_AT_MS, held: false };
const HELD = { ...COPY, held: true };
const after = (seconds: number): number => SYNCED_AT_MS + 1000 * seconds;
const OPEN = { held: false, refused: false };

/** Which rung answers first and last, and whether a sync is wanted. */
function judge(copy: PublishedCopy | null, ageS: number, { register = OPEN, ...limits } = FACTS) {
  const moment = { nowMs: after(ageS), by: 'snapshot' as const, register };
  const { first, last, wantsSync } = standingOf(copy, limits, moment);
  return [typeof first === 'string' ? first : first.rung, last?.rung ?? null, wantsSync];
}

describe('the standing of a copy', () => {
  it.each([
    [COPY, 0, ['snapshot', 'snapshot', false]],
    [COPY, 100, ['snapshot', 'snapshot', false]],
    [COPY, 101, ['origin', 'stale', true]],
    [COPY, 1000, ['origin', 'stale', true]],
    [COPY, 1001, ['origin', null, true]],
    // The origin is never asked.
    [HELD, 100, ['snapshot', 'snapshot', false]],
    [HELD, 101, ['stale', 'stale', false]],
    [HELD, 1001, ['unavailable', null, false]],
    // Of a time to come: within the difference of clocks new, then old.
    [COPY, -5, ['snapshot', 'snapshot', false]],
    [COPY, -50, ['stale', 'stale', true]],
    [null, 0, ['origin', null, false]],
  ])('%j of %d s: %j', (copy, ageS, wanted) => {
    expect(judge(copy, ageS)).toEqual(wanted);
    expect(copyAgeS(COPY, after(ageS))).toBe(Math.max(0, ageS));
  });

  it.each([
    [100, ['snapshot', 'snapshot', false]],
    [101, ['stale', 'stale', true]],
    [1001, ['unavailable', null, true]],
  ])('of %d s, when its register was refused: %j', (ageS, wanted) => {
    expect(judge(COPY, ageS, { ...FACTS, register: { held: false, refused: true } })).toEqual(
      wanted,
    );
  });

  it('asks no register that was refused or is held where there is no copy', () => {
    for (const register of [
      { ...OPEN, held: true },
      { ...OPEN, refused: true },
    ]) {
      expect(judge(null, 0, { ...FACTS, register })).toEqual(['unavailable', null, false]);
    }
  });

  it('never lets a copy past its hard limit answer, whatever the limits', () => {
    const seconds = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(seconds, seconds, seconds, (limitS, hardLimitS, ageS) => {
        if (ageS <= hardLimitS) return;
        expect(judge(COPY, ageS, { limitS, hardLimitS })).toEqual(['origin', null, true]);
        expect(judge(HELD, ageS, { limitS, hardLimitS })).toEqual(['unavailable', null, false]);
      }),
    );
  });
});

describe('a copy in memory', () => {
  const mirrored = REGISTERS_CATALOGUE.registers[ADDRESSES];
  const { hardLimitS } = mirrored.freshness;
  let nowMs = after(hardLimitS);
  const clock = { nowMs: () => nowMs };

  it('that was judged before it was read answers of that moment', () => {
    nowMs = after(hardLimitS);
    const standing = heldStanding({ clock }, mirrored, COPY)!;
    nowMs = after(hardLimitS + 1);
    const stale = { rung: 'stale', ageS: hardLimitS };
    const asked = { copy: COPY, by: 'snapshot' } as const;
    expect(answeringCopy({ clock }, mirrored, { ...asked, standing })).toEqual(stale);
    expect(heldStanding({ clock }, mirrored, COPY)).toBeNull();
    expect(() => answeringCopy({ clock }, mirrored, asked)).toThrow('older than it may be');
  });

  it.each([
    ['of the same copy', { ...COPY, outdatedAtMs: null }, 'judged'],
    ['of a later reading', { ...COPY, syncedAtMs: after(1) }, 'snapshot'],
    ['of a held one', HELD, 'snapshot'],
    ['of one that is outdated', { ...COPY, outdatedAtMs: after(0) }, 'stale'],
  ])("addresses %s as a property's rows are judged with them or anew", (_, copy, rung) => {
    const judged = { rung: 'judged' as 'snapshot', ageS: 0 };
    const deps = { catalogue: REGISTERS_CATALOGUE };
    const joined = { copy: COPY, provenance: judged };
    const moment = { nowMs: after(2), joined };
    expect(addressProvenance(deps, { copy }, moment)?.rung).toBe(rung);
    expect(addressProvenance(deps, { copy }, { ...moment, joined: null })).not.toBe(judged);
  });
});

describe('a copy that is not here', () => {
  it.each(allMirrored(REGISTERS_CATALOGUE))('says when to ask again: $id', (mirrored) => {
    expect(notHere(mirrored)).toMatchObject({ status: 503, retryAfterS: 60 });
  });
});
