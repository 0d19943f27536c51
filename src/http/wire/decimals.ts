import { decimalOf, wholeOf } from '../../kernel/decimals.ts';

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
