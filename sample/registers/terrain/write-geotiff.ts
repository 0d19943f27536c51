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
const SHORT = { type: 3, bytes: 2 } as const;
const LONG = { type: 4, bytes: 4 } as const;
const DOUBLE = { type: 12, bytes: 8 } as const;
const ASCII = { type: 2, bytes: 1 } as const;
const ENTRY_BYTES = 12;

interface Field {
  readonly tag: number;
  readonly kind: typeof SHORT | typeof LONG | typeof DOUBLE | typeof ASCII;
  readonly values: readonly number[];
}

export function writeGeoTiff(tiff: GeoTiff): Buffer {
  const strips = stripsOf(tiff);
  // Offsets have a fixed length, so the strips' position is known in advance.
  const sized = fieldsOf(tiff, strips, 0);
  const begin = 8 + 2 + sized.length * ENTRY_BYTES + 4 + outside(sized);
  return Buffer.concat([headOf(fieldsOf(tiff, strips, begin)), ...strips]);
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

function fieldsOf(tiff: GeoTiff, strips: readonly Buffer[], begin: number): Field[] {
  const { grid, noData, isDeflated = true } = tiff;
  const offsets: number[] = [];
  let at = begin;
  for (const { length } of strips) {
    offsets.push(at);
    at += length;
  }
  const field = (tag: number, kind: Field['kind'], ...values: number[]) => ({ tag, kind, values });
  const mark = noData === null ? [] : [...Buffer.from(`${noData}\0`, 'latin1')];
  return [
    field(256, LONG, grid.columns),
    field(257, LONG, grid.rows),
    field(258, SHORT, 32),
    field(259, SHORT, isDeflated ? 8 : 1),
    field(262, SHORT, 1),
    field(273, LONG, ...offsets),
    field(277, SHORT, 1),
    field(278, LONG, ROWS_PER_STRIP),
    field(279, LONG, ...strips.map(({ length }) => length)),
    field(339, SHORT, 3),
    field(33_550, DOUBLE, grid.cellX, grid.cellY, 0),
    field(33_922, DOUBLE, 0, 0, 0, grid.west, grid.north, 0),
    field(34_735, SHORT, ...[1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 25_832]),
    ...(mark.length === 0 ? [] : [field(42_113, ASCII, ...mark)]),
  ];
}

function bytesOf({ kind, values }: Field): number {
  return kind.bytes * values.length;
}

/** Bytes of values that do not fit into their entry, each at an even offset. */
function outside(fields: readonly Field[]): number {
  return fields.reduce((sum, field) => sum + (bytesOf(field) > 4 ? evenly(bytesOf(field)) : 0), 0);
}

function evenly(bytes: number): number {
  return bytes + (bytes % 2);
}

function headOf(fields: readonly Field[]): Buffer {
  const entriesEnd = 8 + 2 + fields.length * ENTRY_BYTES + 4;
  const head = Buffer.alloc(entriesEnd + outside(fields));
  head.write('II*\0', 0, 'latin1');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(fields.length, 8);
  let next = entriesEnd;
  for (const [n, field] of fields.entries()) {
    const entry = 10 + n * ENTRY_BYTES;
    head.writeUInt16LE(field.tag, entry);
    head.writeUInt16LE(field.kind.type, entry + 2);
    head.writeUInt32LE(field.values.length, entry + 4);
    const isWithin = bytesOf(field) <= 4;
    if (!isWithin) head.writeUInt32LE(next, entry + 8);
    writeValues(head, field, isWithin ? entry + 8 : next);
    if (!isWithin) next += evenly(bytesOf(field));
  }
  return head;
}

function writeValues(head: Buffer, { kind, values }: Field, begin: number): void {
  for (const [n, value] of values.entries()) {
    const at = begin + n * kind.bytes;
    if (kind === DOUBLE) head.writeDoubleLE(value, at);
    else head.writeUIntLE(value, at, kind.bytes);
  }
}
