/** Rows of a CSV in one of its dialects (D73), whichever of comma, semicolon and tab reads it. */
import { csvRow, csvText } from './cells.ts';
import type { CsvDialect } from './cells.ts';
import type { CellSink } from './table.ts';

export class CsvSink implements CellSink {
  readonly #dialect: CsvDialect;
  #row = '';
  #isFirst = true;

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
  }

  empty(): void {
    this.#add('');
  }

  text(text: string): void {
    this.#add(csvText(text, this.#dialect));
  }

  number(text: string): void {
    this.#add(this.#dialect.decimal === '.' ? text : text.replace('.', this.#dialect.decimal));
  }

  boolean(value: boolean): void {
    this.#add(String(value));
  }

  /** The row with its line end, and then a new one begins. */
  take(): string {
    const row = `${csvRow(this.#row)}\r\n`;
    this.#row = '';
    this.#isFirst = true;
    return row;
  }

  #add(cell: string): void {
    this.#row += this.#isFirst ? cell : this.#dialect.delimiter + cell;
    this.#isFirst = false;
  }
}
