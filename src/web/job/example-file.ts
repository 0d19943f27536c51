import { BYTE_ORDER_MARK, DANISH, csvText } from '../../jobs/for-pages.ts';
import type { Address } from '../shared/answers.ts';

export interface ExampleRow {
  readonly written: string;
  readonly certainty: string | null;
  /** null: not answered, and `failure` says why. */
  readonly address: Address | null;
  readonly failure: string | null;
}

const HEAD = ['skrevet', 'kategori', 'adresse', 'bfe_nummer', 'lon', 'lat', 'fejl'];

export function csvOf(rows: readonly ExampleRow[]): string {
  const lines = rows.map(({ written, certainty, address, failure }) => {
    const { betegnelse = null, bfe_nummer: bfe = null, koordinat = null } = address ?? {};
    const { lon = null, lat = null } = koordinat ?? {};
    return [written, certainty, betegnelse, bfe, lon, lat, failure];
  });
  const text = [HEAD, ...lines].map((cells) => `${cells.map(cellOf).join(';')}\r\n`);
  return BYTE_ORDER_MARK + text.join('');
}

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value).replace('.', DANISH.decimal);
  return value === null ? '' : csvText(value, DANISH);
}
