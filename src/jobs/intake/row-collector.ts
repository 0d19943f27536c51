import { invalidRequest } from '../../kernel/failures.ts';
import { countJsonKeys } from '../../bytes/json-scan.ts';
import { encodeRows } from '../chunk-rows.ts';
import { headingOf } from '../../core/rows/cells.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { JOB_LIMITS } from '../limits.ts';
import { checkColumnCount, checkColumnName, tooManyRows } from './refusals.ts';
import { cellOf, objectIn } from './json-row.ts';
import type { ReadChunk, ReadRows } from './rows-reader.ts';

export class RowCollector {
  readonly #columns = new Map<string, number>();
  readonly #headings: string[] = [];
  readonly #chunks: ReadChunk[] = [];
  #open: Cell[][] = [];
  #rows = 0;

  /** Throws with the row, from 1. */
  add(text: string): void {
    const row = this.#rows + 1;
    // Deep nesting or a hundred thousand columns cost most in parsing.
    const written = keysIn(text);
    if (written === Infinity) throw namedTwice(row);
    checkColumnCount(written);
    const value = objectIn(text, row);
    const names = Object.keys(value);
    // JSON.parse keeps the last of two equal keys.
    if (written !== names.length) throw namedTwice(row);
    const cells: Cell[] = [];
    for (const name of names) cells[this.#placeOf(name, row)] = cellOf(value, name, row);
    this.#rows = row;
    if (row > JOB_LIMITS.rowsPerJob) throw tooManyRows();
    this.#open.push(cells);
    if (this.#open.length === JOB_LIMITS.chunkRows) this.#endChunk();
  }

  get rows(): number {
    return this.#rows;
  }

  end(): ReadRows {
    this.#endChunk();
    return { columns: this.#headings, chunks: this.#chunks, rows: this.#rows };
  }

  #placeOf(name: string, row: number): number {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const heading = headingOf(name);
    checkColumnName(heading, { en: `Row ${row}`, da: `Række ${row}` });
    if (this.#headings.includes(heading)) throw namedTwice(row);
    const place = this.#headings.push(heading) - 1;
    checkColumnCount(place + 1);
    this.#columns.set(name, place);
    return place;
  }

  #endChunk(): void {
    if (this.#open.length === 0) return;
    this.#chunks.push({ input: encodeRows(this.#open), rows: this.#open.length });
    this.#open = [];
  }
}

/** Fits nearly every row, so that scanning allocates nothing. */
const SCRATCH = Buffer.allocUnsafe(16 * 1024);
/** UTF-8 bytes per UTF-16 unit, at most. */
const UNIT_BYTES = 3;

function keysIn(text: string): number {
  if (text.length * UNIT_BYTES > SCRATCH.length) {
    return countJsonKeys(Buffer.from(text), LIMITS.bodyDepth);
  }
  return countJsonKeys(SCRATCH, LIMITS.bodyDepth, SCRATCH.write(text));
}

function namedTwice(row: number) {
  return invalidRequest(
    `Row ${row} is nested or names a column more than once.`,
    `Række ${row} er indlejret eller nævner en kolonne mere end én gang.`,
  );
}
