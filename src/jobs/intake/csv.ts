import { textChunk } from '../chunk-rows.ts';
import { Utf8Pieces } from './charset.ts';
import { CsvRows } from './csv-rows.ts';
import type { Charset } from './encoding.ts';
import type { ReadChunk, ReadRows, RowsReader } from './rows-reader.ts';

export class CsvReader implements RowsReader {
  readonly #pieces: Utf8Pieces;
  readonly #chunks: ReadChunk[] = [];
  readonly #rows = new CsvRows({
    onRows: (text, rows) => this.#chunks.push({ input: textChunk(text), rows }),
  });

  constructor(charset: Charset | null = null) {
    this.#pieces = new Utf8Pieces(charset);
  }

  push(bytes: Buffer): void {
    this.#rows.push(this.#pieces.push(bytes));
  }

  end(): ReadRows {
    this.#rows.push(this.#pieces.end());
    const { columns, rows } = this.#rows.end();
    return { columns, chunks: this.#chunks, rows };
  }
}
