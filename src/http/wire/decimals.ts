import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
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

type ReadNumbers = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Of path and query, before they are validated; null: their schemas have no numbers. */
export function readsNumbers({ querystring, params }: FastifySchema): ReadNumbers | null {
  const inQuery = numbersOf(querystring ?? {});
  const inPath = numbersOf(params ?? {});
  if (inQuery.length === 0 && inPath.length === 0) return null;
  return (request, _reply, done) => {
    coerceNumbers(request.query as Record<string, unknown>, inQuery);
    coerceNumbers(request.params as Record<string, unknown>, inPath);
    done();
  };
}
