/** The terms of the rows about registers of tables, and what may go wrong with the files of any. */
import type { RegisterId } from '../../src/layers/keys.ts';
import type { ProtectionFaults } from '../../sample/fbb/wfs.ts';
import type { TableFaults } from '../../sample/files/table-shelf.ts';

/**
 * `mirrored` rows say what is told of them. After the others nothing is told before the first copy, and the copy
 * before goes on answering after it.
 */
export interface TableRow {
  readonly about: string;
  readonly register: RegisterId;
  readonly sync: 'mirrored' | 'refused' | 'failed';
  readonly told: string;
  readonly tables?: TableFaults;
  readonly pages?: ProtectionFaults;
  /** Nobody listens at all. */
  readonly isStopped?: true;
}

export const HTML = Buffer.from('<!DOCTYPE html><html><body>Vedligeholdelse</body></html>');

type Rows = NonNullable<TableFaults['rows']>;

export function only(
  entity: Parameters<Rows>[0],
  change: (rows: Parameters<Rows>[1]) => ReturnType<Rows>,
): TableFaults {
  return { rows: (of, rows) => (of === entity ? change(rows) : rows) };
}

/** Of a register, by the letters that its rows begin with; `file`: what a file of it is called. */
export function brokenFiles(
  id: string,
  of: Pick<TableRow, 'register' | 'told'>,
  [server, file]: readonly [string, string] = ['file server', 'A file'],
): Readonly<Record<string, TableRow>> {
  const failed = { ...of, sync: 'failed' } as const;
  return {
    [`${id}-stopped`]: { about: `No ${server} listens`, ...failed, isStopped: true },
    [`${id}-cut`]: {
      about: `${file} is cut`,
      ...failed,
      tables: { zip: (_entity, zip) => zip.subarray(0, zip.length / 2) },
    },
    [`${id}-html`]: {
      about: `HTML instead of ${file.charAt(0).toLowerCase()}${file.slice(1)}`,
      ...failed,
      tables: { zip: () => Buffer.concat(Array.from({ length: 20 }, () => HTML)) },
    },
  };
}
