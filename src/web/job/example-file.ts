import { BYTE_ORDER_MARK, DANISH, csvText } from '../../jobs/for-pages.ts';

export interface ExampleRow {
  readonly written: string;
  /** null: not answered, and `failure` says why. */
  readonly address: string | null;
  readonly certainty: string | null;
  readonly bfe: number | null;
  readonly lon: number | null;
  readonly lat: number | null;
  readonly failure: string | null;
}

const HEAD = ['skrevet', 'kategori', 'adresse', 'bfe_nummer', 'lon', 'lat', 'fejl'];

export function csvOf(rows: readonly ExampleRow[]): string {
  const lines = rows.map((row) => [
    ...[row.written, row.certainty, row.address],
    ...[row.bfe, row.lon, row.lat, row.failure],
  ]);
  const text = [HEAD, ...lines].map((cells) => `${cells.map(cellOf).join(';')}\r\n`);
  return BYTE_ORDER_MARK + text.join('');
}

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value).replace('.', DANISH.decimal);
  return value === null ? '' : csvText(value, DANISH);
}
