/** What the caller's columns of text are in a workbook, which shows numbers and dates as such. */
import { hasValue, numberOf } from '../../core/rows/cells.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { serialOf } from '../workbook/dates.ts';

export type GivenType = 'text' | 'number' | 'date';

/** By all cells that hold something. One that fits neither makes its column text. */
export function givenTypeOf(cells: readonly Cell[]): GivenType {
  const filled = cells.filter(hasValue);
  const texts = filled.filter((cell) => typeof cell === 'string');
  if (texts.length === 0 || texts.length < filled.length) return 'text';
  if (texts.every((text) => plainNumber(text) !== null)) return 'number';
  return texts.every((text) => danishDate(text) !== null) ? 'date' : 'text';
}

/**
 * A number that loses nothing as one: no code (`0093`), no more digits than are kept, nothing
 * ambiguous (`12.345`); null: none.
 */
export function plainNumber(text: string): number | null {
  const isFit = PLAIN.test(text) && !UNSURE.test(text);
  return isFit && text.replace(/\D/g, '').length <= DIGITS_KEPT ? numberOf(text) : null;
}

const PLAIN = /^-?(?:0|[1-9][\d.]*)(?:,\d+)?$|^-?(?:0|[1-9]\d*)\.\d+$/;
const UNSURE = /^-?\d{1,3}\.\d{3}$/;
const DIGITS_KEPT = 15;

/** A day, or a day and time, in ISO 8601; null: none that there is. */
export function danishDate(text: string): string | null {
  const [, day = '', month = '', year = '', hour, minute = '', second] = DATE.exec(text) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = `T${hour?.padStart(2, '0')}:${minute}:${second ?? '00'}`;
  const iso = hour === undefined ? date : date + time;
  return serialOf(iso) === null ? null : iso;
}

const DATE = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})(?: (\d{1,2})[:.](\d\d)(?:[:.](\d\d))?)?$/;
