import { JSON_TYPE, scriptOf, scriptSafe } from '../../wire/row-formats.ts';
import type { ReplicationFormat } from './asked.ts';

type Values = Readonly<Record<string, unknown>>;

interface Written {
  readonly type: string;
  /** Of a callback. */
  readonly before: string;
  readonly head: string;
  readonly each: (row: string) => string;
  readonly between: string;
  readonly tail: string;
  readonly after: string;
}

export interface Table {
  /** In the order of the CSV. */
  readonly columns: readonly string[];
  /** Flattens a nested row into those columns. */
  readonly flat?: (row: Values) => Values;
}

const LINES = { type: 'application/x-ndjson; charset=UTF-8', head: '', between: '\r\n', tail: '' };
const LIST = { head: '[\n', between: ', ', tail: '\n]' };
const COMPACT = { head: '[', between: ',', tail: ']' };

const asIs = (row: string): string => row;
const indented = (row: string): string => JSON.stringify(JSON.parse(row), null, 2);

function rowsAs(
  format: ReplicationFormat,
  { columns, flat = (row) => row }: Table,
): Omit<Written, 'before' | 'after'> {
  if (format.format === 'ndjson') return { ...LINES, each: asIs };
  if (format.format === 'csv') {
    return {
      ...{ type: 'text/csv; charset=UTF-8', head: csvLine(columns), between: '', tail: '' },
      each: (row) => {
        const values = flat(JSON.parse(row) as Values);
        return csvLine(columns.map((name) => values[name]));
      },
    };
  }
  const layout = format.isCompact ? COMPACT : LIST;
  return { ...layout, type: JSON_TYPE, each: format.isCompact ? asIs : indented };
}

function writtenAs(format: ReplicationFormat, table: Table): Written {
  const rows = rowsAs(format, table);
  const { type, after } = scriptOf(format, rows.type);
  if (after === '') return { ...rows, before: '', after };
  // DAWA's bytes, without the comment of other answers.
  const before = `${format.callback}(`;
  return { ...rows, type, before, after, each: (row) => scriptSafe(rows.each(row)) };
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** Clients copy the data, so cells that look like formulas are not escaped. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return '1';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const typeOf = (format: ReplicationFormat): string =>
  writtenAs(format, { columns: [] }).type;

export interface Body {
  readonly type: string;
  readonly text: AsyncIterable<string>;
}

/** Rejects if the first rows cannot be read; fails midway on later ones. */
export async function bodyOf(
  format: ReplicationFormat,
  table: Table,
  pages: AsyncIterable<readonly string[]>,
): Promise<Body> {
  const { type, head, each, between, tail, ...call } = writtenAs(format, table);
  const reading = pages[Symbol.asyncIterator]();
  const first = await reading.next();
  async function* text(): AsyncGenerator<string> {
    yield call.before + head;
    let isFirst = true;
    try {
      for (let page = first; page.done !== true; page = await reading.next()) {
        if (page.value.length === 0) continue;
        yield (isFirst ? '' : between) + page.value.map(each).join(between);
        isFirst = false;
      }
      yield tail + call.after;
    } finally {
      await reading.return?.();
    }
  }
  return { type, text: text() };
}

export function oneOf(format: ReplicationFormat, table: Table, row: Values): Body {
  const { type, before, head, each, after } = writtenAs(format, table);
  const title = format.format === 'csv' ? head : '';
  const whole = before + title + each(JSON.stringify(row)) + after;
  return {
    type,
    text: (async function* () {
      yield await Promise.resolve(whole);
    })(),
  };
}
