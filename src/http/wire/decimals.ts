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

/** Replaces, in place, decimal texts by numbers where the schema says number or integer. */
export function coerceDecimals(values: Record<string, unknown>, schema: ObjectSchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const text = values[name];
    if (property.type !== 'number' && property.type !== 'integer') continue;
    if (typeof text !== 'string') continue;
    const value = decimalOf(text);
    if (value !== null) values[name] = value;
  }
}
