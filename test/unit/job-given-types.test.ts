/** What a column of text is in a workbook: numbers and dates that lose nothing as such, else text. */
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/core/rows/cells.ts';
import { Table, danishDate, givenTypeOf, plainNumber } from '../../src/jobs/files/table.ts';

test.each<[readonly Cell[], 'text' | 'number' | 'date']>([
  [['12,5', '', '-7', null, '1.234.567,25', '0,5', '0'], 'number'],
  [['31-01-2026', '1.2.2026', undefined, '29/02/2024 8.05'], 'date'],
  [['0093', '8000'], 'text'],
  [['12', 'ukendt'], 'text'],
  [['12.345', '1'], 'text'],
  [['31-02-2026'], 'text'],
  [['01/31/2026'], 'text'],
  [['12', '31-01-2026'], 'text'],
  [['+45', '1'], 'text'],
  [['6,50E+05'], 'text'],
  [['1234567890123456'], 'text'],
  [['', null, undefined], 'text'],
  // Of a workbook: it has types of its own.
  [[12, '13'], 'text'],
])('%j is a column of %s', (cells, type) => {
  expect(givenTypeOf(cells)).toBe(type);
});

test.each([
  ['1.234,50', 1234.5],
  ['-0,25', -0.25],
  ['12.5', 12.5],
  ['012', null],
  ['1 000', null],
  ['', null],
])('%s as a number is %s', (text, value) => {
  expect(plainNumber(text)).toBe(value);
});

test.each([
  ['1-2-2026', '2026-02-01'],
  ['31.12.2026 23:59', '2026-12-31T23:59:00'],
  ['31.12.2026 23.59.58', '2026-12-31T23:59:58'],
  ['2026-01-31', null],
  ['31-01-26', null],
  ['31-01-1890', null],
  ['31-01-2026 24:00', null],
])('%s as a date is %s', (text, iso) => {
  expect(danishDate(text)).toBe(iso);
});

describe('a table', () => {
  const inputColumns = ['antal', 'dag', 'postnr', 'x'];
  const rows = [
    ['12,5', '31-01-2026', '8000', '645003,25'],
    ['0093', 'i går', '8000', '6.45'],
  ];

  function written(isTyped: boolean): unknown[][] {
    const cells: unknown[][] = [];
    const into = (value: unknown) => void cells.at(-1)?.push(value);
    const sink = {
      empty: () => into(null),
      text: into,
      number: (text: string) => into(Number(text)),
      boolean: into,
    };
    const job = { inputColumns, columns: { postnr: 'postnr', x: 'x' } };
    const about = { which: 'errors', answerColumns: [], types: {}, isDanish: true } as const;
    const table = new Table({ job, ...about, isTyped });
    const found = rows.map((given, i) => {
      return { number: i + 1, given, status: 400, error: 'x', answer: [] };
    });
    table.learn(found.slice(0, 1));
    for (const row of found) {
      cells.push([]);
      table.fill(row, sink);
    }
    return cells.map((row) => row.slice(0, inputColumns.length));
  }

  test('has what its first rows tell, and leaves later cells that do not fit as written', () => {
    expect(written(true)).toEqual([
      [12.5, '2026-01-31', '8000', 645003.25],
      ['0093', 'i går', '8000', 6.45],
    ]);
    expect(written(false)).toEqual([
      ['12,5', '31-01-2026', '8000', 645003.25],
      ['0093', 'i går', '8000', 6.45],
    ]);
  });
});
