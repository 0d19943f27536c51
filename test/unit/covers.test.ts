import { booleanPointInPolygon, multiPolygon, point } from '@turf/turf';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wkbCovers } from '../../src/geo/covers.ts';
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { amountOf } from '../support/run-settings.ts';

const shell = [0, 0, 10, 0, 10, 10, 5, 4, 0, 10, 0, 0];
const hole = [2, 1, 2, 3, 4, 3, 4, 1, 2, 1];
const wkb = multiPolygonWkb([[shell, hole], [[20, 0, 30, 0, 20, 10, 20, 0]]]);
const covers = (x: number, y: number): boolean => wkbCovers(wkb, { xUtm32: x, yUtm32: y });

test('every edge and vertex belongs to the area, those of holes as well', () => {
  for (const at of ['0 0', '10 10', '5 0', '5 4', '2 2', '2 1', '3 3', '25 5', '20 10']) {
    const [x = 0, y = 0] = at.split(' ').map(Number);
    expect(covers(x, y), at).toBe(true);
  }
  expect(covers(3, 2)).toBe(false);
  expect(covers(5, 5)).toBe(false);
  expect(covers(15, 0)).toBe(false);
  expect(covers(-1, 0)).toBe(false);
});

test('agrees with another implementation off the boundary', () => {
  const pairs = (ring: number[]) =>
    ring.flatMap((x, n) => (n % 2 === 0 ? [[x, ring[n + 1] ?? 0]] : []));
  const area = multiPolygon([[pairs(shell), pairs(hole)], [pairs([20, 0, 30, 0, 20, 10, 20, 0])]]);
  fc.assert(
    fc.property(
      fc.double({ min: -2, max: 32, noNaN: true }),
      fc.double({ min: -2, max: 12, noNaN: true }),
      (x, y) => covers(x, y) === booleanPointInPolygon(point([x, y]), area),
    ),
    { numRuns: amountOf({ gate: 1_000, night: 5_000 }) },
  );
});

test('a line covers nothing, so it is refused', () => {
  expect(() => wkbCovers(lineWkb([0, 0, 1, 1]), { xUtm32: 0, yUtm32: 0 })).toThrow();
});
