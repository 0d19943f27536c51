/**
 * From bytes to store columns: current rows, former rows, closed registrations
 * (upstream/registers-geo.md 1.4, 1.6).
 */
import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '../bytes/exact-json.ts';
import { DENMARK_UTM32 } from '../geo/box.ts';
import { beat } from '../kernel/pulse.ts';
import type { ColumnKind, RegisterTable, TableColumn } from '../layers/register-tables.ts';
import type { UpstreamProperties } from '../layers/feature.ts';
import { UpstreamFailure } from '../wfs/failure.ts';
import { RowCollector } from '../wfs/whole.ts';
import type { PageRows } from '../wfs/whole.ts';
import { ArrayWriter } from './array-writer.ts';
import type { ElementType } from './array-writer.ts';
import { boxOfText } from './remains.ts';
import { KINDS, cellOf } from './column-kinds.ts';
import type { Cell } from './column-kinds.ts';
import { CsvCells, JsonCells, findColumn } from './table-cells.ts';
import type { ParseTableTask, ParsedTable, RowColumns, UnreadableRow } from './table-task.ts';
import * as values from './table-values.ts';
import type { Slice } from './table-values.ts';

/** A point is two: the first has its name in the store, the second null. */
export interface StoredColumn {
  readonly name: string;
  readonly type: ElementType;
  readonly point?: { readonly name: string; readonly y: string } | null;
}

export function columnsOf(table: RegisterTable): readonly StoredColumn[] {
  const own = table.columns.flatMap(({ name, kind }): StoredColumn[] =>
    kind === 'point'
      ? [
          { name: `${name}_x`, type: 'float8', point: { name, y: `${name}_y` } },
          { name: `${name}_y`, type: 'float8', point: null },
        ]
      : [{ name, type: KINDS[kind].type }],
  );
  return [
    ...own,
    { name: 'registered_from', type: 'timestamptz' },
    { name: 'valid_from', type: 'timestamptz' },
  ];
}

export function storeNamesOf(columns: readonly StoredColumn[]): readonly string[] {
  return columns.flatMap(({ name, point }) => (point === null ? [] : [point?.name ?? name]));
}

export function formerColumnsOf(table: RegisterTable): readonly StoredColumn[] {
  return [...columnsOf(table), { name: 'valid_to', type: 'timestamptz' }];
}

export function closedColumnsOf(table: RegisterTable): readonly StoredColumn[] {
  const always = new Set([...table.key, 'registered_from', 'valid_from']);
  return columnsOf(table).filter(({ name }) => always.has(name));
}

export function othersColumnsOf(table: RegisterTable): readonly StoredColumn[] {
  return columnsOf(table).filter(({ name }) => table.key.includes(name));
}

const TIMES = [
  { name: 'registreringFra', from: ['registreringfra', 'registreringstart'] },
  { name: 'registreringTil', from: ['registreringtil', 'registreringslut'] },
  { name: 'virkningFra', from: ['virkningfra', 'virkningstart'] },
  { name: 'virkningTil', from: ['virkningtil', 'virkningslut'] },
] as const;

export const ROW_TIMES: readonly string[] = TIMES.map(({ name }) => name);

const ENDS = 3;
const OFTEN_EMPTY: readonly string[] = ['registreringTil', 'virkningTil'];

/** So many rows without a time are no isolated faults. */
const LEAST_WITHOUT_TIMES = 25;

/** Unreadable rows described; the rest are counted. */
const REASONS_KEPT = 200;

/** Throws UpstreamFailure `unreadable` when rows cannot be separated. */
export function readTable(task: ParseTableTask): ParsedTable {
  const { table } = task;
  // A name with signs in place of its letters would be found nowhere.
  if (!isUtf8(task.bytes)) throw new UpstreamFailure('unreadable', 'rows that are no UTF-8');
  const { rows, inOrder, columns, missing } = open(task, table);
  const reader = new TableReader(table, task.nowMs);
  while (rows.next()) {
    beat();
    if (rows.fault === null) reader.row(rows.cells);
    else reader.refuse(rows.cells, rows.fault);
  }
  const { firstLine = 1, members } = task;
  const misshapen =
    rows.misshapen === null
      ? null
      : { ...rows.misshapen, line: rows.misshapen.line + firstLine - 1 };
  const gone = inOrder !== null ? [] : reader.emptyTimes();
  return {
    ...reader.finish(),
    ...{ members, inOrder, columns, missing: [...new Set([...missing, ...gone])], misshapen },
  };
}

