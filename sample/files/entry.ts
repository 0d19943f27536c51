/** What the listing of the download service holds, as it is written there. */

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
