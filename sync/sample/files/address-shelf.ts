/**
 * The tables of addresses on the shelf of the download service: a total of each, a delta for each day
 * something was changed, and beside them what a listing holds that must not be taken for either.
 */
import { createHash } from 'node:crypto';
import type { AddressRow, SampleEntity } from '../data/addresses.ts';
import { SAMPLE_ENTITIES, generateAddresses } from '../data/addresses.ts';
import type { ShelfEntry } from './shelf.ts';
import { zipOf } from './zip.ts';

export type TableFormat = 'csv' | 'json';

/** What happened to a table in a day: rows whose registration ends, rows that are registered. */
export interface AddressChange {
  readonly close?: readonly AddressRow[];
  readonly open?: readonly AddressRow[];
  /** Registration of the new rows, and end of the closed ones; ISO 8601. */
  readonly at: string;
}

/** Changes on the way from the rows to the shelf, for tests: each gets the right thing. */
export interface AddressFaults {
  readonly listing?: (entries: readonly ShelfEntry[]) => readonly ShelfEntry[];
  readonly rows?: (entity: SampleEntity, rows: readonly AddressRow[]) => readonly AddressRow[];
  readonly zip?: (entity: SampleEntity, zip: Buffer) => Buffer;
}

export interface AddressShelf {
  entries(register: string, entity: string | null, format: string | null): readonly ShelfEntry[];
  /** null: no such file here. */
  file(name: string): Buffer | null;
  /** The rows of a table as its next total holds them. */
  rows(entity: SampleEntity): readonly AddressRow[];
  /** Puts a day's changes of one table on the shelf. Returns the generation of the delta. */
  change(entity: SampleEntity, change: AddressChange): number;
  /** The week is over: a total of the table with all changes in it. Returns its generation. */
  renew(entity: SampleEntity): number;
  /** Replaces the faults; none mends everything. */
  spoil(faults?: AddressFaults): void;
}

const FIRST_GENERATION = 690;
const STUB = zipOf([{ name: 'stub.csv', bytes: Buffer.from('id_lokalId;navn\n') }]);

interface Delta {
  readonly generation: number;
  readonly rows: readonly AddressRow[];
}

interface Stock {
  rows: readonly AddressRow[];
  total: { readonly generation: number; readonly rows: readonly AddressRow[] };
  deltas: Delta[];
}

interface Named {
  readonly entity: SampleEntity;
  readonly download: 'TotalDownload' | 'DeltaDownload';
  readonly format: TableFormat;
  readonly generation: number;
}

