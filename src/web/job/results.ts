/** The first rows of what a job found, from the beginning of its csv, and the whole of it as a file. */
import { CELL_END, ROW_END } from '../../jobs/cells.ts';
import { CsvRows } from '../../jobs/intake/csv-rows.ts';
import type { Environment } from './address-bar.ts';
import { call } from './api.ts';
import type { Job } from './api.ts';
import { bytesOf } from './streams.ts';

/** Bytes of a file that the table and the map are made of. */
const PAGE_BYTES = 512 * 1024;

export interface Page {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many of the head are the caller's own. */
  readonly given: number;
}

/** The rows that are whole in the first half megabyte. */
export async function firstPage(
  environment: Environment,
  job: Job,
  which: 'results' | 'errors',
): Promise<Page> {
  const headers = { range: `bytes=0-${PAGE_BYTES - 1}` };
  const response = await call(environment, `v1/jobs/${job.id}/${which}?format=csv`, { headers });
  return pageOf(new Uint8Array(await response.arrayBuffer()), job.inputColumns.length);
}

const MARK = [0xef, 0xbb, 0xbf];

/** The rows of a csv that may break off anywhere. */
export function pageOf(bytes: Uint8Array, given: number): Page {
  const isMarked = MARK.every((byte, at) => bytes[at] === byte);
  const rows: string[][] = [];
  const reader = new CsvRows({
    delimiter: ','.charCodeAt(0),
    onRows: (text) => {
      const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text).split(ROW_END);
      for (const line of lines) rows.push(line.split(CELL_END));
    },
  });
  reader.push(isMarked ? bytes.subarray(MARK.length) : bytes);
  reader.endWhole();
  return { head: reader.columns ?? [], rows, given };
}

export interface PlacedRow {
  /** Of the job. */
  readonly row: string;
  readonly lon: number;
  readonly lat: number;
}

/** The rows that have a place. */
export function placesOf({ head, rows, given }: Page): readonly PlacedRow[] {
  const find = (name: RegExp): number =>
    head.findIndex((each, at) => at > given && name.test(each));
  const [lonAt, latAt] = [find(/^(punkt_)?lon(_svar)*$/), find(/^(punkt_)?lat(_svar)*$/)];
  if (lonAt < 0 || latAt < 0) return [];
  return rows.flatMap((cells) => {
    const [lon, lat] = [cells[lonAt] ?? '', cells[latAt] ?? ''];
    if (lon === '' || lat === '') return [];
    const place = { lon: Number(lon), lat: Number(lat) };
    const isPlace = Number.isFinite(place.lon) && Number.isFinite(place.lat);
    return isPlace ? [{ row: cells[given] ?? '', ...place }] : [];
  });
}

export interface FileChoice {
  readonly query: string;
  readonly name: string;
  readonly da: string;
  readonly en: string;
}

/** What can be fetched of a job. */
export function filesOf({ id, failed }: Pick<Job, 'id' | 'failed'>): readonly FileChoice[] {
  const results = (query: string, name: string, words: { da: string; en: string }): FileChoice => ({
    query: `results?${query}`,
    name: `${id}-${name}`,
    ...words,
  });
  const errors = {
    query: 'errors?format=csv&dialekt=da',
    name: `${id}-fejl.csv`,
    da: 'Fejl, dansk CSV',
    en: 'Errors, Danish CSV',
  };
  return [
    results('format=xlsx&raekker=alle', 'alle.xlsx', {
      da: 'Excel, alle rækker',
      en: 'Excel, all rows',
    }),
    results('format=xlsx', 'svar.xlsx', {
      da: 'Excel, svar og fejl',
      en: 'Excel, answers, errors',
    }),
    results('format=csv&dialekt=da', 'svar-da.csv', { da: 'Dansk CSV', en: 'Danish CSV' }),
    results('format=csv&dialekt=da&raekker=alle', 'alle-da.csv', {
      da: 'Dansk CSV, alle rækker',
      en: 'Danish CSV, all rows',
    }),
    results('format=csv', 'svar.csv', { da: 'CSV', en: 'CSV' }),
    results('format=ndjson', 'svar.ndjson', { da: 'NDJSON', en: 'NDJSON' }),
    ...(failed > 0 ? [errors] : []),
  ];
}

/** Told how many bytes have come. */
type OnBytes = (bytes: number) => void;

/** Gives a file to the reader's browser to keep. The key goes in a header, which no link could send. */
export async function download(
  {
    environment,
    id,
    file,
  }: {
    readonly environment: Environment;
    readonly id: string;
    readonly file: FileChoice;
  },
  onBytes: OnBytes,
): Promise<void> {
  const response = await call(environment, `v1/jobs/${id}/${file.query}`);
  const parts: BlobPart[] = [];
  let bytes = 0;
  if (response.body !== null) {
    for await (const piece of bytesOf(response.body)) {
      parts.push(piece as Uint8Array<ArrayBuffer>);
      bytes += piece.length;
      onBytes(bytes);
    }
  }
  const type = response.headers.get('content-type') ?? '';
  keep(new Blob(parts, { type }), file.name);
}

/** Long enough for a browser to take the file, milliseconds. */
const TAKEN_MS = 60_000;

function keep(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_MS);
}
