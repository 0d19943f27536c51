/** `Number` would take `0x10`, blanks and `Infinity`. */

/** Published. Long enough for any double written out (D271). */
export const DECIMAL =
  /^[-+]?(?:[0-9]{1,30}(?:\.[0-9]{0,60})?|\.[0-9]{1,60})(?:[eE][-+]?[0-9]{1,2})?$/;
/** A property or tile has one URL. Zero-padded codes are texts (D40). */
const WHOLE = /^(?:0|-?[1-9]\d{0,29})$/;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** null: no decimal number. */
export function decimalOf(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null;
}

/** null: not only digits with an optional minus. */
export function wholeOf(text: string): number | null {
  return WHOLE.test(text) ? Number(text) : null;
}

export function wholeWithin(text: string, { min, max }: Bounds): number | null {
  const value = wholeOf(text);
  return value !== null && value >= min && value <= max ? value : null;
}

/** Blanks around each are allowed; null: not `count`. */
export function decimalsOf(text: string, count: number, separator = ','): readonly number[] | null {
  const numbers = text.split(separator).map((part) => decimalOf(part.trim()));
  return numbers.length === count && numbers.every((each) => each !== null) ? numbers : null;
}
