import { invalidRequest } from '../../kernel/failures.ts';
import { headingOf } from '../../core/rows/cells.ts';
import { JOB_LIMITS } from '../limits.ts';
import { checkColumnCount, checkColumnName } from './refusals.ts';

const QUOTE = 0x22;
export const DELIMITERS = [';', ',', '\t', '|'].map((text) => text.charCodeAt(0));

function textOf(line: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(line);
}

export function isBlankLine(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}

const NAMED_DELIMITER = /^\ufeff?"?sep=([;,\t|])"?\s*$/i;

/** Excel's `sep=;`; null: no such line. */
export function namedDelimiter(line: Uint8Array): number | null {
  if (line.length > 16) return null;
  return NAMED_DELIMITER.exec(textOf(line))?.[1]?.charCodeAt(0) ?? null;
}

/**
 * The one that splits most rows alike; ties: the header's most frequent. null: a line is one cell.
 */
export function delimiterOf(line: Uint8Array, rows: readonly Uint8Array[] = []): number | null {
  const found = DELIMITERS.map((delimiter) => {
    const count = countOutsideQuotes(line, delimiter);
    const alike = rows.filter((row) => countOutsideQuotes(row, delimiter) === count).length;
    return { delimiter, count, alike };
  }).filter(({ count }) => count > 0);
  const [best] = found.toSorted((a, b) => b.alike - a.alike || b.count - a.count);
  return best?.delimiter ?? null;
}

function countOutsideQuotes(line: Uint8Array, delimiter: number): number {
  let count = 0;
  let isQuoted = false;
  for (const byte of line) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && byte === delimiter) count++;
  }
  return count;
}

export function headerCells(line: Uint8Array, delimiter: number | null): readonly string[] {
  const text = textOf(line);
  const mark = delimiter === null ? null : String.fromCharCode(delimiter);
  const cells: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    if (at < text.length && (isQuoted || char !== mark)) continue;
    cells.push(unquoted(text.slice(from, at).trim()));
    from = at + 1;
  }
  return cells;
}

function unquoted(cell: string): string {
  if (cell.length < 2 || !cell.startsWith('"') || !cell.endsWith('"')) return cell;
  return cell.slice(1, -1).replaceAll('""', '"').trim();
}

/** Names empty headings by position; numbers repeated ones, as `by (2)`. */
export function columnsOf(cells: readonly string[]): readonly string[] {
  const names = cells.map(headingOf);
  const count = names.findLastIndex((name) => name !== '') + 1;
  if (count === 0) throw noHeader();
  checkColumnCount(count);
  const given = new Set(names);
  const seen = new Set<string>();
  return names.slice(0, count).map((name, i) => {
    const column = name === '' ? `Kolonne ${i + 1}` : name;
    checkColumnName(column, { en: `Column ${i + 1}`, da: `Kolonne ${i + 1}` });
    const own = name !== '' && !seen.has(name) ? name : freeName(column, given, seen);
    seen.add(own);
    return own;
  });
}

function freeName(name: string, given: ReadonlySet<string>, seen: ReadonlySet<string>): string {
  const isFree = (other: string): boolean => !given.has(other) && !seen.has(other);
  if (isFree(name)) return name;
  let number = 2;
  // Leaves room for the number.
  const start = name.slice(0, JOB_LIMITS.columnChars.max - ' (200)'.length);
  while (!isFree(`${start} (${number})`)) number++;
  return `${start} (${number})`;
}

export function noHeader() {
  return invalidRequest(
    'The first line must be a header that names the columns.',
    'Den første linje skal være en overskrift med kolonnernes navne.',
  );
}

export function unclosed(row: number) {
  return invalidRequest(
    `Row ${row}: a quoted cell is not closed.`,
    `Række ${row}: en celle i citationstegn er ikke lukket.`,
  );
}

export function tooManyCells(row: number) {
  return invalidRequest(
    `Row ${row} has more cells than the header has columns: name every column, or name the row of the headings with overskrift.`,
    `Række ${row} har flere celler, end overskriften har kolonner: giv hver kolonne en overskrift, eller angiv overskriftens række med overskrift.`,
  );
}
