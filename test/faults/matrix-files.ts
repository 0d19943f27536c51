/**
 * Rows of the matrix for registers that come as files of tables (BBR and the cadastre): what may be wrong
 * with the weekly total of a table, with its daily delta, or with the listing of both. Played by
 * `file-case.ts`, for `npm run faults` and for `test/faults/files.test.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { TableFaults } from '../../sample/files/table-shelf.ts';
import type { ShelfEntry } from '../../sample/files/entry.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import type { Random } from '../../sample/data/random.ts';
import { zipOf } from '../../sample/files/zip.ts';
import type { Guard } from '../../sync/check.ts';
import type { Rule, SyncOutcome } from './matrix-terms.ts';

export const FILE_KINDS = ['total', 'delta'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The file that is spoiled, and what a fault may need to know of it. */
export interface SpoiledFile {
  readonly kind: FileKind;
  readonly entity: SampleEntity;
  /** A column that its rows cannot be read without, and one of numbers. */
  readonly needed: string;
  readonly numbers: string;
  readonly draw: Random;
}

export interface FileRow {
  readonly id: string;
  readonly about: string;
  /** On which of the two it is played. */
  readonly on: readonly FileKind[];
  readonly sync: SyncOutcome;
  /** One of them must be among those that refuse. */
  readonly guards?: readonly Guard[];
  /** What is wrong with the files, beside `rules` of the wire. */
  readonly faults?: (file: SpoiledFile) => TableFaults;
  readonly rules?: readonly Rule[];
  /** The change at the source is more than two deltas: one of them can be missing. */
  readonly days?: number;
  /** A further delta repeats the last. */
  readonly isToldAgain?: true;
  /** What was missed stays missed: only a newer total tells it. */
  readonly isMissed?: true;
}

const BOTH = FILE_KINDS;
const TOTAL = ['total'] as const;
const DELTA = ['delta'] as const;
const FAILED = { on: BOTH, sync: 'failed' } as const;
const MIRRORED = { on: BOTH, sync: 'true' } as const;

const refusedBy = (on: readonly FileKind[], ...guards: readonly Guard[]) =>
  ({ on, sync: 'refused', guards }) as const;

/** A row of what is wrong with the files, or on the wire, if anything is. */
const row = (
  id: string,
  about: string,
  of: Omit<FileRow, 'id' | 'about' | 'faults' | 'rules'>,
  what?: NonNullable<FileRow['faults']> | Rule,
): FileRow => ({
  ...{ id, about, ...of },
  ...(typeof what === 'function' ? { faults: what } : { rules: what === undefined ? [] : [what] }),
});

/** More than the guards let pass whatever the table's size. */
const MANY_ROWS = 40;

/** A delta of these cases has fewer rows than any total. */
function isOf({ kind }: Pick<SpoiledFile, 'kind'>, rows: readonly TableRow[]): boolean {
  return kind === 'delta' ? rows.length <= 2 * MANY_ROWS : rows.length > 2 * MANY_ROWS;
}

function inRows(
  file: SpoiledFile,
  change: (rows: readonly TableRow[]) => readonly TableRow[],
): TableFaults {
  return {
    rows: (entity, rows) => (entity === file.entity && isOf(file, rows) ? change(rows) : rows),
  };
}

/** The lines of a CSV, cut or put together otherwise before they were packed. */
function inLines(file: SpoiledFile, change: (lines: readonly string[]) => string[]): TableFaults {
  return {
    text: (entity, text, { download, format }) =>
      entity === file.entity && download === DOWNLOADS[file.kind] && format === 'csv'
        ? change(text.split('\r\n')).join('\r\n')
        : text,
  };
}

const withoutColumn =
  (name: string) =>
  (rows: readonly TableRow[]): readonly TableRow[] =>
    rows.map(({ [name]: _gone, ...rest }) => rest);

const DOWNLOADS = { total: 'TotalDownload', delta: 'DeltaDownload' } as const;

