/** SpreadsheetML (ECMA-376, 18.3). Texts have the text format: no formulas, and `0093` stays. */
import { serialOf } from '../workbook/dates.ts';
import type { CellSink } from './table.ts';

const STYLE = { head: 1, text: 2, date: 3, dateTime: 4 } as const;

/** 14 and 22: date and time in the reader's locale; 49: text. */
export const STYLES_XML =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  [49, 14, 22]
    .map(
      (format) =>
        `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>';

const WIDTH = { min: 9, max: 42, more: 2 };

export function sheetStart(head: readonly string[]): string {
  const columns = head.map(({ length }, i) => {
    const width = Math.min(WIDTH.max, Math.max(WIDTH.min, length + WIDTH.more));
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ' +
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.join('')}</cols><sheetData>`
  );
}

export const SHEET_END = '</sheetData></worksheet>';

export class SheetSink implements CellSink {
  readonly #letters: string[] = [];
  #cells = '';
  #column = 0;
  #row = 1;

  empty(): void {
    this.#column += 1;
  }

  /** A day, or a day and time without zone, becomes a date (ISO 8601). */
  text(text: string): void {
    const serial = text.length <= DATE_CHARS ? serialOf(text) : null;
    if (serial === null) this.#string(text, STYLE.text);
    else {
      const style = text.length === DAY_CHARS ? STYLE.date : STYLE.dateTime;
      this.#cells += `<c r="${this.#place()}" s="${style}"><v>${serial}</v></c>`;
    }
  }

  number(text: string): void {
    this.#cells += `<c r="${this.#place()}"><v>${text}</v></c>`;
  }

  boolean(value: boolean): void {
    this.#cells += `<c r="${this.#place()}" t="b"><v>${value ? 1 : 0}</v></c>`;
  }

  head(name: string): void {
    this.#string(name, STYLE.head);
  }

  take(): string {
    const row = `<row r="${this.#row}">${this.#cells}</row>`;
    this.#cells = '';
    this.#column = 0;
    this.#row += 1;
    return row;
  }

  #string(text: string, style: number): void {
    const place = this.#place();
    // A third of a cell, so only written where needed.
    const space = EDGE.test(text) ? ' xml:space="preserve"' : '';
    this.#cells += `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${xmlText(text)}</t></is></c>`;
  }

  #place(): string {
    const letters = (this.#letters[this.#column] ??= columnLetters(this.#column));
    this.#column += 1;
    return `${letters}${this.#row}`;
  }
}

/** Space that XML may drop. */
const EDGE = /^\s|\s$|[\n\t]/;

const DAY_CHARS = '2026-01-31'.length;
const DATE_CHARS = '2026-01-31T23:59:59'.length;

/** From 0: A, B … Z, AA, AB …. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(A + (column % LETTERS));
  return column < LETTERS ? last : columnLetters(Math.floor(column / LETTERS) - 1) + last;
}

const A = 'A'.charCodeAt(0);
const LETTERS = 26;

/** Escapes what XML forbids (22.9.2.19, ST_Xstring), and what looks like such an escape. */
export function xmlText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .toWellFormed()
    .replace(ESCAPE, '_x005F_$1')
    .replace(
      UNFIT,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/* oxlint-disable no-control-regex -- they are what is looked for */
const SPECIAL = /[&<>\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]|_x/;
const UNFIT = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/* oxlint-enable no-control-regex */
const ESCAPE = /_(x[0-9a-f]{4}_)/gi;
