/**
 * The tables of the registers on the shelf of the download service: a total of each, a delta for each day
 * something was changed, and beside them what a listing holds that must not be taken for either.
 */
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { SAMPLES } from '../registers.ts';
import type { TableRow } from '../data/table-row.ts';
import type { SampleEntity } from '../data/tables.ts';
import { SAMPLE_ENTITIES, generateTables } from '../data/tables.ts';
import { entryOf, stemOf } from './entry.ts';
import type { Named, ShelfEntry } from './entry.ts';
import { zipOf } from './zip.ts';

const FORMATS = ['csv', 'json'] as const;

/** What happened to a table in a day: rows whose registration ends, rows that are registered. */
export interface TableChange {
  readonly close?: readonly TableRow[];
  readonly open?: readonly TableRow[];
  /** Registration of the new rows, and end of the closed ones; ISO 8601. */
  readonly at: string;
}

/** Changes on the way from the rows to the shelf, for tests: each gets the right thing. */
export interface TableFaults {
  /** What the files say they hold. */
  readonly contents?: 'Bitemporal';
  readonly listing?: (entries: readonly ShelfEntry[]) => readonly ShelfEntry[];
  readonly rows?: (entity: SampleEntity, rows: readonly TableRow[]) => readonly TableRow[];
  /** Of what is in the zip. */
  readonly text?: (entity: SampleEntity, text: string, named: Named) => string;
  readonly zip?: (entity: SampleEntity, zip: Buffer) => Buffer;
}

const FIRST_GENERATION = 690;
/** The register keeps the deltas of 14 days, one a day. A listing of all since the start would slow each sync down. */
const KEPT_DELTAS = 14;
const STUB = zipOf([{ name: 'stub.csv', bytes: Buffer.from('id_lokalId;navn\n') }]);

interface File {
  readonly generation: number;
  readonly rows: readonly TableRow[];
  /** Its zips without faults, by name. */
  readonly zips: Map<string, Buffer>;
}

interface Stock {
  rows: readonly TableRow[];
  total: File;
  readonly deltas: File[];
}

export class TableShelf {
  readonly #stocks = new Map<SampleEntity, Stock>();
  readonly #zipsWithFaults = new Map<string, Buffer>();
  #faults: TableFaults = {};

  entries(register: string, entity: string | null, format: string | null): readonly ShelfEntry[] {
    const entities = SAMPLE_ENTITIES.filter(
      (each) =>
        registerOf(each) === register.toUpperCase() &&
        (entity === null || each.toLowerCase() === entity.toLowerCase()),
    );
    const formats = FORMATS.filter((one) => format === null || one === format);
    const all = entities.flatMap((each) => formats.flatMap((one) => this.#listed(each, one)));
    return this.#faults.listing?.(all) ?? all;
  }

  /** null: no such file here. */
  file(name: string): Buffer | null {
    const [, version, entity, download, format, generation] = FILE_NAME.exec(name) ?? [];
    if (entity === undefined || !SAMPLE_ENTITIES.includes(entity)) return null;
    if (version !== '1') return STUB;
    const total = this.#totalOf(entity, format ?? '', Number(generation));
    return this.#zip({ ...total, download: download as Named['download'] });
  }

  #totalOf(entity: SampleEntity, format: string, generation: number): Named {
    const of = { register: registerOf(entity), entity, format, generation, version: '1' };
    const contents = isWholeOnly(entity) ? 'Bitemporal' : (this.#faults.contents ?? 'Current');
    return { ...of, contents, download: 'TotalDownload' };
  }

  /** The rows of a table as its next total holds them. */
  rows(entity: SampleEntity): readonly TableRow[] {
    return this.#stockOf(entity).rows;
  }

  /** Puts a day's changes of one table on the shelf. Returns the generation of the delta. */
  change(entity: SampleEntity, { close = [], open = [], at }: TableChange): number {
    const stock = this.#stockOf(entity);
    const closed = close.map((row) => ({ ...row, registreringTil: at }));
    const opened = open.map((row) => ({ ...row, registreringFra: at, registreringTil: null }));
    const gone = new Set(close);
    stock.rows = [...stock.rows.filter((row) => !gone.has(row)), ...opened];
    // A day's rows come in no order: the new ones may come before those they replace.
    return put(stock, [...opened, ...closed]);
  }

  /** The week is over: a total of the table with all changes in it. Returns its generation. */
  renew(entity: SampleEntity): number {
    const stock = this.#stockOf(entity);
    const generation = put(stock, []);
    stock.total = { generation, rows: stock.rows, zips: new Map() };
    return generation;
  }

  /** Replaces the faults; none mends everything. */
  spoil(next: TableFaults = {}): void {
    this.#faults = next;
    this.#zipsWithFaults.clear();
  }

  /** Nothing is drawn before somebody asks. */
  #stockOf(entity: SampleEntity): Stock {
    if (this.#stocks.size === 0) {
      const tables = generateTables();
      for (const each of SAMPLE_ENTITIES) {
        const rows = tables[each] ?? [];
        const total = { generation: FIRST_GENERATION, rows, zips: new Map<string, Buffer>() };
        this.#stocks.set(each, { rows, total, deltas: [] });
      }
    }
    return this.#stocks.get(entity) as Stock;
  }

  #zip(named: Named): Buffer | null {
    const { entity } = named;
    const stem = stemOf(named);
    const known = this.#zipsWithFaults.get(stem);
    if (known !== undefined) return known;
    const file = this.#fileOf(named);
    if (file === undefined) return null;
    const rows = this.#faults.rows?.(entity, file.rows) ?? file.rows;
    const isWhole = rows === file.rows && this.#faults.text === undefined;
    const packed = (isWhole && file.zips.get(stem)) || this.#packed(named, rows);
    if (isWhole) file.zips.set(stem, packed);
    const made = this.#faults.zip?.(entity, packed) ?? packed;
    this.#zipsWithFaults.set(stem, made);
    return made;
  }

