/** What a register must hold in all for its word about one place to be taken. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { believableTotal } from '../../src/layers/believable.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';

const GUARDS = { ...LINE_LAYERS.skov.guards, minRows: 5, maxDropShare: 0.1, maxGrowthShare: 0.25 };

test('a register may lose and gain what one run may bring, and not one row more', () => {
  expect(believableTotal(GUARDS, 10)).toEqual({ leastRows: 9, mostRows: 12 });
  expect(believableTotal(GUARDS, 100)).toEqual({ leastRows: 90, mostRows: 125 });
  expect(believableTotal(GUARDS, 101)).toEqual({ leastRows: 91, mostRows: 126 });
  // In binary 10 rows less 0.7 of them are more than 3, and 100 with 0.15 more fewer than 115.
  const binary = { ...GUARDS, minRows: 1, maxDropShare: 0.7, maxGrowthShare: 0.15 };
  expect(believableTotal(binary, 10).leastRows).toBe(3);
  expect(believableTotal(binary, 100).mostRows).toBe(115);
});

test('of a copy of unknown or no size only the least rows are known', () => {
  for (const sourceRows of [null, 0]) {
    expect(believableTotal(GUARDS, sourceRows)).toEqual({ leastRows: 5, mostRows: null });
  }
});

test('the least rows hold, however few the copy has', () => {
  expect(believableTotal({ ...GUARDS, minRows: 95 }, 100).leastRows).toBe(95);
});

test('a register without a single row is never believed, whatever may be lost', () => {
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 0, max: 1_000_000 })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (sourceRows, maxDropShare) => {
        const guards = { ...GUARDS, minRows: 0, maxDropShare };
        expect(believableTotal(guards, sourceRows).leastRows).toBeGreaterThanOrEqual(1);
      },
    ),
  );
});
