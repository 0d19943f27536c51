/**
 * Rows of the sample that are kept as files: columns by name, semicolons between cells, empty is null, `""` an empty
 * text. A column `name=value` has no cells: it is the same in every row. `name:type` is of that type at the source.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableRow } from './table-row.ts';

/** `name:type=value`, of which the name must be. */
const HEAD = /^([^:=]+)(?::([^=]*))?(?:=(.*))?$/;

interface File {
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    /** Its value in every row; undefined: each row has its own. */
    readonly same: string | undefined;
  }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export function csvFile(folder: string, name: string): File {
  const text = readFileSync(join(folder, `${name}.csv`), 'utf8').trimEnd();
  const [head = [], ...rows] = text.split('\n').map(cellsOf);
  const columns = head.map((each) => {
    const [, column = '', type = 'string', same] = HEAD.exec(each ?? '') ?? [];
    return { name: column, type, same };
  });
  return { columns, rows };
}

export function readCsv(folder: string, name: string): readonly TableRow[] {
  const { columns, rows } = csvFile(folder, name);
  const width = columns.filter(({ same }) => same === undefined).length;
  return rows.map((cells, n): TableRow => {
    if (cells.length !== width) throw new Error(`${name}.csv: line ${n + 2} is no row`);
    const own = cells.values();
    const values = columns.map(({ same }) =>
      same === undefined ? (own.next().value ?? null) : same || null,
    );
    return Object.fromEntries(columns.map((column, i) => [column.name, values[i] ?? null]));
  });
}

/** Each a file under its own name. */
export function readTables<E extends string>(folder: string, entities: readonly E[]) {
  const tables = entities.map((entity) => [entity, readCsv(folder, entity)] as const);
  return Object.fromEntries(tables) as Record<E, readonly TableRow[]>;
}

function cellsOf(line: string): (string | null)[] {
  const cells = `;${line}`.matchAll(/;(?:"([^"]*)"|([^;]*))/g);
  return [...cells].map(([, quoted, plain]) => quoted ?? (plain || null));
}