  #packed(named: Named, rows: readonly TableRow[]): Buffer {
    const { entity, download, format } = named;
    const columns = columnsOf(rows.length === 0 ? this.#stockOf(entity).total.rows : rows);
    const text = format === 'csv' ? csvOf(rows, columns, download) : JSON.stringify(rows);
    const bytes = Buffer.from(this.#faults.text?.(entity, text, named) ?? text);
    return zipOf([{ name: `${stemOf(named)}.${format}`, bytes }]);
  }

  #fileOf({ entity, download, generation }: Named): File | undefined {
    const { total, deltas } = this.#stockOf(entity);
    const files = download === 'TotalDownload' ? [total] : deltas;
    return files.find((file) => file.generation === generation);
  }

  #listed(entity: SampleEntity, format: string): ShelfEntry[] {
    const { total, deltas } = this.#stockOf(entity);
    const whole = this.#totalOf(entity, format, total.generation);
    const changes = (isWholeOnly(entity) ? [] : deltas).map(({ generation }): Named => ({
      ...whole,
      download: 'DeltaDownload',
      generation,
    }));
    const entries = [whole, ...changes].map((named) => entryOf(named, this.#zip(named) ?? STUB));
    // A version to come has a counter of its own and a header for its only row.
    const stub = entryOf({ ...whole, generation: 12, version: '2' }, STUB);
    const parts = entries.slice(0, 1).map((entry) => ({
      ...entry,
      fileName: entry.fileName.replace(`_${entity}_`, `_${entity}_0091_`),
      municipalityCode: '0091',
    }));
    return [stub, ...entries, ...parts];
  }
}

const FILE_NAME =
  /^[A-Z]+_V(\d)_(\w+)_(TotalDownload|DeltaDownload)_(csv|json)_(?:Current|Bitemporal)_(\d+)\.zip$/;

/** Registers that come as bitemporal totals and nothing else, as the names of places do. */
const WHOLE_ONLY = SAMPLES.flatMap(({ wholeOnly = [] }) => wholeOnly);

export function isWholeOnly(entity: SampleEntity): boolean {
  return WHOLE_ONLY.includes(registerOf(entity)) || entity === 'Stednavn';
}

/** Puts a delta on the shelf, the oldest of too many off it; its generation. */
function put(stock: Stock, rows: readonly TableRow[]): number {
  const generation = (stock.deltas.at(-1)?.generation ?? stock.total.generation) + 1;
  stock.deltas.push({ generation, rows, zips: new Map() });
  stock.deltas.splice(0, stock.deltas.length - KEPT_DELTAS);
  return generation;
}

/** An entity that two registers have (`Bygning`) is here the one of the first. */
const TABLES = new Map(
  Object.values(REGISTERS_CATALOGUE.registers)
    .toReversed()
    .flatMap(({ schema }) => schema.tables.map((table) => [table.entity, table.register] as const)),
);

export function registerOf(entity: SampleEntity): string {
  const register = TABLES.get(entity);
  if (register === undefined) throw new Error(`No register has a table of ${entity}.`);
  return register;
}

/** Totals and deltas spell their columns differently, as the register's do. */
const DELTA_NAMES: Readonly<Record<string, string>> = {
  id_lokalId: 'id_lokalid',
  doerbetegnelse: 'dørbetegnelse',
  navngivenVej: 'navngivenvej_id',
  adgangspunkt: 'adgangspunkt_id',
};

/** Some totals cut names off after 30 letters. */
const TOTAL_NAMES: Readonly<Record<string, string>> = {
  hovedejendomOpdeltIEjerlejligheder: 'hovedejendomOpdeltIEjerlejligh',
};

/** The fields of BBR are written without Danish letters in some. */
function deltaName(name: string): string {
  const other = DELTA_NAMES[name];
  if (other !== undefined) return other;
  return /^[a-zæøå]{3}\d{3}/.test(name)
    ? name.replaceAll('æ', 'ae').replaceAll('ø', 'oe').replaceAll('å', 'aa')
    : name;
}

/** A day without a change has a line of names all the same. */
function columnsOf(rows: readonly TableRow[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function csvOf(
  rows: readonly TableRow[],
  columns: readonly string[],
  download: Named['download'],
): string {
  const names = columns.map((name) =>
    download === 'DeltaDownload' ? deltaName(name) : (TOTAL_NAMES[name] ?? name),
  );
  const lines = rows.map((row) => columns.map((name) => quoted(row[name] ?? '')).join(','));
  return [names.join(','), ...lines, ''].join('\r\n');
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
