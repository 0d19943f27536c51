/** What the account's page adds up of a month's use. */
import { describe, expect, test } from 'vitest';
import { FILLS, monthsBack, roundUp, sumUse } from '../../../src/web/konto/use-sums.ts';

const row = (day: string, operation: string, units: number, more: object = {}) => ({
  ...{ day, operation, units, requests: 1, key_id: 'key_a', environment: 'live' as const },
  ...more,
});
const asked = { month: '2026-02', environment: 'live', group: 'operation' } as const;

describe('the sums of a month', () => {
  test('have every day, to date too, and leave the other environment out', () => {
    const rows = [
      row('2026-02-03', 'lines', 5),
      row('2026-02-03', 'dagi', 2),
      row('2026-02-04', 'lines', 100, { environment: 'test' }),
      row('2026-02-28', 'dagi', 1),
    ];
    const { days, units, requests, parts } = sumUse(rows, asked);
    expect(days).toHaveLength(28);
    expect([units, requests]).toEqual([8, 3]);
    expect(days[2]).toMatchObject({ day: '2026-02-03', units: 7, toDate: 7 });
    expect(days[3]).toMatchObject({ units: 0, toDate: 7 });
    expect(days[27]).toMatchObject({ units: 1, toDate: 8 });
    expect(parts).toEqual([
      { id: 'lines', units: 5, requests: 1, fill: 0 },
      { id: 'dagi', units: 3, requests: 2, fill: 1 },
    ]);
  });

  test('are split by key as well, to the same total', () => {
    const rows = [
      row('2026-02-01', 'lines', 5),
      row('2026-02-01', 'lines', 7, { key_id: 'key_b' }),
    ];
    const { parts, units } = sumUse(rows, { ...asked, group: 'key' });
    expect(parts.map(({ id }) => id)).toEqual(['key_b', 'key_a']);
    expect(units).toBe(12);
  });

  test('put what is beyond the fills together, and lose none of it', () => {
    const rows = Array.from({ length: 9 }, (_, i) => row('2026-02-01', `o${i}`, i + 1));
    const { parts, days } = sumUse(rows, asked);
    expect(parts.filter(({ fill }) => fill === FILLS - 1)).toHaveLength(4);
    expect(days[0]).toMatchObject({ byFill: [9, 8, 7, 6, 5, 10], units: 45 });
  });
});

test.each([
  ['2026-11', '2026-11', ['2026-11']],
  ['2026-02', '2025-11', ['2026-02', '2026-01', '2025-12', '2025-11']],
  ['2026-02', '1990-01', ['2026-02', '2026-01', '2025-12', '2025-11', '2025-10']],
  // An account of a clock that was ahead.
  ['2026-02', '2026-05', ['2026-02']],
] as const)('from %s back to %s are the months %j', (latest, earliest, months) => {
  expect(monthsBack(latest, earliest, 5)).toEqual(months);
});

test.each([
  ...[
    [0, 1],
    [1, 1],
    [3, 5],
    [50_000, 50_000],
    [50_001, 100_000],
    [123, 200],
  ],
])('an axis of %d ends at %d', (value, end) => {
  expect(roundUp(value)).toBe(end);
});
