/** Places that nobody can answer for, and what a measurement beside one is worth (D142, D143). */
import { describe, expect, it } from 'vitest';
import { isUnansweredAt, unansweredOf, worthOf } from '../../src/geo/unanswered.ts';
import type { MeasuredAt, Unanswered } from '../../src/geo/unanswered.ts';

const BOX = [650_000, 6_314_000, 650_060, 6_314_060] as const;
const PLACES = unansweredOf({ unreadable: [[600_000, 6_200_000, 600_001, 6_200_001], BOX] });
const RADIUS_M = 500;

const at = (xUtm32: number, yUtm32 = 6_314_030) => ({ xUtm32, yUtm32 });
const worth = (x: number, measured: MeasuredAt, places: readonly Unanswered[] | null = PLACES) =>
  worthOf(places, at(x), { measured, radiusM: RADIUS_M });
const nothingNear = { within: false, distanceM: null };

describe('a feature that could not be read', () => {
  it('leaves a point in its box, on its side and within the radius of it without an answer', () => {
    for (const x of [650_030, 650_060, 650_061, 650_560]) {
      expect(worth(x, nothingNear), String(x)).toBe('nothing');
    }
    expect(worth(650_560.1, nothingNear)).toBe('all');
    expect(worth(649_499.9, nothingNear)).toBe('all');
  });

  it('counts where it is as near as the nearest edge that is known', () => {
    expect(worth(650_160, { within: false, distanceM: 99.9 })).toBe('all');
    expect(worth(650_160, { within: false, distanceM: 100 })).toBe('nothing');
    expect(worth(650_160, { within: false, distanceM: 250 })).toBe('nothing');
  });

  it('may join the zone of a point inside one, however far its edge is', () => {
    expect(worth(650_160, { within: true, distanceM: -99 })).toBe('all');
    expect(worth(650_160, { within: true, distanceM: -101 })).toBe('nothing');
    expect(worth(651_060, { within: true, distanceM: -1_200 })).toBe('nothing');
    expect(worth(651_060, { within: true, distanceM: -900 })).toBe('all');
  });

  it('holds for areas inside its box and on its sides', () => {
    expect(isUnansweredAt(PLACES, at(650_060))).toBe(true);
    expect(isUnansweredAt(PLACES, at(650_060.1))).toBe(false);
    expect(isUnansweredAt(null, at(650_030))).toBe(false);
  });

  it('is nothing where there is none, and is made once', () => {
    expect(unansweredOf(null)).toBeNull();
    expect(unansweredOf({ unreadable: [] })).toBeNull();
    const places = { unreadable: [BOX] };
    expect(unansweredOf(places)).toBe(unansweredOf(places));
    expect(worth(650_030, nothingNear, null)).toBe('all');
  });
});

it('says nothing where a feature could not be read and the land ends beside it', () => {
  // Everything east of the box's west side; by itself: coverage.test.ts.
  const border: Unanswered = {
    kind: 'uncovered',
    distanceM: ({ xUtm32 }) => Math.max(0, 650_000 - xUtm32),
  };
  const measured = { within: true, distanceM: -150 };
  expect(worth(649_900, measured, [border, ...(PLACES ?? [])])).toBe('nothing');
});
