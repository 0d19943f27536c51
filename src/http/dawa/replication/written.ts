import { JSON_TYPE } from '../../wire/row-formats.ts';
import type { ReplicationFormat } from './asked.ts';

type Values = Readonly<Record<string, unknown>>;

interface Written {
  readonly type: string;
  readonly head: string;
  readonly each: (row: string) => string;
  readonly between: string;
  readonly tail: string;
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

function writtenAs(format: ReplicationFormat, { columns, flat = (row) => row }: Table): Written {
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
  const each = format.isCompact ? asIs : indented;
  return inCall(format, { ...layout, type: JSON_TYPE, each });
}

function inCall({ callback }: ReplicationFormat, written: Written): Written {
  if (callback === null) return written;
  return {
    type: 'application/javascript; charset=UTF-8',
    head: `${callback}(${written.head}`,
    // JSON allows two line ends that JavaScript does not.
    each: (row) =>
      written.each(row).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'),
    between: written.between,
    tail: `${written.tail});`,
  };
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
  const { type, head, each, between, tail } = writtenAs(format, table);
  const reading = pages[Symbol.asyncIterator]();
  const first = await reading.next();
  async function* text(): AsyncGenerator<string> {
    let before = head;
    try {
      for (let page = first; page.done !== true; page = await reading.next()) {
        if (page.value.length === 0) continue;
        yield before + page.value.map(each).join(between);
        before = between;
      }
      yield (before === head ? head : '') + tail;
    } finally {
      await reading.return?.();
    }
  }
  return { type, text: text() };
}

export function oneOf(format: ReplicationFormat, table: Table, row: Values): Body {
  const text = JSON.stringify(row);
  const { type, head, each, tail } = writtenAs(format, table);
  const isCsv = format.format === 'csv';
  const { callback } = format;
  const whole = isCsv ? head + each(text) + tail : each(text);
  const called = callback === null || format.format !== 'json' ? whole : `${callback}(${whole});`;
  return {
    type,
    text: (async function* () {
      yield await Promise.resolve(called);
    })(),
  };
}
