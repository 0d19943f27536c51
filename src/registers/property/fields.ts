/** What follows from fields that are stated once, by their key in the record. */
import type { CodeField } from '../../answers/codes.ts';

/** A field that is one column of the register. */
export interface Field {
  readonly column: string;
  /** A code is a text in rows, and has its label in the record. */
  readonly kind: 'integer' | 'text' | 'code';
  /** The first six characters of its name in the register. */
  readonly prefix: string;
  /** A file without the column is rejected. */
  readonly expected?: true;
  /** The column in the invented record. */
  readonly example: string | number | null;
  /** In the published document. */
  readonly description?: { readonly en: string; readonly da: string };
}

type Group = Readonly<Record<string, Field>>;

/** Fields by key, and members that group them. */
export type Fields = Readonly<Record<string, Field | Group>>;

type FieldIn<M> = M extends Field ? M : M[keyof M];

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The columns as the store gives them. */
export type RowOf<F extends Fields> = {
  readonly [One in Extract<FieldIn<F[keyof F]>, Field> as Camel<One['column']>]:
    | (One['kind'] extends 'integer' ? number : string)
    | null;
};

interface Values {
  readonly integer: number;
  readonly text: string;
  readonly code: CodeField;
}

/** What the record says of a field, or of each of a group. */
export type Recorded<M> = M extends Field
  ? Values[M['kind']] | null
  : { [Key in keyof M]: Recorded<M[Key]> };

export function isField(member: Field | Group): member is Field {
  return typeof member['column'] === 'string';
}

/** In the order of the register's own numbers. */
export function fieldsIn(fields: Fields): readonly Field[] {
  return Object.values(fields)
    .flatMap((member) => (isField(member) ? [member] : Object.values(member)))
    .toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1));
}

/** A column's name in rows. */
export function memberOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The row of the invented record. */
export function exampleRow<F extends Fields>(fields: F): RowOf<F> {
  const values = fieldsIn(fields).map(({ column, example }) => [memberOf(column), example]);
  return Object.fromEntries(values) as RowOf<F>;
}
