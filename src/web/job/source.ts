import {
  CELL_END,
  JOB_LIMITS,
  ROW_END,
  checkColumnCount,
  invalidRequest,
  lineTooLong,
  tooManyRows,
} from '../../jobs/for-pages.ts';
import { CsvRows, EncodingGuess, cellOf, objectIn, utf16Of } from '../../jobs/intake/for-pages.ts';
import type { Charset, Row } from '../../jobs/for-pages.ts';
import { bytesOf, typeOf } from '../shared/streams.ts';
import type { FileType } from '../shared/streams.ts';

export { guess } from '../../jobs/intake/for-pages.ts';

export interface Reading {
  readonly type: FileType;
  readonly charset: Charset;
  /** Of a CSV: the character; empty: every line is one cell; null: as its header has it. */
  readonly delimiter: string | null;
  /** Of a workbook; null: the only one that is shown and has rows. */
  readonly sheet: string | null;
  /** Of a CSV and a workbook: the row that names the columns; null: guessed. */
  readonly headRow: number | null;
}

/** Rows in file order; a row may have fewer cells than columns, never more. */
export interface RowBatch {
  /** Known so far: an NDJSON may name more later. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** As a spreadsheet counts; null: NDJSON. */
  readonly numbers: readonly number[] | null;
}

export interface Looked {
  readonly reading: Reading;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** In the file; of NDJSON among the rows. */
  readonly numbers: readonly number[];
  readonly totalRows: number;
}

const FIRST_ROWS = 100;

/** Throws a Failure where the service would refuse the file. */
export async function lookThrough(file: File, asked: Partial<Reading> = {}): Promise<Looked> {
  const type = typeOf(file.name);
  const charset = asked.charset ?? (type === 'csv' ? await charsetOf(file) : 'utf-8');
  const { delimiter = null, sheet = null, headRow = null } = asked;
  const reading = { type, charset, delimiter, sheet, headRow };
  let found: FoundHead = { delimiter: null, headRow: null };
  let columns: readonly string[] = [];
  const rows: Row[] = [];
  const numbers: number[] = [];
  let totalRows = 0;
  for await (const batch of readRows(file, reading, (head) => (found = head))) {
    ({ columns } = batch);
    totalRows += batch.rows.length;
    if (totalRows > JOB_LIMITS.rowsPerJob) throw tooManyRows();
    const first = batch.rows.slice(0, Math.max(0, FIRST_ROWS - rows.length));
    numbers.push(...first.map((_row, i) => batch.numbers?.[i] ?? rows.length + i + 1));
    rows.push(...first);
  }
  return { reading: { ...reading, ...found }, columns, rows, numbers, totalRows };
}

type FoundHead = Pick<Reading, 'delimiter' | 'headRow'>;

/** Some at a time. `onHead` is told the head. */
export async function* readRows(
  file: File,
  reading: Reading,
  onHead: (head: FoundHead) => unknown = () => undefined,
): AsyncGenerator<RowBatch, void, undefined> {
  if (reading.type === 'ndjson') yield* ndjsonRows(file);
  else if (reading.type === 'csv') yield* csvRows(file, reading, onHead);
  else {
    // Only a workbook needs a reader of archives and XML.
    const { workbookRows } = await import('./workbook.ts');
    for await (const { headRow, ...batch } of workbookRows(file, reading)) {
      onHead({ delimiter: null, headRow });
      yield batch;
    }
  }
}

async function charsetOf(file: File): Promise<Charset> {
  const guess = new EncodingGuess();
  for await (const bytes of bytesOf(file.stream())) guess.push(bytes);
  return guess.end();
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const HEAD_BYTES = 4;

/** Without a byte order mark. */
async function* utf8Of(file: File, charset: Charset): AsyncGenerator<Uint8Array, void, undefined> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (charset === 'utf-8') {
    const isMarked = UTF8_MARK.every((byte, at) => head[at] === byte);
    yield* bytesOf(file.slice(isMarked ? UTF8_MARK.length : 0).stream());
    return;
  }
  const single = charset === 'macintosh' ? charset : 'windows-1252';
  const label = charset === 'utf-16' ? (utf16Of(head, charset) ?? 'utf-16le') : single;
  const decoder = new TextDecoder(label, { fatal: charset === 'utf-16' });
  const encoder = new TextEncoder();
  for await (const bytes of bytesOf(file.stream())) {
    yield encoder.encode(readAs(charset, () => decoder.decode(bytes, { stream: true })));
  }
  yield encoder.encode(readAs(charset, () => decoder.decode()));
}

function readAs(charset: Charset, decode: () => string): string {
  try {
    return decode();
  } catch {
    throw invalidRequest(
      `The text is not valid ${charset.toUpperCase()}: choose another encoding.`,
      `Teksten er ikke gyldig ${charset.toUpperCase()}: vælg et andet tegnsæt.`,
    );
  }
}

async function* csvRows(
  file: File,
  { charset, delimiter, headRow }: Reading,
  onHead: (head: FoundHead) => unknown,
): AsyncGenerator<RowBatch, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rows: Row[] = [];
  let numbers: number[] = [];
  const reader = new CsvRows({
    delimiter: delimiter === null ? undefined : (delimiter.codePointAt(0) ?? null),
    headRow,
    onRows: (text, _count, theirs) => {
      for (const number of theirs) numbers.push(number);
      const whole = readAs('utf-8', () => decoder.decode(text));
      for (const row of whole.split(ROW_END)) rows.push(row.split(CELL_END));
    },
  });
  for await (const bytes of utf8Of(file, charset)) {
    reader.push(bytes);
    if (rows.length === 0) continue;
    yield { columns: reader.columns ?? [], rows, numbers };
    rows = [];
    numbers = [];
  }
  const { columns, headRow: found } = reader.end();
  const mark = reader.delimiter;
  onHead({ delimiter: mark === null ? '' : String.fromCharCode(mark), headRow: found });
  yield { columns, rows, numbers };
}

/** Lines of one piece of the file are one batch. */
async function* ndjsonRows(file: File): AsyncGenerator<RowBatch, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const columns: string[] = [];
  let held = '';
  let count = 0;
  const rowsOf = (lines: readonly string[]): Row[] =>
    lines.filter((line) => line.trim() !== '').map((line) => rowOf(line, ++count, columns));
  for await (const bytes of bytesOf(file.stream())) {
    const text = readAs('utf-8', () => decoder.decode(bytes, { stream: true }));
    const lines = (held + text).split('\n');
    held = lines.pop() ?? '';
    const rows = rowsOf(lines);
    if (held.length > JOB_LIMITS.rowBytes) throw lineTooLong(count + 1);
    yield { columns: [...columns], rows, numbers: null };
  }
  const rows = rowsOf([held + readAs('utf-8', () => decoder.decode())]);
  yield { columns: [...columns], rows, numbers: null };
}

/** Adds new names to the columns. */
function rowOf(line: string, number: number, columns: string[]): Row {
  if (line.length > JOB_LIMITS.rowBytes) throw lineTooLong(number);
  const value = objectIn(line, number);
  for (const name of Object.keys(value)) if (!columns.includes(name)) columns.push(name);
  checkColumnCount(columns.length);
  return columns.map((name) =>
    Object.hasOwn(value, name) ? cellOf(value, name, number) : undefined,
  );
}
