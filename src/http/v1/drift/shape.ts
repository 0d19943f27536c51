import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { closed, nullable } from '../../../core/question/schemas.ts';

type Field<From> = readonly [schema: TSchema, read: (from: From) => unknown];

type Rendered<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends readonly [TSchema, (from: never) => infer Value]
    ? Value
    : never;
};

export interface Shape<From, Value> {
  readonly schema: TSchema;
  readonly render: (from: From) => Value;
}

type Options = Parameters<typeof closed>[1];

/** `shapeOf<Source>()({ noegle: [schema, (source) => value] })` */
export function shapeOf<From>() {
  return <Fields extends Readonly<Record<string, Field<From>>>>(
    fields: Fields,
    options: Options = {},
  ): Shape<From, Rendered<Fields>> => {
    const all = Object.entries(fields);
    return {
      schema: closed(Object.fromEntries(all.map(([key, [schema]]) => [key, schema])), options),
      render: (from) =>
        Object.fromEntries(all.map(([key, [, read]]) => [key, read(from)])) as Rendered<Fields>,
    };
  };
}

/** A nested answer or null. */
export function orNull<From, Of, Value>(
  { schema, render }: Shape<Of, Value>,
  read: (from: From) => Of | null,
): readonly [TSchema, (from: From) => Value | null] {
  return [
    nullable(schema),
    (from) => {
      const of = read(from);
      return of === null ? null : render(of);
    },
  ];
}

export function listOf<From, Of, Value>(
  { schema, render }: Shape<Of, Value>,
  read: (from: From) => readonly Of[],
  options: Parameters<typeof Type.Array>[1] = {},
): readonly [TSchema, (from: From) => Value[]] {
  return [Type.Array(schema, options), (from) => read(from).map(render)];
}
