/** Derives columns, rows and examples from fields stated once, by record key. */
import type { CodeField } from '../../answers/codes.ts';
import type { CodeList } from '../../layers/code-lists.ts';

export interface Field {
  readonly column: string;
  /** A code is a text in rows, and has its label in the record. */
  readonly kind: 'integer' | 'decimal' | 'text' | 'date' | 'code';
  readonly list?: CodeList;
  /** First six characters of its name in the register. */
  readonly prefix: string;
  /** A file without the column is rejected. */
  readonly expected?: true;
  readonly example: string | number | null;
  readonly description?: { readonly en: string; readonly da: string };
}

type Group = Readonly<Record<string, Field>>;

export type Fields = Readonly<Record<string, Field | Group>>;

type FieldIn<M> = M extends Field ? M : M[keyof M];

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

export type RowOf<F extends Fields> = {
  readonly [One in Extract<FieldIn<F[keyof F]>, Field> as Camel<One['column']>]:
    | (One['kind'] extends 'integer' | 'decimal' ? number : string)
    | null;
};

interface Values {
  readonly integer: number;
  readonly decimal: number;
  readonly text: string;
  readonly date: string;
  readonly code: CodeField;
}

export type Recorded<M> = M extends Field
  ? Values[M['kind']] | null
  : { [Key in keyof M]: Recorded<M[Key]> };

export function isField(member: Field | Group): member is Field {
  return typeof member['column'] === 'string';
}

/** In the order of the register's numbers. */
export function fieldsIn(fields: Fields): readonly Field[] {
  return Object.values(fields)
    .flatMap((member) => (isField(member) ? [member] : Object.values(member)))
    .toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1));
}

export function memberOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function exampleRow<F extends Fields>(fields: F): RowOf<F> {
  const values = fieldsIn(fields).map(({ column, example }) => [memberOf(column), example]);
  return Object.fromEntries(values) as RowOf<F>;
}
