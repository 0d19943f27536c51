/** Which rung answers, second by second (D34, D42). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyAgeS } from '../../src/layers/published-copy.ts';
import { answeringCopy, heldStanding, notHere, tooOld } from '../../src/core/standing/standing.ts';
import { standingOf } from '../../src/core/standing/standing.ts';
import { allMirrored } from '../../src/layers/catalogue.ts';
import type { Freshness } from '../../src/layers/source.ts';
import type { PublishedCopy } from '../../src/layers/published-copy.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { ADDRESSES, ASSESSMENTS } from '../../src/layers/keys.ts';
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

  it.each(['held', 'refused'])('asks no register that is %s where there is no copy', (what) => {
    const register = { ...OPEN, [what]: true };
    expect(judge(null, 0, { ...FACTS, register })).toEqual(['unavailable', null, false]);
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
  const at = (ageS: number) => ({ clock: { nowMs: () => after(ageS) } });

  it('that was judged before it was read answers of that moment', () => {
    const oldestS = mirrored.freshness.hardLimitS;
    const asked = { copy: COPY, by: 'snapshot' } as const;
    const standing = heldStanding(at(oldestS), mirrored, COPY);
    const answer = answeringCopy(at(oldestS + 1), mirrored, { ...asked, standing });
    expect(answer).toEqual({ rung: 'stale', ageS: oldestS });
    expect(() => answeringCopy(at(oldestS + 1), mirrored, asked)).toThrow('older than it may be');
  });

  it.each([
    [{ ...COPY, outdatedAtMs: null }, 'store'],
    [{ ...COPY, syncedAtMs: after(1) }, 'snapshot'],
    [HELD, 'snapshot'],
    [{ ...COPY, outdatedAtMs: after(0) }, 'stale'],
  ])("of addresses is judged anew where a property's rows are of another: %j", (copy, rung) => {
    const joined = { copy: COPY, provenance: { rung: 'store', ageS: 0 } } as const;
    const deps = { catalogue: REGISTERS_CATALOGUE };
    expect(addressProvenance(deps, { copy }, { nowMs: after(2), joined })?.rung).toBe(rung);
  });
});

describe('a copy that is not here or too old', () => {
  it.each(allMirrored(REGISTERS_CATALOGUE))('says when to ask again: $id', (mirrored) => {
    expect(notHere(mirrored)).toMatchObject({ status: 503, retryAfterS: 60 });
    // As the document says of assessments (D149).
    const status = mirrored.id === ASSESSMENTS ? 502 : 503;
    expect(tooOld(mirrored)).toMatchObject({ status, retryAfterS: 60 });
  });
});
