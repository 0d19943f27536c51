/** What the listing of the download service holds, as it is written there. */
import { createHash } from 'node:crypto';

/** One file as the listing shows it: numbers arrive as numbers or texts, times may be null. */
export interface ShelfEntry {
  readonly fileName: string;
  readonly register: string;
  readonly entityName: string;
  readonly typeOfDownload: string;
  readonly typeOfData: string;
  readonly version: string;
  readonly generationNumber: number | string;
  readonly generationTime: string | null;
  readonly pointInTime: string | null;
  readonly expirationDate: string | null;
  readonly containedFileFormat: string;
  readonly outputFileFormat: string;
  readonly municipalityCode: string | null;
  readonly md5Hash: string | null;
  readonly fileSizeInBytes: number | string;
}

/** What a file is called by. */
export interface Named {
  readonly register: string;
  readonly entity: string;
  readonly download: 'TotalDownload' | 'DeltaDownload';
  readonly format: string;
  readonly contents: 'Current' | 'Bitemporal';
  readonly version: string;
  readonly generation: number;
}

/** The name without its ending. */
export function stemOf(named: Named): string {
  const { register, version, entity, download, format, contents, generation } = named;
  return `${register}_V${version}_${entity}_${download}_${format}_${contents}_${generation}`;
}

/** Its numbers as `written`. */
export function entryOf(
  named: Named,
  bytes: Buffer,
  written: (value: number) => number | string = (value) => value,
): ShelfEntry {
  return {
    fileName: `${stemOf(named)}.zip`,
    register: named.register,
    entityName: named.entity,
    typeOfDownload: named.download,
    typeOfData: named.contents,
    version: named.version,
    generationNumber: written(named.generation),
    generationTime: null,
    pointInTime: null,
    expirationDate: '2199-12-31T23:59:59Z',
    containedFileFormat: named.format,
    outputFileFormat: 'zip',
    municipalityCode: null,
    md5Hash: createHash('md5').update(bytes).digest('hex'),
    fileSizeInBytes: written(bytes.length),
  };
}
