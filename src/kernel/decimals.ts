/**
 * Numbers in text are plain decimals: `Number` would take `0x10`, blanks and `Infinity`. A whole
 * number has one notation, so that a property or tile has one URL. Zero-padded codes are texts
 * (D40).
 */

const MAX_CHARS = 64;
/** As published: readers in other languages take it. */
export const DECIMAL = '[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?';
const DECIMAL_FORM = new RegExp(`^${DECIMAL}$`);
const WHOLE_FORM = /^(?:0|-?[1-9]\d*)$/;

/** null: no finite decimal number. */
export function decimalOf(text: string): number | null {
  return numberOf(text, DECIMAL_FORM);
}

/** null: not only digits with an optional minus. */
export function wholeOf(text: string): number | null {
  return numberOf(text, WHOLE_FORM);
}

/** Decimals with commas between them, blanks around each allowed; null: not `count` of them. */
export function decimalsOf(text: string, count: number): readonly number[] | null {
  const parts = text.split(',');
  const numbers = parts.flatMap((part) => decimalOf(part.trim()) ?? []);
  return parts.length === count && numbers.length === count ? numbers : null;
}

function numberOf(text: string, form: RegExp): number | null {
  const value = text.length <= MAX_CHARS && form.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : null;
}
