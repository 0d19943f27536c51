import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { uuidOf } from '../kernel/uuids.ts';
import { columnsOf } from '../downloads/read-table.ts';
import type { RegisterTable } from '../layers/register-tables.ts';

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
  return sql.raw(typeName(table, column));
}

function typeName(table: RegisterTable, column: string): string {
  const found = columnsOf(table).find(({ name }) => name === column);
  if (found === undefined) throw new Error(`${table.table} has no column ${column}.`);
  return found.type;
}

export function keyText(table: RegisterTable, alias: string): RawBuilder<string> {
  const [only, ...more] = table.key.map((name) => sql.ref(`${alias}.${name}`));
  if (only === undefined) throw new Error(`${table.table} has no key.`);
  return more.length === 0
    ? sql`${only}::text`
    : sql`jsonb_build_array(${sql.join([only, ...more])})::text`;
}

/** The columns in a text of `keyText`. */
function keyParts(table: RegisterTable, text: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const isOnly = table.key.length === 1;
  return table.key.map((name, i) => {
    const part = isOnly ? text : sql`(${text}::jsonb ->> ${sql.lit(i)})`;
    return sql`${part}::${typeOf(table, name)}`;
  });
}

export function keyValues(table: RegisterTable, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(keyParts(table, text));
}

export function isKeyOf(table: RegisterTable, alias: string, text: RawBuilder<unknown>) {
  const parts = keyParts(table, text);
  const same = table.key.map((name, i) => sql`${sql.ref(`${alias}.${name}`)} = ${parts[i]}`);
  return sql`(${sql.join(same, sql` and `)})`;
}

const READABLE: Readonly<Record<string, RegExp>> = {
  int8: /^-?\d{1,18}$/,
  int4: /^-?\d{1,9}$/,
  int2: /^-?\d{1,4}$/,
};

/** null: not a key of the table. */
export function readKey(table: RegisterTable, text: string): string | null {
  const parts = table.key.length === 1 ? [text] : text.split(' ');
  if (parts.length !== table.key.length) return null;
  const read = table.key.map((name, i) => {
    const [part = '', type] = [parts[i], typeName(table, name)];
    if (type === 'uuid') return uuidOf(part);
    if (READABLE[type]?.test(part) === false) return null;
    return type === 'text' ? part : BigInt(part).toString();
  });
  if (read.includes(null)) return null;
  if (read.length === 1) return read[0] ?? null;
  const isText = table.key.map((name) => ['uuid', 'text'].includes(typeName(table, name)));
  return `[${read.map((part, i) => (isText[i] ? JSON.stringify(part) : part)).join(', ')}]`;
}
