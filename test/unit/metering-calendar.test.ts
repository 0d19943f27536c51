import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Calendar, monthOf, parseMonth } from '../../src/metering/calendar.ts';

const at = (iso: string): number => Date.parse(iso);

describe('the Danish calendar', () => {
  test.each([
    ['2026-01', '2025-12-31T23:00:00Z', '2026-01-31T23:00:00Z'],
    ['2026-03', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['2026-10', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    ['2028-02', '2028-01-31T23:00:00Z', '2028-02-29T23:00:00Z'],
  ])('%s begins and ends at Danish midnight', (key, start, end) => {
    const month = parseMonth(key);
    expect(month).toEqual({ key, firstDay: `${key}-01`, startMs: at(start), endMs: at(end) });
    expect(monthOf(at(start))).toEqual(month);
    expect(monthOf(at(end) - 1)).toEqual(month);
    expect(monthOf(at(start) - 1).endMs).toBe(at(start));
  });

  test('agrees with the zone rules at any moment', () => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Copenhagen' });
    const calendar = new Calendar();
    const nights = [
      '2026-03-28T22:00Z',
      '2026-03-29T21:00Z',
      '2026-10-24T21:00Z',
      '2026-10-25T22:00Z',
    ];
    const moment = fc.oneof(
      fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') }),
      // The nights the clocks change, by the second.
      fc.tuple(fc.constantFrom(...nights), fc.nat(7_200)).map(([from, s]) => at(from) + 1000 * s),
    );
    fc.assert(
      fc.property(moment, (ms) => {
        const date = format.format(ms);
        expect(calendar.date(ms)).toBe(date);
        const month = monthOf(ms);
        expect(month.key).toBe(date.slice(0, 7));
        expect(month.startMs <= ms && ms < month.endMs).toBe(true);
        expect(parseMonth(month.key)).toEqual(month);
      }),
    );
  });

  test('goes back with the clock', () => {
    const calendar = new Calendar();
    expect(calendar.month(at('2026-03-31T22:00:00Z')).key).toBe('2026-04');
    expect(calendar.month(at('2026-03-31T21:59:59Z')).key).toBe('2026-03');
  });

  test.each(['', '2026', '2026-00', '2026-13', '26-01', '2026-1', '2026-01-01', ' 2026-01'])(
    'does not take %j for a month',
    (text) => {
      expect(parseMonth(text)).toBeNull();
    },
  );
});
