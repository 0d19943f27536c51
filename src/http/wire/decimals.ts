/**
 * Numbers in a query string or path are decimal text. Ajv's own coercion would also take `0x10`,
 * blanks and `1e400`; this takes plain decimals and leaves everything else for the schema to refuse.
 * A whole number names a thing or a count and is written in one way: its digits, so that a property or a
 * tile has one address. Codes that are padded with zeros are texts (D40).
 */

/** At most this many characters are looked at; no coordinate needs more. */
const MAX_CHARS = 64;
const WHOLE = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** The number a text stands for, or null when it is not a finite decimal number. */
export function decimalOf(text: string): number | null {
  return numberOf(text, DECIMAL);
}

/** The whole number a text stands for, or null when it is not its digits alone, with a minus at most. */
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

/** How a text is read as the number that the schema wants under a name. */
export type NumberReader = readonly [name: string, read: (text: string) => number | null];

/** The properties that the schema says are numbers or integers. */
export function numbersOf({ properties = {} }: ObjectSchema): readonly NumberReader[] {
  return Object.entries(properties).flatMap(([name, { type }]): readonly NumberReader[] => {
    if (type === 'integer') return [[name, wholeOf]];
    return type === 'number' ? [[name, decimalOf]] : [];
  });
}

/** Replaces, in place, texts by the numbers they stand for. */
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
