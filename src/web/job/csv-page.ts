import { CELL_END, ROW_END } from '../../jobs/for-pages.ts';
import { CsvRows } from '../../jobs/intake/for-pages.ts';
import type { Page } from './first-page.ts';

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
