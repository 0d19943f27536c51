/** Runs in browsers too. */

/** Before a number, where whole ones begin: fractions of coordinates have as many digits. */
const LONG = /(?:^|[:,[\s])-?\d{16}/;

/**
 * `JSON.parse`, but that whole numbers beyond 2^53 are texts, as they were written: a double would be another id
 * (D273, D280). Throws SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

function exactly(_name: string, value: unknown, read?: { readonly source: string }): unknown {
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong && LONG.test(read?.source ?? '') ? read?.source : value;
}
