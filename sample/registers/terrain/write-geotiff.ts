/** Writes heights as a GeoTIFF: one band of 32-bit floats in strips, in EPSG:25832. */
import { deflateSync } from 'node:zlib';
import type { RasterGrid } from '../../../src/geo/heights.ts';

export interface GeoTiff {
  readonly grid: RasterGrid;
  readonly cells: Float32Array;
  /** The no-data mark; null: the file names none. */
  readonly noData: number | null;
  readonly isDeflated?: boolean;
}

const ROWS_PER_STRIP = 32;
const HEAD_BYTES = 10;
const ENTRY_BYTES = 12;

interface Field {
  readonly type: number;
  readonly count: number;
  readonly bytes: Buffer;
}

const ascii = (text: string) => field(2, Buffer.from(text, 'latin1'));
const shorts = (...values: readonly number[]) => field(3, Uint16Array.from(values));
const longs = (...values: readonly number[]) => field(4, Uint32Array.from(values));
const doubles = (...values: readonly number[]) => field(12, Float64Array.from(values));

function field(type: number, values: Uint8Array | Uint16Array | Uint32Array | Float64Array): Field {
  const { buffer, byteOffset, byteLength, length } = values;
  return { type, count: length, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}

type Tags = readonly (readonly [tag: number, field: Field])[];

export function writeGeoTiff(tiff: GeoTiff): Buffer {
  const strips = stripsOf(tiff);
  // Offsets have a fixed length, so the strips' position is known in advance.
  const begin = headOf(tagsOf(tiff, strips, 0)).length;
  return Buffer.concat([headOf(tagsOf(tiff, strips, begin)), ...strips]);
}

function stripsOf({ grid, cells, isDeflated = true }: GeoTiff): Buffer[] {
  const strips: Buffer[] = [];
  for (let row = 0; row < grid.rows; row += ROWS_PER_STRIP) {
    const rows = cells.subarray(row * grid.columns, (row + ROWS_PER_STRIP) * grid.columns);
    const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    strips.push(isDeflated ? deflateSync(bytes) : Buffer.from(bytes));
  }
  return strips;
}

function tagsOf(tiff: GeoTiff, strips: readonly Buffer[], begin: number): Tags {
  const { grid, noData, isDeflated = true } = tiff;
  const offsets: number[] = [];
  let at = begin;
  for (const { length } of strips) {
    offsets.push(at);
    at += length;
  }
  return [
    [256, longs(grid.columns)],
    [257, longs(grid.rows)],
    [258, shorts(32)],
    [259, shorts(isDeflated ? 8 : 1)],
    [262, shorts(1)],
    [273, longs(...offsets)],
    [277, shorts(1)],
    [278, longs(ROWS_PER_STRIP)],
    [279, longs(...strips.map(({ length }) => length))],
    [339, shorts(3)],
    [33_550, doubles(grid.cellX, grid.cellY, 0)],
    [33_922, doubles(0, 0, 0, grid.west, grid.north, 0)],
    [34_735, shorts(...[1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 25_832])],
    ...(noData === null ? [] : [[42_113, ascii(`${noData}\0`)] as const]),
  ];
}

/** Little-endian; values that do not fit into their entry come after it, each at an even offset. */
function headOf(tags: Tags): Buffer {
  const entries = Buffer.alloc(HEAD_BYTES + tags.length * ENTRY_BYTES + 4);
  entries.write('II*\0\x08', 'latin1');
  entries.writeUInt16LE(tags.length, HEAD_BYTES - 2);
  const outside: Buffer[] = [];
  let next = entries.length;
  for (const [n, [tag, { type, count, bytes }]] of tags.entries()) {
    const at = HEAD_BYTES + n * ENTRY_BYTES;
    entries.writeUInt16LE(tag, at);
    entries.writeUInt16LE(type, at + 2);
    entries.writeUInt32LE(count, at + 4);
    if (bytes.length <= 4) {
      bytes.copy(entries, at + 8);
      continue;
    }
    entries.writeUInt32LE(next, at + 8);
    outside.push(bytes, Buffer.alloc(bytes.length % 2));
    next += bytes.length + (bytes.length % 2);
  }
  return Buffer.concat([entries, ...outside]);
}
