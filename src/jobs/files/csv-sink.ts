/** Rows of a CSV in a dialect (D73), readable with comma, semicolon and tab. */
import { csvRow, csvText } from '../../core/rows/csv-cells.ts';
import type { CsvDialect } from '../../core/rows/csv-cells.ts';
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
