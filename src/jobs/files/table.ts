import { hasValue, numberOf } from '../../core/rows/cells.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { serialOf } from '../workbook/dates.ts';
import type { Job } from '../../core/rows/job-types.ts';
import type { ColumnTypes } from '../../core/rows/kind.ts';
import { cellWords, columnWords } from '../column-words.ts';
import { rowErrorInDanish, withoutRole } from '../../core/rows/row-errors.ts';
import { headerNames } from '../../core/rows/csv-cells.ts';
import type { FoundRow, Which } from './found-rows.ts';
import { ERROR_COLUMNS, RESULT_COLUMNS } from './result-writer.ts';

type GivenType = 'text' | 'number' | 'date';

/** By all nonempty cells; one misfit makes the column text. */
function givenTypeOf(cells: readonly Cell[]): GivenType {
  const filled = cells.filter(hasValue);
  const texts = filled.filter((cell) => typeof cell === 'string');
  if (texts.length === 0 || texts.length < filled.length) return 'text';
  if (texts.every((text) => plainNumber(text) !== null)) return 'number';
  return texts.every((text) => danishDate(text) !== null) ? 'date' : 'text';
}

/**
 * null: it would lose something as a number: a code (`0093`), digits beyond its precision, an
 * ambiguity (`12.345`).
 */
function plainNumber(text: string): number | null {
  const isFit = PLAIN.test(text) && !UNSURE.test(text);
  return isFit && text.replace(/\D/g, '').length <= DIGITS_KEPT ? numberOf(text) : null;
}

const PLAIN = /^-?(?:0|[1-9][\d.]*)(?:,\d+)?$|^-?(?:0|[1-9]\d*)\.\d+$/;
const UNSURE = /^-?\d{1,3}\.\d{3}$/;
const DIGITS_KEPT = 15;

/** From ISO 8601; null: no date that exists. */
function danishDate(text: string): string | null {
  const [, day = '', month = '', year = '', hour, minute = '', second] = DATE.exec(text) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = `T${hour?.padStart(2, '0')}:${minute}:${second ?? '00'}`;
  const iso = hour === undefined ? date : date + time;
  return serialOf(iso) === null ? null : iso;
}

const DATE = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})(?: (\d{1,2})[:.](\d\d)(?:[:.](\d\d))?)?$/;

export interface CellSink {
  empty(): void;
  text(text: string): void;
  number(text: string): void;
  boolean(value: boolean): void;
}

const STATUS_COLUMNS = ['status', 'fejl'];
const ANSWERED = 200;

export interface TableOptions {
  readonly job: Pick<Job, 'inputColumns' | 'columns'>;
  readonly which: Which;
  readonly answerColumns: readonly string[];
  readonly types: ColumnTypes;
  /** x and y as parsed numbers, errors in Danish. */
  readonly isDanish: boolean;
  /** Headings and verdicts in plain words. */
  readonly isWorded?: boolean;
  /** Text columns as the numbers or dates they contain. */
  readonly isTyped?: boolean;
}

export class Table {
  readonly head: readonly string[];
  readonly #which: Which;
  readonly #types: readonly ('number' | 'boolean' | 'text')[];
  #given: readonly GivenType[];
  readonly #mayBeTyped: readonly boolean[];
  readonly #isDanish: boolean;
  /** null: unchanged. */
  readonly #words: ReturnType<typeof cellWords> | null;
  #said = { error: '', danish: '' };

  constructor(options: TableOptions) {
    const { job, which, answerColumns, types, isDanish, isWorded = false } = options;
    const { inputColumns, columns } = job;
    const own = {
      results: RESULT_COLUMNS,
      errors: ERROR_COLUMNS,
      all: [...RESULT_COLUMNS, ...STATUS_COLUMNS],
    }[which];
    const found = which === 'errors' ? [] : answerColumns;
    this.#which = which;
    this.#isDanish = isDanish;
    this.#words = isWorded ? cellWords(answerColumns, 'da') : null;
    const worded = [
      ...own.map((name) => (name === 'status' ? 'Status' : columnWords(name, 'da'))),
      ...found.map((name) => columnWords(name, 'da')),
    ];
    this.head = isWorded
      ? headerNames(inputColumns, worded, ' (svar)')
      : headerNames(inputColumns, [...own, ...found]);
    this.#types = found.map((name) => types[name] ?? 'text');
    const read = [columns.x, columns.y];
    this.#given = inputColumns.map((name) => (isDanish && read.includes(name) ? 'number' : 'text'));
    // Parts of an address are names and codes.
    const named = Object.values({ ...columns, bfe: undefined });
    this.#mayBeTyped = inputColumns.map(
      (name) => options.isTyped === true && !named.includes(name),
    );
  }

  /** By the first rows; later misfits stay text. */
  learn(rows: readonly FoundRow[]): void {
    this.#given = this.#given.map((type, i) =>
      this.#mayBeTyped[i] === true ? givenTypeOf(rows.map(({ given }) => given[i])) : type,
    );
  }

  #danish(error: string): string {
    if (this.#said.error !== error) {
      const danish = rowErrorInDanish(error);
      this.#said = { error, danish: this.#words === null ? danish : withoutRole(danish) };
    }
    return this.#said.danish;
  }

  fill({ number, given, status, error, answer }: FoundRow, sink: CellSink): void {
    const kinds = this.#given;
    for (let i = 0; i < kinds.length; i++) {
      const readsAll = this.#mayBeTyped[i] !== true;
      fillGiven(given[i], { type: kinds[i] ?? 'text', readsAll }, sink);
    }
    sink.number(String(number));
    const why = error === null ? '' : this.#isDanish ? this.#danish(error) : error;
    if (this.#which === 'errors') sink.text(why);
    if (this.#which !== 'results') this.#fillStatus(status, sink);
    if (this.#which === 'all') fillText(why, sink);
    const types = this.#types;
    const cells = this.#words === null ? answer : this.#words(answer);
    for (let i = 0; i < types.length; i++) fillAnswer(cells[i] ?? '', types[i] ?? 'text', sink);
  }

  #fillStatus(status: number | null, sink: CellSink): void {
    if (this.#words === null) fillNumber(status, sink);
    else if (status === null) sink.text('ikke nået');
    else sink.text(status === ANSWERED ? 'besvaret' : 'ikke besvaret');
  }
}

interface GivenCell {
  readonly type: GivenType;
  /** Accepts every notation of a number, as for x and y. */
  readonly readsAll: boolean;
}

function fillGiven(cell: Cell, { type, readsAll }: GivenCell, sink: CellSink): void {
  if (typeof cell === 'boolean') sink.boolean(cell);
  else if (typeof cell === 'number') sink.number(String(cell));
  else if (typeof cell !== 'string') sink.empty();
  else {
    const read = readsAll ? numberOf : plainNumber;
    const value = type === 'number' ? read(cell) : null;
    if (value !== null) sink.number(String(value));
    else fillText((type === 'date' ? danishDate(cell) : null) ?? cell, sink);
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
