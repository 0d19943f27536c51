/** Tables from bytes to columns: the spellings and the values they come in, and the names they are stored by. */
import { describe, expect, test } from 'vitest';
import { columnsOf, storeNamesOf } from '../../src/downloads/read-table.ts';
import { findColumn } from '../../src/downloads/table-cells.ts';
import * as values from '../../src/downloads/table-values.ts';
import { BBR_SCHEMA } from '../../src/registers/property/tables.ts';

const slice = (text: string): values.Slice => {
  const bytes = Buffer.from(text);
  return { bytes, start: 0, end: bytes.length };
};

describe('a column', () => {
  test.each(['byg026Opførelsesår', 'byg026Opfoerelsesaar', 'BYG026OPFORELSESAR', 'byg026'])(
    'of %s is found by its first six characters',
    (name) => expect(findColumn(['byg02', name], ['byg026'], true)).toBe(1),
  );

  test('of another name is not', () => {
    expect(findColumn(['byg027OmTilbygningsår', 'xbyg026'], ['byg026'], true)).toBe(-1);
    expect(findColumn(['bygningPåFremmedGrund'], ['bygning'])).toBe(-1);
  });

  test('of a name that was cut is found', () => {
    const cut = 'oprindelse_noejagtighedsklassen'.slice(0, 30);
    expect(findColumn([cut], ['oprindelsenoejagtighedsklassen'])).toBe(0);
  });
});

describe('a value', () => {
  test.each([
    ['0', 0],
    ['-46', -46],
    ['1000', 1000],
    ['7.0', 7],
    ['2147483648', null],
    ['7.5', null],
    ['-', null],
    ['1,5', null],
  ])('whole: %s', (text, value) => expect(values.readInteger(slice(text))).toBe(value));

  test.each([
    ['12.5', 12.5],
    ['0', 0],
    ['1,5', null],
    ['NaN', null],
  ])('decimal: %s', (text, value) => expect(values.readDecimal(slice(text))).toBe(value));

  test.each([
    ['2048-12-30T23:00:00Z', '2048-12-31'],
    ['2017-08-11T22:00:00Z', '2017-08-12'],
    // Summer time had ended in September, and the register's had not.
    ['1984-10-09T22:00:00Z', '1984-10-10'],
    ['1984-12-09T23:00:00Z', '1984-12-10'],
    ['1969-06-09T23:00:00Z', '1969-06-10'],
    ['1969-06-09T22:00:00Z', '1969-06-10'],
    ['2017-08-12', '2017-08-12'],
    ['2017-08-11T21:59:59.999Z', '2017-08-11'],
  ])('day of Denmark: %s', (text, day) => {
    expect(values.readDay(slice(text))).toBe(Date.parse(day) / 86_400_000);
  });

  test('day that is none', () => {
    expect(values.readDay(slice('i går'))).toBeNaN();
  });

  test('surface: of one polygon or of several, without the third ordinate', () => {
    const ring = '(1 2 0, 3 2 0, 3 4 0, 1 2 0)';
    const one = values.readSurface(slice(`POLYGON Z (${ring})`));
    expect(one).toEqual(values.readSurface(slice(`SRID=25832;MULTIPOLYGON Z ((${ring}))`)));
    expect(one).toHaveLength(9 + 9 + 4 + 4 * 16);
    for (const none of ['GEOMETRYCOLLECTION EMPTY', 'POLYGON ((1 2, 3 4, 1 2))', 'POINT (1 2)']) {
      expect(values.readSurface(slice(none)), none).toBeNull();
    }
    expect(values.readSurface(slice(`SRID=4326;POLYGON (${ring})`))).toBeNull();
  });

  test('of time is the instant Date knows, to the microsecond', () => {
    for (const text of [
      '2018-05-03T16:58:34.123Z',
      '2024-02-29T00:00:00+01:00',
      '1753-01-01T00:00:00Z',
      '1999-12-31T23:59:59-02:30',
      '2026-03-01',
      '2026-03-01T12:30Z',
    ]) {
      expect([text, values.readInstant(slice(text)) / 1000]).toEqual([text, Date.parse(text)]);
    }
    expect(values.readInstant(slice('2018-05-29T15:30:00.004005Z')) % 1e6).toBe(4_005);
    expect(values.readInstant(slice('2018-13-01T00:00:00Z'))).toBeNaN();
    expect(values.readInstant(slice('snart'))).toBeNaN();
  });

  test('of place is read with and without a height', () => {
    expect(values.readPoint(slice('POINT (588454.58 6140353.14)'))).toEqual([
      588_454.58, 6_140_353.14,
    ]);
    expect(values.readPoint(slice('POINT Z(1 2 3)'))).toEqual([1, 2]);
    expect(values.readPoint(slice('POINT EMPTY'))).toBeNull();
  });

  test('of a number keeps a nought that is all there is', () => {
    const number = slice('000');
    values.normaliseNumber(number, new Uint8Array(8), true);
    expect(Buffer.from(number.bytes.subarray(number.start, number.end)).toString()).toBe('0');
  });
});

test('the halves of a point take the name of no other column', () => {
  const decimal = { kind: 'decimal', from: ['n'] } as const;
  const columns = ['x', 'y', 'geom_y'].map((each) => ({ ...decimal, name: each }));
  const point = { ...decimal, name: 'p', kind: 'point' } as const;
  const placed = { ...BBR_SCHEMA.tables[0]!, columns: [...columns, point] };
  const names = ['x', 'y', 'geom_y', 'p', 'registered_from', 'valid_from'];
  expect(storeNamesOf(columnsOf(placed))).toEqual(names);
});
