import { textChunk } from '../chunk-rows.ts';
import { Utf8Pieces } from './charset.ts';
import { CsvRows } from './csv-rows.ts';
import type { Charset } from '../../core/rows/job-types.ts';
import type { ReadChunk, ReadRows, RowsReader } from './rows-reader.ts';

export class CsvReader implements RowsReader {
  readonly #pieces: Utf8Pieces;
  readonly #chunks: ReadChunk[] = [];
  readonly #rows: CsvRows;

  constructor(charset: Charset | null = null, headRow: number | null = null) {
    this.#pieces = new Utf8Pieces(charset);
    this.#rows = new CsvRows({
      onRows: (text, rows) => this.#chunks.push({ input: textChunk(text), rows }),
      headRow,
    });
  }

  push(bytes: Buffer): void {
    this.#rows.push(this.#pieces.push(bytes));
  }

  end(): ReadRows {
    this.#rows.push(this.#pieces.end());
    return { chunks: this.#chunks, ...this.#rows.end() };
  }
}
