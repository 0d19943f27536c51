import type { ColumnKind, TableColumn } from '../layers/register-tables.ts';
import type { ArrayWriter, ElementType } from './array-writer.ts';
import * as values from './table-values.ts';
import type { Slice } from './table-values.ts';

/** Written only once the whole row is valid. */
export interface Cell {
  readonly column: TableColumn;
  readonly uuid: Uint8Array;
  readonly scratch: Uint8Array;
  isNull: boolean;
  filled: number;
  unreadable: number;
  slice: Slice;
  number: number;
  second: number;
}

const SCRATCH_BYTES = 256;

export function cellOf(column: TableColumn): Cell {
  return {
    column,
    uuid: new Uint8Array(16),
    scratch: new Uint8Array(SCRATCH_BYTES),
    isNull: true,
    filled: 0,
    unreadable: 0,
    slice: { bytes: new Uint8Array(0), start: 0, end: 0 },
    number: 0,
    second: 0,
  };
}

interface Kind {
  readonly type: ElementType;
  read(cell: Cell, slice: Slice): boolean;
  write(cell: Cell, writer: ArrayWriter): void;
}

function number(
  type: ElementType,
  read: (slice: Slice) => number | null,
  write: (writer: ArrayWriter, value: number) => void,
): Kind {
  return {
    type,
    read: (cell, slice) => {
      const value = read(slice);
      cell.number = value ?? 0;
      return value !== null && !Number.isNaN(value);
    },
    write: (cell, writer) => write(writer, cell.number),
  };
}

function text(read: (cell: Cell, slice: Slice) => boolean): Kind {
  return {
    type: 'text',
    read,
    write: ({ slice: { bytes, start, end } }, writer) => writer.raw(bytes, start, end),
  };
}

function asWritten(isOne: (slice: Slice) => boolean): Kind {
  return text((cell, slice) => {
    cell.slice = slice;
    return isOne(slice);
  });
}

function shape(read: (slice: Slice) => Uint8Array | null): Kind {
  return {
    type: 'bytea',
    read: (cell, slice) => {
      const bytes = read(slice);
      if (bytes !== null) cell.slice = { bytes, start: 0, end: bytes.length };
      return bytes !== null;
    },
    write: ({ slice: { bytes, start, end } }, writer) => writer.raw(bytes, start, end),
  };
}

export const KINDS: Readonly<Record<ColumnKind, Kind>> = {
  uuid: {
    type: 'uuid',
    read: (cell, slice) => values.readUuid(slice, cell.uuid),
    write: ({ uuid }, writer) => writer.raw(uuid, 0, 16),
  },
  text: text((cell, slice) => {
    cell.slice = withoutControls(slice);
    return true;
  }),
  id: asWritten(values.isId),
  status: {
    type: 'int2',
    read: (cell, slice) => {
      const code = cell.column.standing && values.readStatus(slice, cell.column.standing);
      cell.number = code ?? 0;
      return typeof code === 'number';
    },
    write: (cell, writer) => writer.int2(cell.number),
  },
  bigint: number('int8', values.readWhole, (writer, value) => writer.int8(value)),
  integer: number('int4', values.readInteger, (writer, value) => writer.int4(value)),
  decimal: number('float8', values.readDecimal, (writer, value) => writer.float8(value)),
  date: {
    type: 'date',
    read: (cell, slice) => {
      const isRead = cell.column.decides !== true || !Number.isNaN(values.readEnd(slice));
      cell.number = isRead ? values.readDay(slice) : NaN;
      return !Number.isNaN(cell.number);
    },
    write: (cell, writer) => writer.date(cell.number),
  },
  time: asWritten((slice) => !Number.isNaN(values.readBegin(slice))),
  point: {
    type: 'float8',
    read: (cell, slice) => {
      const point = values.readPoint(slice);
      [cell.number, cell.second] = point ?? [0, 0];
      return point !== null;
    },
    write: (cell, writer) => writer.float8(cell.number),
  },
  surface: shape(values.readSurface),
  geometry: shape(values.readGeometry),
  'upper-number': text((cell, slice) => normalised(cell, slice, true)),
  'lower-number': text((cell, slice) => normalised(cell, slice, false)),
  code: asWritten(values.narrowToCode),
};

function normalised(cell: Cell, slice: Slice, upper: boolean): boolean {
  cell.slice = withoutControls(slice);
  values.normaliseNumber(cell.slice, cell.scratch, upper);
  return cell.slice.end > cell.slice.start;
}

/** Line ends and tabs become spaces, because rows leave the store as lines. */
function withoutControls(slice: Slice): Slice {
  const { bytes, start, end } = slice;
  for (let i = start; i < end; i += 1) {
    if ((bytes[i] as number) >= 0x20) continue;
    const clean = bytes.slice(start, end).map((byte) => Math.max(byte, 0x20));
    return { bytes: clean, start: 0, end: clean.length };
  }
  return slice;
}
