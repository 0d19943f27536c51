/** Cells as places in bytes, one row at a time. */
import { CsvScan, STOP } from '../bytes/csv-scan.ts';
import type { Stop } from '../bytes/csv-scan.ts';
import { UpstreamFailure } from '../wfs/failure.ts';
import type { CsvHead } from './csv-rows.ts';
import type { Misshapen } from './table-task.ts';
import type { Slice } from './table-values.ts';

/** Lower case, ae oe aa, letters and digits only: spellings differ between files. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'oe')
    .replaceAll('å', 'aa')
    .replaceAll(/[^a-z0-9]/g, '');
}

/** Some files truncate long names (upstream/registers-geo.md 1.4). */
const CUT_AT = 30;

/** Index in the file's names; -1: missing. `isPrefix`: matches the beginning. */
export function findColumn(
  names: readonly string[],
  wanted: readonly string[],
  isPrefix = false,
): number {
  const plain = names.map(plainName);
  for (const name of wanted) {
    const at = plain.findIndex(
      (each, i) =>
        each === name ||
        (isPrefix && each.startsWith(name)) ||
        ((names[i] ?? '').length >= CUT_AT && each !== '' && name.startsWith(each)),
    );
    if (at !== -1) return at;
  }
  return -1;
}

const LF = 0x0a;
const CR = 0x0d;

export class CsvCells {
  readonly cells: Slice[];
  readonly #bytes: Uint8Array;
  readonly #scan: CsvScan;
  /** Slots by file column; -1: unwanted. */
  readonly #slots: Int32Array;
  /** Why the row cannot be read; null: it can. */
  fault: string | null = null;
  /** Rows so far with another number of cells, by line in these bytes; null: none. */
  misshapen: Misshapen | null = null;

  /** `wanted`: index of each cell's column in the file, or -1. */
  constructor(bytes: Uint8Array, { columns, delimiter }: CsvHead, wanted: readonly number[]) {
    this.#bytes = bytes;
    this.#scan = new CsvScan({ delimiter, lineEnds: [LF] });
    this.#scan.feed(bytes);
    this.#slots = new Int32Array(columns.length).fill(-1);
    wanted.forEach((column, cell) => {
      if (column >= 0) this.#slots[column] = cell;
    });
    this.cells = wanted.map(() => ({ bytes, start: 0, end: 0 }));
  }

  next(): boolean {
    for (const cell of this.cells) cell.start = cell.end = 0;
    let stop = this.#begin();
    if (stop === null) return false;
    const { start } = this.#scan;
    let column = 0;
    for (; ; column += 1) {
      const slot = this.#slots[column] ?? -1;
      stop = stop === STOP.open ? this.#quoted(slot) : this.#plain(slot, stop);
      if (stop !== STOP.delimiter) break;
      stop = this.#scan.next();
    }
    const isWhole = column + 1 === this.#slots.length;
    this.fault = isWhole ? null : 'another number of cells than the head has names';
    if (!isWhole) this.#note(start, column + 1);
    return true;
  }

  #note(start: number, cells: number): void {
    const { rows, ...first } = this.misshapen ?? {
      rows: 0,
      line: 1 + lineEndsIn(this.#bytes.subarray(0, start)),
      cells,
      columns: this.#slots.length,
    };
    this.misshapen = { ...first, rows: rows + 1 };
  }

  /** Skips blank lines to the first stop in a row; null: end. */
  #begin(): Stop | null {
    const scan = this.#scan;
    for (;;) {
      const stop = scan.next();
      const isLine = stop === STOP.lineEnd || stop === STOP.end;
      if (!isLine || !this.#isBlank(scan.start, scan.at)) return stop;
      if (stop === STOP.end) return null;
    }
  }

  /** Ends at the delimiter or line end after the cell. */
  #plain(slot: number, first: Stop): Stop {
    const scan = this.#scan;
    const { start } = scan;
    let stop = first;
    while (stop === STOP.letter) stop = scan.next();
    if (slot >= 0) this.#fill(slot, start, scan.at);
    return stop;
  }

  #quoted(slot: number): Stop {
    const scan = this.#scan;
    let stop = scan.next();
    const { start } = scan;
    let end: number;
    let doubled = false;
    for (;;) {
      if (stop === STOP.end)
        throw new UpstreamFailure('unreadable', 'a quoted value without an end');
      end = scan.at;
      stop = scan.next();
      if (stop !== STOP.letter || scan.isBehindQuote) break;
      doubled = true;
      stop = scan.next();
    }
    // Text between the end and the next delimiter belongs to no cell.
    while (stop === STOP.letter) stop = scan.next();
    if (slot >= 0) {
      if (doubled) this.#fillDoubled(slot, this.#bytes.subarray(start, end));
      else this.#fill(slot, start, end);
    }
    return stop;
  }

  #isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (this.#bytes[at] !== CR) return false;
    return true;
  }

  #fill(slot: number, from: number, to: number): void {
    const bytes = this.#bytes;
    let [start, end] = [from, to];
    while (end > start && (bytes[end - 1] as number) <= 0x20) end -= 1;
    while (start < end && (bytes[start] as number) <= 0x20) start += 1;
    const cell = this.cells[slot] as Slice;
    cell.bytes = bytes;
    cell.start = start;
    cell.end = end;
  }

  #fillDoubled(slot: number, inner: Uint8Array): void {
    const text = Buffer.from(inner).toString().replaceAll('""', '"').trim();
    const bytes = Buffer.from(text);
    Object.assign(this.cells[slot] as Slice, { bytes, start: 0, end: bytes.length });
  }
}

function lineEndsIn(bytes: Uint8Array): number {
  let ends = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) ends += 1;
  return ends;
}

export class JsonCells {
  readonly cells: Slice[];
  fault: string | null = null;
  readonly misshapen = null;
  readonly #rows: readonly Readonly<Record<string, unknown>>[];
  readonly #names: readonly (string | null)[];
  #next = 0;

  /** `names`: the property of each cell; null: missing in the file. */
  constructor(
    rows: readonly Readonly<Record<string, unknown>>[],
    names: readonly (string | null)[],
  ) {
    this.#rows = rows;
    this.#names = names;
    this.cells = names.map(() => ({ bytes: new Uint8Array(0), start: 0, end: 0 }));
  }

  next(): boolean {
    const row = this.#rows[this.#next];
    if (row === undefined) return false;
    this.#next += 1;
    this.fault = null;
    this.#names.forEach((name, slot) => {
      const value = (name === null ? null : row[name]) ?? '';
      if (typeof value === 'object') this.fault = `a list or an object as ${name}`;
      const bytes = Buffer.from(typeof value === 'string' ? value.trim() : JSON.stringify(value));
      Object.assign(this.cells[slot] as Slice, { bytes, start: 0, end: bytes.length });
    });
    return true;
  }
}
