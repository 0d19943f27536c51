/**
 * Numbers in a query or path are decimal text. Ajv's coercion would accept `0x10`, blanks and
 * `1e400`; this accepts plain decimals and leaves the rest for the schema to refuse. A whole number
 * has one notation, its digits, so that a property or tile has one URL. Zero-padded codes are texts
 * (D40).
 */

/** Maximum characters; no coordinate needs more. */
const MAX_CHARS = 64;
const WHOLE = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** null when it is not a finite decimal number. */
export function decimalOf(text: string): number | null {
  return numberOf(text, DECIMAL);
}

/** null when it is not only digits with an optional minus. */
export function wholeOf(text: string): number | null {
  return numberOf(text, WHOLE);
}

function numberOf(text: string, form: RegExp): number | null {
  if (text.length > MAX_CHARS || !form.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** A numeric parameter and its parser. */
export type NumberReader = readonly [name: string, read: (text: string) => number | null];

/** The properties that the schema declares as numbers or integers. */
export function numbersOf({ properties = {} }: ObjectSchema): readonly NumberReader[] {
  return Object.entries(properties).flatMap(([name, { type }]): readonly NumberReader[] => {
    if (type === 'integer') return [[name, wholeOf]];
    return type === 'number' ? [[name, decimalOf]] : [];
  });
}

/** Replaces numeric texts in place. */
export function coerceNumbers(
  values: Record<string, unknown>,
  readers: readonly NumberReader[],
): void {
  for (const [name, read] of readers) {
    const text = values[name];
    if (typeof text !== 'string') continue;
    const value = read(text);
    if (value !== null) values[name] = value;
  }
}
