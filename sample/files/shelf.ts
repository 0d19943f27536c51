/**
 * What the download service has on its shelf: each theme in each format, a counter that moves when a
 * theme is edited, and everything else a real listing holds that must not be taken for a table.
 */
import { createHash } from 'node:crypto';
import type { AreaId } from '../../src/layers/keys.ts';
import { AREA_IDS } from '../../src/layers/keys.ts';
import type { SampleFeature } from '../data/feature.ts';
import { filesOf, localName } from '../hosts.ts';
import type { Holdings } from '../holdings.ts';
import type { ShelfEntry } from './entry.ts';
import type { FileRow } from './rows.ts';
import { fileRows } from './rows.ts';
import { createTableShelf } from './table-shelf.ts';
import type { TableShelf } from './table-shelf.ts';
import type { FileFormat } from './write.ts';
import { writeFile } from './write.ts';
import { zipOf } from './zip.ts';

/** Changes on the way from the rows to the shelf, for tests: each gets the right thing. */
export interface ShelfFaults {
  readonly rows?: (rows: readonly FileRow[]) => readonly FileRow[];
  /** The unpacked file. */
  readonly content?: (content: Buffer) => Buffer;
  readonly zip?: (zip: Buffer) => Buffer;
  readonly listing?: (entries: readonly ShelfEntry[]) => readonly ShelfEntry[];
  readonly totalCount?: (count: number) => number;
}

export interface Shelf {
  /** Everything listed for an entity and a format (null: every one). */
  entries(entity: string | null, format: string | null): readonly ShelfEntry[];
  totalCount(count: number): number;
  /** The bytes behind a name; null when there is no such file. */
  file(name: string): Buffer | null;
  /** Replaces the faults; none mends everything. */
  spoil(faults?: ShelfFaults): void;
  /** The tables of the registers. */
  readonly tables: TableShelf;
  /** Counter of a theme's table, moved when the theme was edited since it was last asked. */
  generation(theme: AreaId): number;
}

const FORMATS: readonly FileFormat[] = ['json', 'gpkg', 'gml'];
const FIRST_GENERATION = 673;
/** Stubs of versions to come have counters of their own. */
const STUBS = { 2: 118, 3: 123 } as const;
const STUB = zipOf([{ name: 'stub.txt', bytes: Buffer.from('id_lokalId;navn\n') }]);

interface Stocked {
  readonly features: readonly SampleFeature[];
  readonly generation: number;
  readonly zips: Map<FileFormat, Buffer>;
}

export function createShelf(holdings: Holdings): Shelf {
  const tables = createTableShelf();
  const { stocked, forgetZips } = createStock(holdings);
  let faults: ShelfFaults = {};

  const zip = (theme: AreaId, format: FileFormat): Buffer => {
    const { features, generation, zips } = stocked(theme);
    const known = zips.get(format);
    if (known !== undefined) return known;
    const rows = fileRows(theme, features);
    const content = writeFile(theme, format, faults.rows?.(rows) ?? rows);
    const stem = tableName(theme, format, { version: '1', generation });
    const bytes = faults.content?.(content) ?? content;
    const packed = zipOf([{ name: `${stem}.${format}`, bytes }]);
    const made = faults.zip?.(packed) ?? packed;
    zips.set(format, made);
    return made;
  };

  const listed = (theme: AreaId, format: FileFormat): ShelfEntry[] => {
    const { generation } = stocked(theme);
    const whole = { theme, format, version: '1', generation, bytes: zip(theme, format) };
    return [
      ...Object.entries(STUBS).map(([version, stub]) =>
        entryOf({ theme, format, version, generation: stub, bytes: STUB }),
      ),
      entryOf(whole),
      ...strangers(entryOf(whole)),
    ];
  };

  return {
    tables,
    entries: (entity, format) => {
      const themes = AREA_IDS.filter((theme) => sameEntity(entityOf(theme), entity));
      const formats = FORMATS.filter((one) => format === null || one === format);
      const all = themes.flatMap((theme) => formats.flatMap((one) => listed(theme, one)));
      return faults.listing?.(all) ?? all;
    },
    totalCount: (count) => faults.totalCount?.(count) ?? count,
    file: (name) => {
      const stem = name.replace(/\.zip$/, '');
      for (const theme of AREA_IDS) {
        for (const format of FORMATS) {
          const { generation } = stocked(theme);
          if (stem === tableName(theme, format, { version: '1', generation })) {
            return zip(theme, format);
          }
        }
      }
      return /^DAGI_V[23]_/.test(name) ? STUB : null;
    },
    spoil: (next = {}) => {
      faults = next;
      forgetZips();
    },
    generation: (theme) => stocked(theme).generation,
  };
}

