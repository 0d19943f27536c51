/** What a column of text is in a workbook: numbers and dates that lose nothing as such, else text. */
import { expect, test } from 'vitest';
import type { Cell, Row } from '../../src/core/rows/cells.ts';
import { Table } from '../../src/jobs/files/table.ts';

/** Rows as a workbook has them; `learned`: how many are known before the first is written. */
function written(
  rows: readonly Row[],
  { isTyped = true, learned = rows.length } = {},
): unknown[][] {
  const inputColumns = ['antal', 'dag', 'postnr', 'x'].slice(0, rows[0]?.length);
  const cells: unknown[][] = [];
  const into = (value: unknown) => void cells.at(-1)?.push(value);
  const sink = {
    ...{ empty: () => into(null), text: into, boolean: into },
    number: (text: string) => into(Number(text)),
  };
  const job = { inputColumns, columns: { postnr: 'postnr', x: 'x' } };
  const about = { which: 'errors', answerColumns: [], types: {}, isDanish: true } as const;
  const table = new Table({ job, ...about, isTyped });
  const found = rows.map((given, i) => {
    return { number: i + 1, given, status: 400, error: 'x', answer: [] };
  });
  table.learn(found.slice(0, learned));
  for (const row of found) {
    cells.push([]);
    table.fill(row, sink);
  }
  return cells.map((row) => row.slice(0, inputColumns.length));
}

const columnOf = (cells: readonly Cell[]) => written(cells.map((cell) => [cell])).flat();

test.each<[given: readonly Cell[], cells: readonly unknown[]]>([
  [
    ['12,5', '', '-7', null, '1.234.567,25', '0,5', '0', '1.234,50', '12.5'],
    [12.5, null, -7, null, 1_234_567.25, 0.5, 0, 1_234.5, 12.5],
  ],
  [
    ['31-01-2026', '1.2.2026', undefined, '29/02/2024 8.05', '31.12.2026 23.59.58'],
    ['2026-01-31', '2026-02-01', null, '2024-02-29T08:05:00', '2026-12-31T23:59:58'],
  ],
])('%j are of their type', (given, cells) => {
  expect(columnOf(given)).toEqual(cells);
});

test.each<{ given: readonly Cell[] }>(
  [
    ...[['0093', '8000'], ['12', 'ukendt'], ['12.345', '1'], ['012'], ['1 000'], ['+45', '1']],
    ...[['6,50E+05'], ['1234567890123456'], ['31-02-2026'], ['01/31/2026'], ['12', '31-01-2026']],
    ...[['2026-01-31'], ['31-01-26'], ['31-01-1890'], ['31-01-2026 24:00'], [null, null]],
    // Of a workbook: it has types of its own.
    [12, '13'],
  ].map((given) => ({ given })),
)('$given are left as written', ({ given }) => {
  expect(columnOf(given)).toEqual(given);
});

test('has what its first rows tell, and leaves later cells that do not fit as written', () => {
  const rows = [
    ['12,5', '31-01-2026', '8000', '645003,25'],
    ['0093', 'i går', '8000', '6.45'],
  ];
  expect(written(rows, { learned: 1 })).toEqual([
    [12.5, '2026-01-31', '8000', 645003.25],
    ['0093', 'i går', '8000', 6.45],
  ]);
  expect(written(rows, { isTyped: false })).toEqual([
    ['12,5', '31-01-2026', '8000', 645003.25],
    ['0093', 'i går', '8000', 6.45],
  ]);
});
