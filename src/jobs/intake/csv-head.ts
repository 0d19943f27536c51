/** The first lines of a CSV: delimiter and column names. Runs in browsers too. */
import { headingOf } from '../../core/rows/cells.ts';
import { checkColumnCount, checkColumnName, refusal } from './refusals.ts';

const QUOTE = 0x22;
export const DELIMITERS = [';', ',', '\t', '|'].map((text) => text.charCodeAt(0));

function textOf(line: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(line);
}

/** Blank lines before the header are skipped. */
export function isBlankLine(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}

const NAMED_DELIMITER = /^\ufeff?"?sep=([;,\t|])"?\s*$/i;

/** The delimiter of a line for Excel, `sep=;`; null: no such line. */
export function namedDelimiter(line: Uint8Array): number | null {
  if (line.length > 16) return null;
  return NAMED_DELIMITER.exec(textOf(line))?.[1]?.charCodeAt(0) ?? null;
}

/**
 * The delimiter that splits most rows into as many cells; ties: the header's most frequent. null:
 * none, a line is one cell.
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

export function columnsOf(cells: readonly string[]): readonly string[] {
  const names = cells.map(headingOf);
  const columns = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  if (columns.length === 0) throw noHeader();
  checkColumnCount(columns.length);
  const seen = new Set<string>();
  for (const [i, name] of columns.entries()) {
    checkColumnName(name, { en: `Column ${i + 1}`, da: `Kolonne ${i + 1}` });
    if (seen.has(name)) {
      throw refusal(
        `Column ${i + 1} has the name of another column: ${name.slice(0, 40)}.`,
        `Kolonne ${i + 1} hedder det samme som en anden kolonne: ${name.slice(0, 40)}.`,
      );
    }
    seen.add(name);
  }
  return columns;
}

export function noHeader() {
  return refusal(
    'The first line must be a header that names the columns.',
    'Den første linje skal være en overskrift med kolonnernes navne.',
  );
}

export function unclosed(row: number) {
  return refusal(
    `Row ${row}: a quoted cell is not closed.`,
    `Række ${row}: en celle i citationstegn er ikke lukket.`,
  );
}

export function tooManyCells(row: number) {
  return refusal(
    `Row ${row} has more cells than the header has columns.`,
    `Række ${row} har flere celler, end overskriften har kolonner.`,
  );
}
