/** Numbers put together from digits are the texts JSON would write. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonWriter } from '../../src/answers/json-writer.ts';
import { jsonText } from '../../src/answers/json-text.ts';
import { distanceText, roundTo, roundedText } from '../../src/answers/numbers.ts';
import { amountOf } from '../support/run-settings.ts';

const out = new JsonWriter();

it.each([1, 2] as const)('writes %i decimals as JSON does', (decimals) => {
  const same = (value: number): void => {
    const expected = JSON.stringify(roundTo(value, decimals));
    expect(roundedText(value, decimals)).toBe(expected);
    expect(out.begin().rounded(value, decimals).take().toString()).toBe(expected);
  };
  const edges = [0, -0, 0.05, -0.05, 0.04, -0.04, 0.049999, 9.95, 99.995, 100, 0.1, 0.01, 1.005];
  edges.forEach(same);
  [1e14, 123456789012345.6, 1e16, -1e21, 5e-324].forEach(same);
  fc.assert(fc.property(fc.double({ min: -1e7, max: 1e7, noNaN: true }), same), {
    numRuns: amountOf({ gate: 1_000, night: 5_000 }),
  });
  fc.assert(fc.property(fc.integer({ min: -9_000_000, max: 9_000_000 }), (n) => same(n / 100)));
});

it('writes no distance as null', () => {
  expect(distanceText(null)).toBe('null');
});

it('writes whole numbers as JSON does', () => {
  const same = (value: number): void => {
    expect(out.begin().whole(value).take().toString()).toBe(JSON.stringify(value));
  };
  [0, 9, 10, 99, 100, 2 ** 30, 2 ** 30 + 1, 2 ** 31, 2 ** 53 - 1].forEach(same);
  fc.assert(fc.property(fc.nat(), same));
});

it('writes texts as JSON does, whatever is in them', () => {
  const same = (text: string): void => {
    expect(jsonText(text)).toBe(JSON.stringify(text));
  };
  ['', 'Æbelø', '"', '\\', '\n', '\u0000', '\u2028', '😀', '\ud800', '\udfff'].forEach(same);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), same), {
    numRuns: amountOf({ gate: 500, night: 2_000 }),
  });
  expect(jsonText(null)).toBe('null');
});