function open({ head, bytes, members, sortedBy }: ParseTableTask, table: RegisterTable) {
  const wanted = [...table.columns, ...TIMES];
  const placesIn = (names: readonly string[]): number[] =>
    wanted.map(({ from, ...column }) =>
      findColumn(names, from, 'isPrefix' in column && column.isPrefix),
    );
  if (head !== null) {
    const places = placesIn(head.columns);
    const rows = new CsvCells(bytes, head, places);
    return { rows, inOrder: null, columns: head.columns, missing: missingOf(table, places, []) };
  }
  const isFeatures = sortedBy !== undefined;
  const parsed = parseRows(bytes, members, isFeatures);
  const inOrder = sortedBy === undefined ? null : rowsInOrder(parsed, sortedBy);
  const columns = [...new Set(parsed.flatMap((row) => Object.keys(row)))];
  const places = placesIn(columns);
  const rows = new JsonCells(
    parsed,
    places.map((place) => columns[place] ?? null),
  );
  const unnamed = isFeatures
    ? TIMES.map(({ name }) => name)
    : leavesOutNulls(parsed, columns)
      ? OFTEN_EMPTY
      : [];
  return { rows, inOrder, columns, missing: missingOf(table, places, unnamed) };
}

function rowsInOrder(rows: readonly UpstreamProperties[], sortedBy: string): PageRows {
  const inOrder = new RowCollector(sortedBy);
  for (const row of rows) inOrder.add(row, JSON.stringify(row));
  return inOrder;
}

/** JSON rows omit empty values: no null anywhere, and differing names. */
function leavesOutNulls(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
): boolean {
  const isRagged = rows.some((row) => Object.keys(row).length < columns.length);
  return isRagged && !rows.some((row) => Object.values(row).includes(null));
}

function parseRows(
  bytes: Uint8Array,
  members: number,
  isFeatures = false,
): Readonly<Record<string, unknown>>[] {
  let rows: unknown;
  try {
    rows = parseExactJson(new TextDecoder().decode(bytes));
  } catch {
    // The parser's message quotes rows, which may be personal.
    throw new UpstreamFailure('unreadable', 'rows that are no JSON');
  }
  if (isFeatures) rows = propertiesOf(rows);
  if (!Array.isArray(rows) || rows.length !== members) {
    throw new UpstreamFailure('unreadable', `${members} rows counted, others parsed`);
  }
  return rows as Readonly<Record<string, unknown>>[];
}

function propertiesOf(collection: unknown): unknown {
  const { features } = (collection ?? {}) as { readonly features?: unknown };
  if (!Array.isArray(features)) return null;
  return features.map((feature) => (feature as { properties?: object } | null)?.properties ?? {});
}

/**
 * Required columns. Without the four times, past rows would count as current. `unnamed`: times that
 * may be missing.
 */
function missingOf(
  { columns }: RegisterTable,
  places: readonly number[],
  unnamed: readonly string[],
): string[] {
  const own = columns.flatMap(({ name, required, expected }, i) =>
    places[i] === -1 && (required ?? expected ?? false) ? [name] : [],
  );
  const times = TIMES.flatMap(({ name }, i) =>
    places[columns.length + i] === -1 && !unnamed.includes(name) ? [name] : [],
  );
  return [...own, ...times];
}

class TableReader {
  readonly #table: RegisterTable;
  readonly #nowUs: number;
  readonly #cells: readonly Cell[];
  readonly #keyCells: readonly Cell[];
  readonly #keyPlaces: readonly number[];
  /** The day a row ended; undefined: ended rows are not kept among the current ones. */
  readonly #ended: Cell | undefined;
  readonly #current: Writers;
  readonly #former: Writers;
  readonly #closed: Writers;
  readonly #others: Writers;
  readonly #unreadable: UnreadableRow[] = [];
  #unreadableRows = 0;
  #future = 0;
  #past = 0;
  #outside = 0;
  #nextChangeUs = Infinity;
  #rows = 0;
  #registered = 0;
  #dated = 0;