/** The features of each theme, with a new generation whenever they are replaced. */
function createStock(holdings: Holdings) {
  const stock = new Map<AreaId, Stocked>();
  return {
    stocked: (theme: AreaId): Stocked => {
      const features = holdings.features(theme);
      const known = stock.get(theme);
      if (known?.features === features) return known;
      const generation = known === undefined ? FIRST_GENERATION : known.generation + 1;
      const fresh = { features, generation, zips: new Map<FileFormat, Buffer>() };
      stock.set(theme, fresh);
      return fresh;
    },
    forgetZips: (): void => {
      for (const { zips } of stock.values()) zips.clear();
    },
  };
}

export function entityOf(theme: AreaId): string {
  return filesOf(theme)?.entity ?? localName(theme);
}

function sameEntity(entity: string, asked: string | null): boolean {
  return asked === null || entity.toLowerCase() === asked.toLowerCase();
}

interface Named {
  readonly version: string;
  readonly generation: number;
}

function tableName(theme: AreaId, format: string, { version, generation }: Named): string {
  return `DAGI_V${version}_${entityOf(theme)}_TotalDownload_${format}_Current_${generation}`;
}

interface Whole extends Named {
  readonly theme: AreaId;
  readonly format: FileFormat;
  readonly bytes: Buffer;
}

/** Sizes and counters are numbers here and texts there, and times may be missing. */
function entryOf({ theme, format, version, generation, bytes }: Whole): ShelfEntry {
  const md5 = createHash('md5').update(bytes).digest('hex');
  return {
    fileName: `${tableName(theme, format, { version, generation })}.zip`,
    register: 'DAGI',
    entityName: entityOf(theme),
    typeOfDownload: 'TotalDownload',
    typeOfData: 'Current',
    version,
    generationNumber: format === 'json' ? generation : String(generation),
    generationTime: null,
    pointInTime: null,
    expirationDate: '2199-12-31T23:59:59Z',
    containedFileFormat: format,
    outputFileFormat: 'zip',
    municipalityCode: null,
    md5Hash: md5,
    fileSizeInBytes: format === 'json' ? bytes.length : String(bytes.length),
  };
}

/** What stands beside a table: parts of it, changes to it, other scales and other times. */
function strangers(table: ShelfEntry): ShelfEntry[] {
  const newer = `${Number(table.generationNumber) + 900}`;
  const named = (fileName: string, change: Partial<ShelfEntry> = {}): ShelfEntry => ({
    ...table,
    md5Hash: null,
    generationNumber: newer,
    ...change,
    fileName: fileName.replace(/_\d+\.zip$/, `_${newer}.zip`),
  });
  const { fileName, entityName } = table;
  return [
    named(fileName.replace(entityName, `${entityName}_0091`), { municipalityCode: '0091' }),
    named(fileName.replace(entityName, `${entityName}_0092`)),
    named(fileName.replace(entityName, `${entityName}_250000`), {
      entityName: `${entityName}_250000`,
    }),
    named(fileName.replace('TotalDownload', 'DeltaDownload'), { typeOfDownload: 'DeltaDownload' }),
    named(fileName.replace('Current', 'Bitemporal'), { typeOfData: 'Bitemporal' }),
  ];
}
