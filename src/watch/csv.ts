import type { WatchKind } from './kinds.ts';

const WKT = /^(?:SRID=\d+;)?\s*(?:MULTI)?POLYGON\b/i;

/** A first line without a digit is a heading. */
export function objectsOfCsv(text: string, kind: WatchKind): readonly string[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => objectOfLine(line, kind))
    .filter((line) => line !== '');
  return /\d/.test(lines[0] ?? '') ? lines : lines.slice(1);
}

/** A parcel's two cells are joined; WKT is the whole line. */
function objectOfLine(line: string, kind: WatchKind): string {
  const written = line.trim();
  const quoted = /^"((?:[^"]|"")*)"[;,\t]*$/.exec(written)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"').trim();
  if (WKT.test(written)) return written;
  const cells = written.split(/[;,\t]/).map((cell) => cell.replaceAll('"', '').trim());
  return cells
    .slice(0, kind === 'jordstykke' ? 2 : 1)
    .filter((cell) => cell !== '')
    .join('-');
}
