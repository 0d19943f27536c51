/**
 * Numbers are plain decimal text: Ajv would accept `0x10` and blanks. A whole number has one
 * notation, so that a property or tile has one URL. Zero-padded codes are texts (D40).
 */

const MAX_CHARS = 64;
const WHOLE = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** null: no finite decimal number. */
export function decimalOf(text: string): number | null {
  return numberOf(text, DECIMAL);
}

/** null: not only digits with an optional minus. */
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

export type NumberReader = readonly [name: string, read: (text: string) => number | null];

export function numbersOf({ properties = {} }: ObjectSchema): readonly NumberReader[] {
  return Object.entries(properties).flatMap(([name, { type }]): readonly NumberReader[] => {
    if (type === 'integer') return [[name, wholeOf]];
    return type === 'number' ? [[name, decimalOf]] : [];
  });
}

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
