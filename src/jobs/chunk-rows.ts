/** The first byte of a chunk tells its format: separated text if every cell is text, else JSON. */

import { CELL_END, ROW_END } from '../core/rows/cells.ts';
import type { Cell, Row } from '../core/rows/cells.ts';

const ROW_END_BYTE = 0x1e;

const TEXT = 0x54;
const JSON_ROWS = 0x4a;
/** An empty list marks a missing column. */
const JSON_WITH_GAPS = 0x41;

export function encodeRows(rows: readonly Row[]): Buffer {
  if (rows.every(isAllText)) {
    return textChunk(rows.map((row) => row.join(CELL_END)).join(ROW_END));
  }
  if (!rows.some((row) => row.includes(undefined))) return tagged(JSON_ROWS, JSON.stringify(rows));
  const written = rows.map((row) => Array.from(row, (cell) => (cell === undefined ? [] : cell)));
  return tagged(JSON_WITH_GAPS, JSON.stringify(written));
}

export function textChunk(text: string | Uint8Array): Buffer {
  if (typeof text === 'string') return tagged(TEXT, text);
  const bytes = Buffer.allocUnsafeSlow(1 + text.byteLength);
  bytes[0] = TEXT;
  bytes.set(text, 1);
  return bytes;
}

/** Throws for invalid bytes. */
export function decodeRows(bytes: Uint8Array): Row[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1).toString();
  const tag = bytes[0];
  if (tag === TEXT) return text.split(ROW_END).map((row) => row.split(CELL_END));
  if (tag === JSON_ROWS) return JSON.parse(text) as Row[];
  if (tag !== JSON_WITH_GAPS) throw new Error('Not the bytes of a chunk of rows.');
  return (JSON.parse(text) as (Exclude<Cell, undefined> | [])[][]).map((row) =>
    row.map((cell) => (Array.isArray(cell) ? undefined : cell)),
  );
}

export function cutChunk(input: Buffer, { rows, most }: { rows: number; most: number }): Cut[] {
  if (rows <= most) return [{ input, rows }];
  const cuts: Cut[] = [];
  if (input[0] === TEXT) {
    let from = 1;
    for (let row = 0; row < rows; row += most) {
      const some = Math.min(most, rows - row);
      const end = endOfRows(input, from, some);
      cuts.push({ input: textChunk(input.subarray(from, end)), rows: some });
      from = end + 1;
    }
    return cuts;
  }
  const all = decodeRows(input);
  for (let row = 0; row < rows; row += most) {
    const some = all.slice(row, row + most);
    cuts.push({ input: encodeRows(some), rows: some.length });
  }
  return cuts;
}

export interface Cut {
  readonly input: Buffer;
  readonly rows: number;
}

function endOfRows(text: Buffer, from: number, rows: number): number {
  let end = from - 1;
  for (let row = 0; row < rows; row++) {
    end = text.indexOf(ROW_END_BYTE, end + 1);
    if (end < 0) return text.length;
  }
  return end;
}

function isAllText(row: Row): boolean {
  // First, because `every` skips holes.
  return row.length > 0 && !row.includes(undefined) && row.every(isPlainText);
}

function isPlainText(cell: Cell): boolean {
  return typeof cell === 'string' && !cell.includes(CELL_END) && !cell.includes(ROW_END);
}

function tagged(tag: number, text: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(text));
  bytes[0] = tag;
  bytes.write(text, 1);
  return bytes;
}
