/** Columns of a generated file, and its rows cell by cell. */
import { numberOf } from '../cells.ts';
import type { Cell } from '../cells.ts';
import type { Job } from '../job-types.ts';
import type { ColumnTypes } from '../kinds/kind.ts';
import { rowErrorInDanish } from '../row-errors.ts';
import { headerNames } from './cells.ts';
import type { FoundRow, Which } from './found-rows.ts';
import { ERROR_COLUMNS, RESULT_COLUMNS } from './result-writer.ts';

export interface CellSink {
  empty(): void;
  text(text: string): void;
  /** With a decimal point. */
  number(text: string): void;
  boolean(value: boolean): void;
}

/** For the file with all rows: the outcome, before the answer's columns. */
const STATUS_COLUMNS = ['status', 'fejl'];

export interface TableOptions {
  readonly job: Pick<Job, 'inputColumns' | 'columns'>;
  readonly which: Which;
  readonly answerColumns: readonly string[];
  readonly types: ColumnTypes;
  /**
   * For Danish spreadsheets: x and y are written as the numbers read, not as the original text, and
   * errors are in Danish.
   */
  readonly isDanish: boolean;
}

export class Table {
  readonly head: readonly string[];
  readonly #which: Which;
  readonly #types: readonly ('number' | 'boolean' | 'text')[];
  /** Whether each of the caller's columns is numeric. */
  readonly #isNumber: readonly boolean[];
  readonly #isDanish: boolean;
  /** The last error: failing rows mostly share theirs. */
  #said = { error: '', danish: '' };

  constructor({ job, which, answerColumns, types, isDanish }: TableOptions) {
    const { inputColumns, columns } = job;
    const ours = {
      results: [...RESULT_COLUMNS, ...answerColumns],
      errors: ERROR_COLUMNS,
      all: [...RESULT_COLUMNS, ...STATUS_COLUMNS, ...answerColumns],
    };
    this.#which = which;
    this.#isDanish = isDanish;
    this.head = headerNames(inputColumns, ours[which]);
    this.#types = which === 'errors' ? [] : answerColumns.map((name) => types[name] ?? 'text');
    const read = [columns.x, columns.y];
    this.#isNumber = inputColumns.map((name) => isDanish && read.includes(name));
  }

  #danish(error: string): string {
    if (this.#said.error !== error) this.#said = { error, danish: rowErrorInDanish(error) };
    return this.#said.danish;
  }

  /** All cells of a row, one per head. */
  fill({ number, given, status, error, answer }: FoundRow, sink: CellSink): void {
    const isNumber = this.#isNumber;
    for (let i = 0; i < isNumber.length; i++) fillGiven(given[i], isNumber[i] === true, sink);
    sink.number(String(number));
    const why = error === null ? '' : this.#isDanish ? this.#danish(error) : error;
    if (this.#which === 'errors') sink.text(why);
    if (this.#which !== 'results') fillNumber(status, sink);
    if (this.#which === 'all') fillText(why, sink);
    const types = this.#types;
    for (let i = 0; i < types.length; i++) fillAnswer(answer[i] ?? '', types[i] ?? 'text', sink);
  }
}

function fillGiven(cell: Cell, isNumber: boolean, sink: CellSink): void {
  if (typeof cell === 'boolean') sink.boolean(cell);
  else if (typeof cell === 'number') sink.number(String(cell));
  else if (typeof cell !== 'string') sink.empty();
  else {
    const value = isNumber ? numberOf(cell) : null;
    if (value === null) fillText(cell, sink);
    else sink.number(String(value));
  }
}

function fillAnswer(text: string, type: 'number' | 'boolean' | 'text', sink: CellSink): void {
  if (type === 'number' && NUMBER.test(text)) sink.number(text);
  else if (type === 'boolean' && (text === 'true' || text === 'false'))
    sink.boolean(text === 'true');
  else fillText(text, sink);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function fillText(text: string, sink: CellSink): void {
  if (text === '') sink.empty();
  else sink.text(text);
}

function fillNumber(value: number | null, sink: CellSink): void {
  if (value === null) sink.empty();
  else sink.number(String(value));
}