function inZip(file: SpoiledFile, change: (zip: Buffer) => Buffer): TableFaults {
  return {
    zip: (entity, zip) =>
      entity === file.entity && zip.includes(`_${DOWNLOADS[file.kind]}_`) ? change(zip) : zip,
  };
}

/** Of the listing the entries of the file's kind; null: the entry is not listed. */
function inListing(
  { entity, kind }: SpoiledFile,
  change: (entry: ShelfEntry) => ShelfEntry | null,
): TableFaults {
  const isMeant = (each: ShelfEntry): boolean =>
    each.entityName === entity && each.typeOfDownload === DOWNLOADS[kind] && each.version === '1';
  return {
    listing: (entries) => entries.flatMap((each) => (isMeant(each) ? (change(each) ?? []) : each)),
  };
}

/** The newest or the oldest delta of the listing. */
const generationsOf = (entries: readonly ShelfEntry[], { entity }: SpoiledFile): number[] =>
  entries
    .filter((each) => each.entityName === entity && each.typeOfDownload === DOWNLOADS.delta)
    .map(({ generationNumber }) => Number(generationNumber))
    .sort((a, b) => a - b);

const otherVersion = (entry: ShelfEntry): ShelfEntry => ({
  ...entry,
  version: '2',
  fileName: entry.fileName.replace('_V1_', '_V2_'),
});

