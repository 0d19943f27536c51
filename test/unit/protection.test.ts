/** Whether a building is listed, of all rows of it (D114, D115): what is the strongest, and what nobody says. */
import { describe, expect, test } from 'vitest';
import { protection } from '../../src/registers/property/record/protection.ts';
import { PROTECTION_MEANINGS } from '../../src/registers/property/protection/protection.ts';

const PROVED = Date.UTC(2026, 10, 1, 2, 3, 4);
type Codes = readonly [status: number | null, value: number | null];
const judged = (rows: Parameters<typeof protection>[0], meanings = PROTECTION_MEANINGS) =>
  protection(rows, { meanings, provedAtMs: PROVED });
const told = (...codes: readonly Codes[]) =>
  judged(codes.map(([status, value]) => ({ status, value, isOfListed: status === 1 })));

describe('a building', () => {
  test('is listed by status 1 alone', () => {
    expect(told([1, null])).toEqual({
      fredet: true,
      status: 1,
      status_tekst: 'fredet',
      bevaringsvaerdi: null,
      kilde: 'fbb',
      hentet: '2026-11-01T02:03:04.000Z',
    });
    for (const [status, name] of [
      [2, 'bevaringssag'],
      [3, 'vurderet'],
      [4, 'ukendt'],
      [5, 'ingen_registrering'],
    ] as const) {
      expect(told([status, 4])).toMatchObject({ fredet: false, status, status_tekst: name });
    }
  });

  test('of several rows has the strongest status and the best value', () => {
    expect(told([3, 5], [1, null], [2, 3], [9, 2])).toMatchObject({
      fredet: true,
      status: 1,
      bevaringsvaerdi: 2,
    });
    expect(told([4, 4], [2, -1])).toMatchObject({ status: 2, bevaringsvaerdi: 4 });
  });

  test('of a code outside the list is not answered, unless another row lists it', () => {
    for (const code of [-7, 0, 6, 9, 10, 2_147_483_647]) {
      expect(told([code, 5])).toBeNull();
      expect(told([3, 5], [code, 5])).toBeNull();
      expect(told([code, 5], [1, null])).toMatchObject({ fredet: true, status: 1 });
    }
  });

  test.each([-1, 0, 10, null])('has no value of %s', (value) => {
    expect(told([3, value])?.bevaringsvaerdi).toBeNull();
  });

  test('with a value alone is not among the listed ones, and has no status', () => {
    const alone = { fredet: false, status: null, status_tekst: null };
    expect(told([null, 4])).toMatchObject({ ...alone, bevaringsvaerdi: 4 });
    expect(told([null, 4], [null, null], [null, 2])).toMatchObject({ bevaringsvaerdi: 2 });
    expect(told([null, 4], [3, null])).toMatchObject({ status: 3, bevaringsvaerdi: 4 });
  });

  test('without a row, or with one that says nothing, is not answered: that is not "not listed"', () => {
    expect(told()).toBeNull();
    expect(told([null, null])).toBeNull();
    expect(told([null, -1], [null, 0])).toBeNull();
  });

  test('that is among the listed ones without a status is never told as not listed', () => {
    const open = { status: null, value: 4, isOfListed: true };
    const surveyed = { status: 3, value: 2, isOfListed: false };
    expect(judged([open])).toBeNull();
    expect(judged([open, surveyed])).toBeNull();
    const listed = { status: 1, value: null, isOfListed: true };
    expect(judged([open, surveyed, listed])).toMatchObject({
      ...{ fredet: true, status: 1, bevaringsvaerdi: 2 },
    });
  });

  test('is what an operator says a code means', () => {
    const meanings = { ...PROTECTION_MEANINGS, '3': 'ukendt' } as const;
    const rows = [{ status: 3, value: null, isOfListed: false }];
    expect(judged(rows, meanings)?.status_tekst).toBe('ukendt');
    const listing = { ...meanings, '3': 'fredet' } as const;
    expect(judged(rows, listing)).toBeNull();
  });
});
