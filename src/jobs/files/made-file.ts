/** Files of unknown length, so without ranges. */
import { csvRow, csvText, BYTE_ORDER_MARK, DANISH, PLAIN } from '../../core/rows/csv-cells.ts';
import type { CsvDialect } from '../../core/rows/csv-cells.ts';
import type { CellSink, TableOptions } from './table.ts';
import { Readable } from 'node:stream';
import type { Store } from '../../db/connect.ts';
import { Slice } from '../../kernel/turns.ts';
import type { Job } from '../../core/rows/job-types.ts';
import { kindOfJob } from '../../core/rows/kind.ts';
import type { JobKinds } from '../../core/rows/kind.ts';
import { aboutSheet } from './about.ts';
import { readJobChunks } from './file-store.ts';
import type { JobChunkRow } from './file-store.ts';
import { foundRows } from './found-rows.ts';
import type { Which } from './found-rows.ts';
import { Table } from './table.ts';
import { workbookStream } from './workbook.ts';
import type { Sheet } from './workbook.ts';

/** A CSV may have comma, semicolon or tab (D73). */
export class CsvSink implements CellSink {
  readonly #dialect: CsvDialect;
  #row = '';
  #isFirst = true;

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
  }

  empty(): void {
    this.#add('');
  }

  text(text: string): void {
    this.#add(csvText(text, this.#dialect));
  }

  number(text: string): void {
    this.#add(this.#dialect.decimal === '.' ? text : text.replace('.', this.#dialect.decimal));
  }

  boolean(value: boolean): void {
    this.#add(String(value));
  }

  take(): string {
    const row = `${csvRow(this.#row)}\r\n`;
    this.#row = '';
    this.#isFirst = true;
    return row;
  }

  #add(cell: string): void {
    this.#row += this.#isFirst ? cell : this.#dialect.delimiter + cell;
    this.#isFirst = false;
  }
}

export const DIALECTS = ['da', 'ord'] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface MadeFile {
  /** Weak, because bytes may differ. */
  readonly etag: string;
  /** Aborts when chunks are deleted meanwhile. */
  stream(): Readable;
}

export interface MadeFileQuestion {
  readonly which: Which;
  readonly format: 'csv' | 'xlsx';
  /** `da`: as Danish spreadsheets read a CSV; `ord`: in plain words too; null: neither. */
  readonly dialect: Dialect | null;
}

interface Making {
  readonly store: Pick<Store, 'db'>;
  readonly job: Job;
  readonly chunks: readonly JobChunkRow[];
  readonly kinds: JobKinds;
}

export async function makeFile(
  { store, kinds }: Pick<Making, 'store' | 'kinds'>,
  job: Job,
  question: MadeFileQuestion,
): Promise<MadeFile> {
  const chunks = await readJobChunks(store, job.id);
  const making: Making = { store, job, chunks, kinds };
  const { which, format, dialect } = question;
  const rows = chunks.reduce((sum, { lengths }) => sum + (lengths?.rows ?? 0), 0);
  const name = [
    job.id,
    which,
    format,
    ...(dialect === null ? [] : [dialect]),
    rows,
    job.totalRows,
    job.status,
  ];
  return {
    etag: `W/"${name.join('-')}"`,
    stream: () =>
      format === 'xlsx'
        ? workbookStream(sheetsOf(making, question))
        : Readable.from(csvOf(making, question), { objectMode: false }),
  };
}

const SHEET_NAMES: Readonly<Record<Which, string>> = {
  results: 'Svar',
  errors: 'Fejl',
  all: 'Rækker',
};

/** Errors get a sheet, unless all rows are in one. */
function sheetsOf(making: Making, { which, dialect }: MadeFileQuestion): readonly Sheet[] {
  const isWorded = dialect === 'ord';
  const shown: readonly Which[] = which === 'results' ? ['results', 'errors'] : [which];
  const sheets = shown.map((each): Sheet => {
    const table = tableOf(making, each, { isDanish: true, isTyped: true, isWorded });
    const rows = (sink: CellSink & Taker) => written(making, { which: each, table, sink });
    return { name: SHEET_NAMES[each], head: table.head, rows };
  });
  return [...sheets, aboutSheet(making, { isWorded })];
}

async function* csvOf(
  making: Making,
  { which, dialect }: MadeFileQuestion,
): AsyncGenerator<Buffer, void, undefined> {
  const isDanish = dialect !== null;
  const sink = new CsvSink(isDanish ? DANISH : PLAIN);
  const table = tableOf(making, which, { isDanish, isWorded: dialect === 'ord' });
  for (const name of table.head) sink.text(name);
  yield Buffer.from(BYTE_ORDER_MARK + sink.take());
  for await (const text of written(making, { which, table, sink })) yield Buffer.from(text);
}

function tableOf(
  { job, kinds }: Making,
  which: Which,
  how: Pick<TableOptions, 'isDanish' | 'isTyped' | 'isWorded'>,
): Table {
  const { columns, types } = kindOfJob(kinds, job).rows;
  return new Table({ job, which, answerColumns: columns, types, ...how });
}

interface Taker {
  take(): string;
}

interface Writing {
  readonly which: Which;
  readonly table: Table;
  readonly sink: CellSink & Taker;
}

const PIECE_CHARS = 64 * 1024;

/** Yields every few rows, because lookups may wait. */
async function* written(
  { store, job, chunks }: Making,
  { which, table, sink }: Writing,
): AsyncGenerator<string, void, undefined> {
  const slice = new Slice();
  let text = '';
  const columns = job.inputColumns.length;
  let isLearnt = false;
  for await (const rows of foundRows(store, { jobId: job.id, columns, chunks, which })) {
    if (!isLearnt) table.learn(rows);
    isLearnt = true;
    for (const row of rows) {
      table.fill(row, sink);
      text += sink.take();
      if (slice.isOver) await slice.next();
      if (text.length < PIECE_CHARS) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}