  constructor(table: RegisterTable, nowMs: number) {
    this.#table = table;
    this.#nowUs = nowMs * 1000;
    this.#cells = table.columns.map(cellOf);
    const isKey = ({ name }: TableColumn) => table.key.includes(name);
    this.#keyCells = this.#cells.filter(({ column }) => isKey(column));
    this.#keyPlaces = table.columns.flatMap((column, i) => (isKey(column) ? [i] : []));
    this.#ended = this.#cells.find(({ column }) => column.name === table.ended);
    this.#current = new Writers(columnsOf(table));
    this.#former = new Writers(formerColumnsOf(table));
    this.#closed = new Writers(closedColumnsOf(table));
    this.#others = new Writers(othersColumnsOf(table));
  }

  row(slices: readonly Slice[]): void {
    const base = this.#cells.length;
    const times = TIMES.map(({ name }, i) =>
      instantOf(slices[base + i], OFTEN_EMPTY.includes(name)),
    );
    const [registered, closed, from, to] = times as [number, number, number, number];
    if (times.some((time, i) => Number.isNaN(time) && isFilled(slices[base + i]))) {
      this.refuse(slices, 'a time that cannot be read');
      return;
    }
    this.#rows += 1;
    if (!Number.isNaN(registered)) this.#registered += 1;
    if (!Number.isNaN(from)) this.#dated += 1;
    const registeredFrom = Number.isNaN(registered) ? 0 : registered;
    const validFrom = Number.isNaN(from) ? registeredFrom : from;
    const isClosed = closed <= this.#nowUs;
    for (const [i, cell] of this.#cells.entries()) {
      // The values of a closed registration decide nothing.
      if (isClosed && cell.column.standing !== undefined) continue;
      const reason = readCell(cell, slices[i] as Slice);
      if (reason !== null) {
        this.refuse(slices, reason);
        return;
      }
    }
    const isOver = to <= this.#nowUs;
    if (isOver && this.#ended !== undefined) readCell(this.#ended, slices[base + ENDS] as Slice);
    if (closed > this.#nowUs) this.#changesAt(closed);
    this.#keep(isClosed, { registeredFrom, validFrom, to });
  }

  /** `to`: microseconds; NaN or Infinity: no end. */
  #keep(
    isClosed: boolean,
    { registeredFrom, validFrom, to }: Record<'registeredFrom' | 'validFrom' | 'to', number>,
  ): void {
    const isOver = to <= this.#nowUs && this.#ended === undefined;
    const begins = Math.max(registeredFrom, validFrom);
    if (isClosed) this.#closed.add(this.#keyCells, [registeredFrom, validFrom]);
    else if (isOver && this.#table.former === null) this.#past += 1;
    else if (isOver) this.#former.add(this.#cells, [registeredFrom, validFrom, to]);
    else if (begins > this.#nowUs) {
      this.#future += 1;
      this.#changesAt(begins);
    } else {
      if (to > this.#nowUs) this.#changesAt(to);
      this.#countOutside();
      this.#current.add(this.#cells, [registeredFrom, validFrom]);
      return;
    }
    if (!isClosed && this.#table.keepsOthers === true) this.#others.add(this.#keyCells, []);
  }

  finish(): Omit<ParsedTable, 'members' | 'inOrder' | 'columns' | 'missing' | 'misshapen'> {
    return {
      current: this.#current.finish(),
      former: this.#former.finish(),
      closed: this.#closed.finish(),
      others: this.#others.finish(),
      future: this.#future,
      past: this.#past,
      unreadable: [
        ...this.#unreadable,
        ...Array.from({ length: this.#unreadableRows - this.#unreadable.length }, () => ({
          key: null,
          reason: 'as others before',
          cells: null,
          box: null,
        })),
      ],
      outside: this.#outside,
      cells: Object.fromEntries(
        this.#cells.map(({ column, filled, unreadable }) => [column.name, { filled, unreadable }]),
      ),
      nextChangeMs: Number.isFinite(this.#nextChangeUs) ? this.#nextChangeUs / 1000 : null,
    };
  }

  #changesAt(us: number): void {
    this.#nextChangeUs = Math.min(this.#nextChangeUs, us);
  }

  /** The register has points at 0,0 and worse: such an address has no position. */
  #countOutside(): void {
    for (const cell of this.#cells) {
      if (cell.column.kind !== 'point' || cell.isNull) continue;
      const { number: x, second: y } = cell;
      const inside =
        x >= DENMARK_UTM32.minX &&
        x <= DENMARK_UTM32.maxX &&
        y >= DENMARK_UTM32.minY &&
        y <= DENMARK_UTM32.maxY;
      if (inside) continue;
      cell.isNull = true;
      this.#outside += 1;
    }
  }

  /** Required times that are empty in all of many rows: the column exists without values. */
  emptyTimes(): readonly string[] {
    if (this.#rows < LEAST_WITHOUT_TIMES) return [];
    return [
      ...(this.#registered === 0 ? ['registreringFra'] : []),
      ...(this.#dated === 0 ? ['virkningFra'] : []),
    ];
  }

  refuse(slices: readonly Slice[], reason: string): void {
    this.#unreadableRows += 1;
    if (this.#unreadable.length >= REASONS_KEPT) return;
    const parts = this.#keyPlaces.map((place) => slices[place]);
    const key = parts.every(isFilled) ? parts.map((part) => textOf(part)).join(' ') : null;
    const filled = this.#table.columns.flatMap(({ name }, i) => {
      const slice = slices[i];
      return isFilled(slice) ? [[name, textOf(slice)] as const] : [];
    });
    const shape = slices[this.#table.columns.findIndex(({ kind }) => HAS_BOX.has(kind))];
    const box = isFilled(shape) ? boxOfText(textOf(shape, Infinity)) : null;
    this.#unreadable.push({ key, reason, cells: Object.fromEntries(filled), box });
  }
}

/** These lead to a row's owner or place: an unreadable one is not kept as none. */
const LEADS: ReadonlySet<ColumnKind> = new Set<ColumnKind>([
  ...(['uuid', 'bigint', 'geometry', 'point', 'surface'] as const),
]);

const HAS_BOX: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['geometry', 'point', 'surface']);

function textOf({ bytes, start, end }: Slice, most = 100): string {
  return Buffer.from(bytes.subarray(start, Math.min(end, start + most))).toString();
}

function isFilled(slice: Slice | undefined): slice is Slice {
  return slice !== undefined && slice.end > slice.start;
}

/** Microseconds; NaN: empty or unreadable. */
function instantOf(slice: Slice | undefined, isEnd: boolean): number {
  if (slice === undefined || slice.end === slice.start) return NaN;
  return isEnd ? values.readEnd(slice) : values.readBegin(slice);
}

const EMPTY = Buffer.from(' EMPTY');

/** The register's value for no position: `GEOMETRYCOLLECTION EMPTY`. */
function isNoGeometry({ bytes, start, end }: Slice): boolean {
  if (end - start < EMPTY.length || bytes[end - 1] !== EMPTY.at(-1)) return false;
  return EMPTY.equals(bytes.subarray(end - EMPTY.length, end));
}

/** A day that decides may be a word for no end. */
function isFilledCell({ decides, kind }: TableColumn, slice: Slice): boolean {
  const isDay = decides === true && kind === 'date';
  return isFilled(slice) && !(isDay && values.readEnd(slice) === Infinity);
}

/** Fills the cell; null, or why the row cannot be kept. */
function readCell(cell: Cell, slice: Slice): string | null {
  const { column } = cell;
  const isThere = isFilledCell(column, slice);
  if (!isThere && column.empty !== undefined) {
    cell.number = column.empty;
    cell.isNull = false;
    return null;
  }
  cell.isNull = !isThere || !KINDS[column.kind].read(cell, slice);
  const isTold = isThere && !isNoGeometry(slice);
  if (isTold) {
    cell.filled += 1;
    if (cell.isNull) cell.unreadable += 1;
  }
  const decides = LEADS.has(column.kind) || column.decides === true;
  const isNeeded = column.required === true || (decides && isTold);
  return cell.isNull && isNeeded ? `no usable ${column.name}` : null;
}

class Writers {
  readonly #writers: readonly ArrayWriter[];
  #rows = 0;

  constructor(columns: readonly StoredColumn[]) {
    this.#writers = columns.map(({ type }) => new ArrayWriter(type));
  }

  add(cells: readonly Cell[], times: readonly number[]): void {
    let at = 0;
    const next = (): ArrayWriter => this.#writers[at++] as ArrayWriter;
    for (const cell of cells) {
      const writer = next();
      if (cell.isNull) writer.null();
      else KINDS[cell.column.kind].write(cell, writer);
      if (cell.column.kind !== 'point') continue;
      if (cell.isNull) next().null();
      else next().float8(cell.second);
    }
    for (const time of times) next().time(time);
    this.#rows += 1;
  }

  finish(): RowColumns {
    return { rows: this.#rows, arrays: this.#writers.map((writer) => writer.finish()) };
  }
}