export function createAddressShelf(): AddressShelf {
  const stocks = new Map<SampleEntity, Stock>();
  const zips = new Map<string, Buffer>();
  let faults: AddressFaults = {};

  const stockOf = (entity: SampleEntity): Stock => {
    if (stocks.size === 0) {
      const tables = generateAddresses();
      for (const each of SAMPLE_ENTITIES) {
        const rows = tables[each];
        const total = { generation: FIRST_GENERATION, rows };
        stocks.set(each, { rows, total, deltas: [] });
      }
    }
    return stocks.get(entity) as Stock;
  };

  const zip = (named: Named): Buffer | null => {
    const { entity, download, generation } = named;
    const stem = stemOf(named);
    const known = zips.get(stem);
    if (known !== undefined) return known;
    const stock = stockOf(entity);
    const found =
      download === 'TotalDownload'
        ? stock.total.generation === generation && stock.total
        : stock.deltas.find((delta) => delta.generation === generation);
    if (!found) return null;
    const rows = faults.rows?.(entity, found.rows) ?? found.rows;
    const text = named.format === 'csv' ? csvOf(rows, download) : JSON.stringify(rows);
    const packed = zipOf([{ name: `${stem}.${named.format}`, bytes: Buffer.from(text) }]);
    const made = faults.zip?.(entity, packed) ?? packed;
    zips.set(stem, made);
    return made;
  };

  const listed = (entity: SampleEntity, format: TableFormat): ShelfEntry[] => {
    const { total, deltas } = stockOf(entity);
    const whole: Named = { entity, download: 'TotalDownload', format, ...total };
    const files = [
      whole,
      ...deltas.map((delta): Named => ({ ...whole, download: 'DeltaDownload', ...delta })),
    ];
    const entries = files.map((named) => entryOf(named, zip(named) ?? STUB));
    const [first] = entries;
    // A version to come has a counter of its own and a header for its only row.
    const stub = entryOf({ ...whole, generation: 12 }, STUB, '2');
    const part = first && {
      ...first,
      fileName: first.fileName.replace(`_${entity}_`, `_${entity}_0091_`),
      municipalityCode: '0091',
    };
    return [stub, ...entries, ...(part ? [part] : [])];
  };

  return {
    entries: (register, entity, format) => {
      const all = SAMPLE_ENTITIES.filter(
        (each) =>
          registerOf(each) === register.toUpperCase() &&
          (entity === null || each.toLowerCase() === entity.toLowerCase()),
      ).flatMap((each) =>
        (['csv', 'json'] as const)
          .filter((one) => format === null || one === format)
          .flatMap((one) => listed(each, one)),
      );
      return faults.listing?.(all) ?? all;
    },
    file: (name) => {
      const parts =
        /^[A-Z]+_V(\d)_(\w+)_(TotalDownload|DeltaDownload)_(csv|json)_Current_(\d+)\.zip$/.exec(name);
      const entity = SAMPLE_ENTITIES.find((each) => each === parts?.[2]);
      if (parts === null || entity === undefined) return null;
      if (parts[1] !== '1') return STUB;
      return zip({
        entity,
        download: parts[3] as Named['download'],
        format: parts[4] as TableFormat,
        generation: Number(parts[5]),
      });
    },
    rows: (entity) => stockOf(entity).rows,
    change: (entity, { close = [], open = [], at }) => {
      const stock = stockOf(entity);
      const closed = close.map((row) => ({ ...row, registreringTil: at }));
      const opened = open.map((row) => ({ ...row, registreringFra: at, registreringTil: null }));
      const gone = new Set(close);
      stock.rows = [...stock.rows.filter((row) => !gone.has(row)), ...opened];
      const last = stock.deltas.at(-1)?.generation ?? stock.total.generation;
      stock.deltas.push({ generation: last + 1, rows: [...opened, ...closed] });
      return last + 1;
    },
    renew: (entity) => {
      const stock = stockOf(entity);
      const generation = (stock.deltas.at(-1)?.generation ?? stock.total.generation) + 1;
      stock.total = { generation, rows: stock.rows };
      stock.deltas.push({ generation, rows: [] });
      return generation;
    },
    spoil: (next = {}) => {
      faults = next;
      zips.clear();
    },
  };
}

export function registerOf(entity: SampleEntity): 'DAR' | 'MAT' {
  return entity === 'Jordstykke' ? 'MAT' : 'DAR';
}

function stemOf({ entity, download, format, generation }: Named, version = '1'): string {
  return `${registerOf(entity)}_V${version}_${entity}_${download}_${format}_Current_${generation}`;
}

function entryOf(named: Named, bytes: Buffer, version = '1'): ShelfEntry {
  const { entity, download, format, generation } = named;
  return {
    fileName: `${stemOf(named, version)}.zip`,
    register: registerOf(entity),
    entityName: entity,
    typeOfDownload: download,
    typeOfData: 'Current',
    version,
    generationNumber: generation,
    generationTime: '2026-11-01T04:12:00Z',
    pointInTime: null,
    expirationDate: '2199-12-31T23:59:59Z',
    containedFileFormat: format,
    outputFileFormat: 'zip',
    municipalityCode: null,
    md5Hash: createHash('md5').update(bytes).digest('hex'),
    fileSizeInBytes: bytes.length,
  };
}

/** Totals and deltas spell their columns differently, as the register's do. */
const DELTA_NAMES: Readonly<Record<string, string>> = {
  id_lokalId: 'id_lokalid',
  doerbetegnelse: 'dørbetegnelse',
  navngivenVej: 'navngivenvej_id',
  adgangspunkt: 'adgangspunkt_id',
};

function csvOf(rows: readonly AddressRow[], download: Named['download']): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names =
    download === 'TotalDownload' ? columns : columns.map((name) => DELTA_NAMES[name] ?? name);
  const lines = rows.map((row) => columns.map((name) => quoted(row[name] ?? '')).join(','));
  return [names.join(','), ...lines, ''].join('\r\n');
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
