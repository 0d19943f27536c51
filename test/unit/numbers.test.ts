/** Numbers put together from digits are the texts JSON would write. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distanceText, roundTo, roundedText } from '../../src/http/wire/numbers.ts';

it.each([1, 2] as const)('writes %i decimals as JSON does', (decimals) => {
  const same = (value: number): void => {
    expect(roundedText(value, decimals)).toBe(JSON.stringify(roundTo(value, decimals)));
  };
  const edges = [0, -0, 0.05, -0.05, 0.04, -0.04, 0.049999, 9.95, 99.995, 100, 0.1, 0.01, 1.005];
  edges.forEach(same);
  [1e14, 123456789012345.6, 1e16, -1e21, 5e-324].forEach(same);
  fc.assert(fc.property(fc.double({ min: -1e7, max: 1e7, noNaN: true }), same), { numRuns: 5_000 });
  fc.assert(fc.property(fc.integer({ min: -9_000_000, max: 9_000_000 }), (n) => same(n / 100)));
});

it('writes no distance as null', () => {
  expect(distanceText(null)).toBe('null');
});
