/**
 * Numbers in a query string or path are decimal text. Ajv's own coercion would also take `0x10`,
 * blanks and `1e400`; this takes plain decimals and leaves everything else for the schema to refuse.
 */

/** At most this many characters are looked at; no coordinate needs more. */
const MAX_CHARS = 64;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** The number a text stands for, or null when it is not a finite decimal number. */
export function decimalOf(text: string): number | null {
  if (text.length > MAX_CHARS || !DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** The properties that the schema says are numbers or integers. */
export function numbersOf({ properties = {} }: ObjectSchema): readonly string[] {
  const types = Object.entries(properties);
  return types.flatMap(([name, { type }]) =>
    type === 'number' || type === 'integer' ? [name] : [],
  );
}

/** Replaces, in place, decimal texts by numbers under some names. */
export function coerceDecimals(values: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = values[name];
    if (typeof text !== 'string') continue;
    const value = decimalOf(text);
    if (value !== null) values[name] = value;
  }
}
