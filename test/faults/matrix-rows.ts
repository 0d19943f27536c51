/**
 * Rows of the matrix for rows of a register's tables that cannot be read (D143): what of a row is broken. Played
 * by `row-case.ts` in every table of every register, from one row up, in a first copy, a later total and a delta.
 */
import type { RegisterTable, TableColumn } from '../../src/layers/register-tables.ts';
import { ROW_TIMES } from '../../src/downloads/read-table.ts';
import { findColumn } from '../../src/downloads/table-cells.ts';
import { oddEnds } from '../../sample/faults/data.ts';
import type { TableRow } from '../../sample/data/table-row.ts';

export interface RowBreak {
  readonly about: string;
  /** The cells of a row that it may strike; one of them is struck, or with `isAll` all. */
  readonly cells: (table: RegisterTable, row: TableRow) => readonly string[];
  readonly isAll?: true;
  /** The row comes as it is too: twice under its key. */
  readonly isTwin?: true;
  /** What may stand in the cell then; absent: what another row has there. */
  readonly values?: readonly (string | null)[];
}

const GARBAGE = ['?', 'ukendt', '12 3/4'] as const;
/** Kinds of columns that lead elsewhere, or that tell where or on which list a row is. */
const LEADING: ReadonlySet<TableColumn['kind']> = new Set([
  'uuid',
  'bigint',
  'point',
  'geometry',
  'surface',
]);

/** Any text is one of these. */
const OF_ANY_TEXT: ReadonlySet<TableColumn['kind']> = new Set([
  ...(['text', 'upper-number', 'lower-number'] as const),
]);

function named(columns: readonly TableColumn[], row: TableRow): readonly string[] {
  const names = Object.keys(row);
  return columns.flatMap(({ from, isPrefix }) => names[findColumn(names, from, isPrefix)] ?? []);
}

const isKey = ({ key }: RegisterTable, { name }: TableColumn) => key.includes(name);
const isNeeded = (table: RegisterTable, column: TableColumn) =>
  column.required === true && !isKey(table, column);

export const ROW_BREAKS: Readonly<Record<string, RowBreak>> = {
  'row-time': {
    about: 'One of the four times is no time',
    cells: (_table, row) => ROW_TIMES.filter((name) => name in row),
    values: ['i går', '31-02-2020', ...GARBAGE],
  },
  'row-end': {
    about: 'An end that is to come, a word for no end, or no time',
    cells: (_table, row) =>
      ['registreringTil', 'virkningTil'].filter((name) => name in row && row[name] === null),
    values: oddEnds(),
  },
  'row-key': {
    about: 'A part of the key is empty or invalid',
    cells: (table, row) =>
      named(
        table.columns.filter((each) => isKey(table, each) && !OF_ANY_TEXT.has(each.kind)),
        row,
      ),
    values: [null, ...GARBAGE],
  },
  'row-empty': {
    about: 'A needed value is missing',
    cells: (table, row) =>
      named(
        table.columns.filter(
          (each) => isNeeded(table, each) || (isKey(table, each) && OF_ANY_TEXT.has(each.kind)),
        ),
        row,
      ),
    values: [null],
  },
  'row-needed': {
    about: 'A needed value cannot be read',
    cells: (table, row) =>
      named(
        table.columns.filter((each) => isNeeded(table, each) && !OF_ANY_TEXT.has(each.kind)),
        row,
      ),
    values: GARBAGE,
  },
  'row-reference': {
    about: 'Its owner, reference or place cannot be read',
    cells: (table, row) =>
      named(
        table.columns.filter((each) => !isNeeded(table, each) && LEADING.has(each.kind)),
        row,
      ).filter((name) => row[name] !== null),
    values: GARBAGE,
  },
  'row-twin': {
    about: 'It comes twice under its key, once with a value of another row',
    cells: (table, row) =>
      // With the ended ones, rows of a table share a key by design.
      table.ended !== undefined || row['registreringTil'] || row['virkningTil']
        ? []
        : named(
            table.columns.filter((each) => !isKey(table, each)),
            row,
          ),
    isTwin: true,
  },
  'row-all': {
    about: 'Nothing can be read',
    cells: (_table, row) => Object.keys(row),
    values: GARBAGE,
    isAll: true,
  },
};
