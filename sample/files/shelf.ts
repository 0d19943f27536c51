/**
 * What the download service has on its shelf: each theme in each format, a counter that moves when a
 * theme is edited, and everything else a real listing holds that must not be taken for a table.
 */
import type { AreaId } from '../../src/layers/keys.ts';
import { AREA_IDS } from '../../src/layers/keys.ts';
import type { SampleFeature } from '../data/feature.ts';
import { filesOf, localName } from '../hosts.ts';
import type { Holdings } from '../holdings.ts';
import { entryOf, stemOf } from './entry.ts';
import type { Named, ShelfEntry } from './entry.ts';
import type { FileRow } from './rows.ts';
import { fileRows } from './rows.ts';
import { TableShelf } from './table-shelf.ts';
import type { FileFormat } from './write.ts';
import { writeFile } from './write.ts';
import { zipOf } from './zip.ts';

/** Changes on the way from the rows to the shelf, for tests: each gets the right thing. */
export interface ShelfFaults {
  readonly rows?: (rows: readonly FileRow[]) => readonly FileRow[];
  /** The unpacked file. */
  readonly content?: (content: Buffer) => Buffer;
  readonly listing?: (entries: readonly ShelfEntry[]) => readonly ShelfEntry[];
  readonly totalCount?: (count: number) => number;
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

export class Shelf {
  /** The tables of the registers. */
  readonly tables = new TableShelf();
  readonly #holdings: Holdings;
  readonly #stock = new Map<AreaId, Stocked>();
  #faults: ShelfFaults = {};

  constructor(holdings: Holdings) {
    this.#holdings = holdings;
  }

  /** Everything listed for an entity and a format (null: every one). */
  entries(entity: string | null, format: string | null): readonly ShelfEntry[] {
    const asked = entity?.toLowerCase();
    const themes = AREA_IDS.filter(
      (theme) => asked === undefined || entityOf(theme).toLowerCase() === asked,
    );
    const formats = FORMATS.filter((one) => format === null || one === format);
    const all = themes.flatMap((theme) => formats.flatMap((one) => this.#listed(theme, one)));
    return this.#faults.listing?.(all) ?? all;
  }

  totalCount(count: number): number {
    return this.#faults.totalCount?.(count) ?? count;
  }

  /** The bytes behind a name; null when there is no such file. */
  file(name: string): Buffer | null {
    const stem = name.replace(/\.zip$/, '');
    for (const theme of AREA_IDS) {
      const generation = this.generation(theme);
      const format = FORMATS.find((one) => stem === stemOf(totalOf(theme, one, generation)));
      if (format !== undefined) return this.#zip(theme, format);
    }
    return /^DAGI_V[23]_/.test(name) ? STUB : null;
  }

  /** Replaces the faults; none mends everything. */
  spoil(next: ShelfFaults = {}): void {
    this.#faults = next;
    for (const { zips } of this.#stock.values()) zips.clear();
  }

  /** Counter of a theme's table, moved when the theme was edited since it was last asked. */
  generation(theme: AreaId): number {
    return this.#stocked(theme).generation;
  }

  /** The features of a theme, with a new generation whenever they are replaced. */
  #stocked(theme: AreaId): Stocked {
    const features = this.#holdings.features(theme);
    const known = this.#stock.get(theme);
    if (known?.features === features) return known;
    const generation = known === undefined ? FIRST_GENERATION : known.generation + 1;
    const fresh = { features, generation, zips: new Map<FileFormat, Buffer>() };
    this.#stock.set(theme, fresh);
    return fresh;
  }

  #zip(theme: AreaId, format: FileFormat): Buffer {
    const { features, generation, zips } = this.#stocked(theme);
    const known = zips.get(format);
    if (known !== undefined) return known;
    const rows = fileRows(theme, features);
    const content = writeFile(theme, format, this.#faults.rows?.(rows) ?? rows);
    const name = `${stemOf(totalOf(theme, format, generation))}.${format}`;
    const made = zipOf([{ name, bytes: this.#faults.content?.(content) ?? content }]);
    zips.set(format, made);
    return made;
  }

  #listed(theme: AreaId, format: FileFormat): ShelfEntry[] {
    // Sizes and counters are numbers here and texts there.
    const written = format === 'json' ? undefined : String;
    const total = totalOf(theme, format, this.generation(theme));
    const whole = entryOf(total, this.#zip(theme, format), written);
    const stubs = Object.entries(STUBS).map(([version, generation]) =>
      entryOf({ ...total, generation, version }, STUB, written),
    );
    return [...stubs, whole, ...strangers(whole)];
  }
}

export function entityOf(theme: AreaId): string {
  return filesOf(theme)?.entity ?? localName(theme);
}

function totalOf(theme: AreaId, format: string, generation: number): Named {
  const of = { register: 'DAGI', entity: entityOf(theme), format, generation, version: '1' };
  return { ...of, download: 'TotalDownload', contents: 'Current' };
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
