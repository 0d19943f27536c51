import { hasValue } from '../../core/rows/cells.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { shownAs } from './code-format.ts';
import { isoOf } from './dates.ts';
import type { WorkbookArchive } from './archive.ts';
import { TextRuns, isTrue, unescaped } from './parts.ts';
import type { WorkbookParts } from './parts.ts';
import { broken, notComputed } from './refusals.ts';
import { walkXml } from './xml.ts';
import type { XmlVisitor } from './xml.ts';

export interface SheetRow {
  /** As the sheet counts. */
  readonly number: number;
  readonly cells: Cell[];
}

export interface MergedCells {
  /** Such as `A1:C1`. */
  readonly cells: string;
  readonly lastRow: number;
}

/** Merged cells come last. Throws a Failure. */
export async function* sheetRows(
  from: WorkbookArchive,
  parts: WorkbookParts,
  { path, onMerged }: { readonly path: string; readonly onMerged?: (cells: MergedCells) => void },
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  const reader = new SheetReader(parts, onMerged);
  for await (const _ of walkXml(from.part(path), reader)) {
    const rows = reader.take();
    if (rows.length > 0) yield rows;
  }
  const rest = reader.take();
  if (rest.length > 0) yield rest;
}

const MOST_COLUMNS = 16_384;

class SheetReader implements XmlVisitor {
  readonly #parts: WorkbookParts;
  readonly #onMerged: ((cells: MergedCells) => void) | undefined;
  #rows: SheetRow[] = [];
  #row: Cell[] = [];
  #number = 0;
  #place = '';
  #column = -1;
  #type = 'n';
  #style = 0;
  #isFormula = false;
  #value: string | null = null;
  #isInValue = false;
  readonly #runs = new TextRuns();
  #isInRuns = false;

  constructor(parts: WorkbookParts, onMerged?: (cells: MergedCells) => void) {
    this.#parts = parts;
    this.#onMerged = onMerged;
  }

  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#isInRuns) this.#runs.open(name);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') {
      this.#isInValue = true;
      this.#value = '';
    } else if (name === 'f') this.#isFormula = true;
    else if (name === 'is') {
      this.#isInRuns = true;
      this.#runs.begin();
    } else if (name === 'row') {
      this.#row = [];
      this.#column = -1;
      // Programs may omit the numbers.
      const number = Number(attributes.r);
      this.#number = Number.isSafeInteger(number) && number > 0 ? number : this.#number + 1;
    } else if (name === 'mergeCell') {
      const cells = attributes.ref ?? '';
      this.#onMerged?.({ cells, lastRow: Number(/\d+$/.exec(cells)?.[0] ?? Infinity) });
    }
  }

  text(text: string): void {
    if (this.#isInValue) this.#value = (this.#value ?? '') + text;
    else if (this.#isInRuns) this.#runs.text(text);
  }

  close(name: string): void {
    if (name === 'v') this.#isInValue = false;
    else if (name === 'is') {
      this.#isInRuns = false;
      this.#value = this.#runs.take();
    } else if (this.#isInRuns) this.#runs.close(name);
    else if (name === 'c') this.#closeCell();
    else if (name === 'row' && this.#row.some(hasValue)) {
      this.#rows.push({ number: this.#number, cells: this.#row });
    }
  }

  #openCell({ r: place, t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>): void {
    this.#place = place ?? '';
    this.#column = place === undefined ? this.#column + 1 : columnOf(place);
    if (this.#column >= MOST_COLUMNS) throw broken('too many columns');
    this.#type = type;
    this.#style = Number(style);
    this.#isFormula = false;
    this.#value = null;
  }

  #closeCell(): void {
    const value = this.#value;
    if (this.#isFormula && this.#isNotComputed(value)) throw notComputed(this.#place);
    if (value === null) return;
    if (this.#row[this.#column] !== undefined) throw broken(`${this.#place} is there twice`);
    this.#row[this.#column] = this.#cellOf(value);
  }

  /**
   * Programs that compute nothing save no value (openpyxl, POI), 0 to compute on opening
   * (XlsxWriter), or 0.0 (streaming POI). An empty text is a result.
   */
  #isNotComputed(value: string | null): boolean {
    const { isComputedOnOpening } = this.#parts;
    const text = value?.trim() ?? '';
    if (text === '') return value === null || this.#type !== 'str' || isComputedOnOpening;
    return text === '0.0' || (text === '0' && isComputedOnOpening);
  }

  #cellOf(value: string): Cell {
    switch (this.#type) {
      case 's':
        return this.#parts.texts[value.trim() === '' ? NaN : Number(value)] ?? noSuchText();
      // A formula's error (#N/A) is text.
      case 'e':
      case 'inlineStr':
      case 'd':
        return value;
      case 'str':
        return unescaped(value);
      case 'b':
        return isTrue(value);
      case 'n':
        return this.#numberOf(value);
      default:
        throw broken(`${this.#place} is of an unknown type`);
    }
  }

  /** As shown for a date or a code (93 as 0093). */
  #numberOf(text: string): Cell {
    if (text.trim() === '') return null;
    const value = Number(text);
    if (!Number.isFinite(value)) throw broken(`${this.#place} holds no number`);
    const style = this.#parts.styles[this.#style];
    if (style === undefined) return value;
    if (style.isDate) return isoOf(value, this.#parts.dateSystem) ?? value;
    const isWhole = Number.isSafeInteger(value) && value >= 0;
    return style.code !== null && isWhole ? (shownAs(style.code, value) ?? value) : value;
  }
}

function noSuchText(): never {
  throw broken('no such text');
}

/** From 0, of a cell such as `AB12`. */
function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length; at++) {
    const letter = place.charCodeAt(at) - BEFORE_A;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > MOST_COLUMNS) throw broken('too many columns');
  }
  if (column === 0) throw broken(`no cell is called ${place.slice(0, 10)}`);
  return column - 1;
}

const BEFORE_A = 'A'.charCodeAt(0) - 1;