export const FILE_ROWS: readonly FileRow[] = [
  row('file-no-fault', 'Rows end and begin, in one day or several', { ...MIRRORED, days: 2 }),
  row(
    'file-gap',
    'A delta is missing, with no newer total',
    { ...refusedBy(DELTA, 'generation'), days: 3 },
    (file) => ({
      listing: (entries) => {
        const [missing] = generationsOf(entries, file).slice(-2);
        return entries.filter(
          (each) => each.entityName !== file.entity || Number(each.generationNumber) !== missing,
        );
      },
    }),
  ),
  row(
    'file-twice-listed',
    'Each file is listed twice: pages overlap, so others may be missing',
    { ...FAILED, days: 2 },
    () => ({ listing: (entries) => entries.flatMap((each) => [each, each]) }),
  ),
  row('file-twice-told', 'Each row of a delta comes twice', { ...MIRRORED, on: DELTA }, (file) =>
    inRows(file, (rows) => [...rows, ...rows]),
  ),
  row('file-told-again', 'A delta repeats the one before', { ...MIRRORED, isToldAgain: true }),
  row(
    'file-out-of-order',
    'Files newest first, their rows in reverse',
    { ...MIRRORED, days: 3 },
    (file) => ({
      ...inRows(file, (rows) => rows.toReversed()),
      listing: (entries) => entries.toReversed(),
    }),
  ),
  row(
    'file-other-version',
    'A delta of a version to come, whose total is a stub: not read',
    { ...MIRRORED, on: DELTA, isMissed: true },
    (file) => inListing(file, otherVersion),
  ),
  row('file-stub-total', 'The total is only a header', refusedBy(TOTAL, 'stub-file'), (file) =>
    inListing(file, (entry) => ({ ...entry, fileSizeInBytes: '140' })),
  ),
  row(
    'file-older-total',
    'The listed total is older than the copy',
    refusedBy(TOTAL, 'generation'),
    (file) =>
      inListing(file, (entry) => ({
        ...entry,
        fileName: entry.fileName.replace(/_\d+\.zip$/, '_600.zip'),
      })),
  ),
  row('file-half', 'Half the rows are gone', refusedBy(TOTAL, 'row-drop'), (file) =>
    inRows(file, (rows) => rows.slice(0, Math.floor(rows.length / 2))),
  ),
  row('file-empty', 'Column names without rows', refusedBy(TOTAL, 'empty', 'stub-file'), (file) =>
    inRows(file, () => []),
  ),
  row('file-column-gone', 'A column that rows need is gone', refusedBy(BOTH, 'schema'), (file) =>
    inRows(file, withoutColumn(file.needed)),
  ),
  ...['registreringFra', 'registreringTil', 'virkningFra', 'virkningTil'].map((name) =>
    row(
      `file-without-${name.toLowerCase()}`,
      `\`${name}\` is gone: past and future rows would count as current`,
      refusedBy(BOTH, 'schema'),
      (file) => inRows(file, withoutColumn(name)),
    ),
  ),
  row(
    'file-row-short',
    'The text was cut in its last row; size, MD5 and CRC agree',
    refusedBy(BOTH, 'parsed'),
    (file) =>
      inLines(file, (lines) => {
        const last = lines.at(-2) ?? '';
        const kept = last.slice(0, last.lastIndexOf(','));
        return [...lines.slice(0, -2), kept];
      }),
  ),
  row('file-row-long', 'One row has a value too many', refusedBy(BOTH, 'parsed'), (file) =>
    inLines(file, ([head = '', first = '', ...rest]) => [head, `${first},`, ...rest]),
  ),
  row(
    'file-column-retyped',
    'Numbers with a unit, in few rows or many',
    refusedBy(BOTH, 'schema', 'lost-features'),
    (file) =>
      inRows(file, (rows) =>
        rows.map((row) => ({ ...row, [file.numbers]: `${row[file.numbers] ?? ''} m2` })),
      ),
  ),
  row(
    'file-times-unreadable',
    'A row without the time from which it holds',
    refusedBy(BOTH, 'lost-features', 'issues'),
    (file) => inRows(file, (rows) => rows.map((row) => ({ ...row, virkningFra: 'i går' }))),
  ),
  row('file-cut', 'The zip is cut', FAILED, (file) =>
    inZip(file, (zip) => zip.subarray(0, Math.floor(zip.length / 2))),
  ),
  row('file-damaged', 'Bytes amid the zip are changed', FAILED, (file) =>
    inZip(file, (zip) => {
      const copy = Buffer.from(zip);
      const middle = Math.floor(copy.length / 2);
      return copy.fill(copy.subarray(0, 4), middle - 20, middle + 20);
    }),
  ),
  row('file-other-inside', 'The zip holds another file than it says', FAILED, (file) =>
    inZip(file, () => zipOf([{ name: 'laesmig.txt', bytes: randomBytes(2_000) }])),
  ),
  row('file-page', 'A web page instead of the zip', FAILED, (file) =>
    inZip(file, () => Buffer.from('<html>Siden findes ikke</html>'.repeat(40))),
  ),
  row('file-md5', 'The listed MD5 is wrong', FAILED, (file) =>
    inListing(file, (entry) => ({
      ...entry,
      md5Hash: file.draw.integer(1, 9).toString().repeat(32),
    })),
  ),
  row('file-listed-only', 'A listed file is missing', FAILED, {
    fault: 'http-404',
    operation: 'file',
  }),
  row('file-down', 'Every connection for a file is reset', FAILED, {
    fault: 'down',
    operation: 'file',
  }),
  row('listing-empty', 'The listing holds no file', refusedBy(BOTH, 'listing'), () => ({
    listing: () => [],
  })),
  row(
    'listing-without-table',
    'One table is no longer listed; news of the others waits',
    refusedBy(BOTH, 'listing'),
    ({ entity }) => ({
      listing: (entries) => entries.filter(({ entityName }) => entityName !== entity),
    }),
  ),
  row(
    'listing-other-format',
    'Files are listed in another format',
    refusedBy(BOTH, 'listing'),
    () => ({
      listing: (entries) =>
        entries.map((entry) => ({
          ...entry,
          containedFileFormat: 'gpkg',
          fileName: entry.fileName.replace(/_(csv|json)_/, '_gpkg_'),
        })),
    }),
  ),
  row('listing-down', 'The listing is unavailable', FAILED, {
    fault: 'http-503',
    operation: 'listing',
  }),
  row('listing-not-modified', 'HTTP 304 for an unconditional request', FAILED, {
    fault: 'not-modified',
    operation: 'listing',
  }),
  row('listing-page', 'A web page with HTTP 200 as listing', FAILED, {
    fault: 'html-200',
    operation: 'listing',
  }),
];
