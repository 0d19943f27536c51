import { CELL_END, ROW_END } from '../../jobs/for-pages.ts';
import { CsvRows } from '../../jobs/intake/for-pages.ts';

export interface Page {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many of the head are the caller's own. */
  readonly given: number;
}

const MARK = [0xef, 0xbb, 0xbf];

/** The csv may break off anywhere. */
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
  readonly row: string;
  readonly lon: number;
  readonly lat: number;
}

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
