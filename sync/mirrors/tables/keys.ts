import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { columnsOf } from '../../../src/downloads/read-table.ts';
import type { RegisterTable } from '../../../src/layers/register-tables.ts';

export function keyOf({ key }: RegisterTable, alias?: string): RawBuilder<unknown> {
  return sql.join(key.map((name) => sql.ref(alias === undefined ? name : `${alias}.${name}`)));
}

export function isSame({ key }: RegisterTable, a: string, b: string): RawBuilder<boolean> {
  const pairs = key.map((name) => sql`${sql.ref(`${a}.${name}`)} = ${sql.ref(`${b}.${name}`)}`);
  return sql`(${sql.join(pairs, sql` and `)})`;
}

export function isMissing({ key }: RegisterTable, alias: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.${key[0] ?? ''}`)} is null`;
}

export function typeOf(table: RegisterTable, column: string): RawBuilder<unknown> {
  const found = columnsOf(table).find(({ name }) => name === column);
  if (found === undefined) throw new Error(`${table.table} has no column ${column}.`);
  return sql.raw(found.type);
}

/** A key as one text, as used by the history and for unreadable rows. */
export function keyText(table: RegisterTable, alias: string): RawBuilder<string> {
  const [only, ...more] = table.key.map((name) => sql.ref(`${alias}.${name}`));
  if (only === undefined) throw new Error(`${table.table} has no key.`);
  return more.length === 0
    ? sql`${only}::text`
    : sql`jsonb_build_array(${sql.join([only, ...more])})::text`;
}

export function isKeyOf(table: RegisterTable, alias: string, text: RawBuilder<unknown>) {
  const isOnly = table.key.length === 1;
  const same = table.key.map((name, i) => {
    const part = isOnly ? text : sql`(${text}::jsonb ->> ${sql.lit(i)})`;
    return sql`${sql.ref(`${alias}.${name}`)} = ${part}::${typeOf(table, name)}`;
  });
  return sql`(${sql.join(same, sql` and `)})`;
}
