/** Of a statement: its text follows `firstRow<Row>(db)`. */
import { sql } from 'kysely';
import type { Db } from './connect.ts';

type Text = TemplateStringsArray;
type Values = readonly unknown[];

export function allRows<Row>(db: Db) {
  return async (text: Text, ...values: Values): Promise<Row[]> =>
    (await sql<Row>(text, ...values).execute(db)).rows;
}

/** null: there is none. */
export function firstRow<Row>(db: Db) {
  return async (text: Text, ...values: Values): Promise<Row | null> =>
    (await allRows<Row>(db)(text, ...values))[0] ?? null;
}

/** Throws where there is none. */
export function oneRow<Row>(db: Db) {
  return async (text: Text, ...values: Values): Promise<Row> => {
    const row = await firstRow<Row>(db)(text, ...values);
    if (row === null) throw new Error(`A statement gave no row: ${text.join('?').trim()}`);
    return row;
  };
}

/** The first column; `otherwise`: no row, or null. */
export function firstValue<Value>(db: Db, otherwise: Value) {
  return async (text: Text, ...values: Values): Promise<Value> => {
    const row = await firstRow<Record<string, Value | null>>(db)(text, ...values);
    return Object.values(row ?? {})[0] ?? otherwise;
  };
}

export function hasRow(db: Db) {
  return async (text: Text, ...values: Values): Promise<boolean> =>
    (await firstRow(db)(text, ...values)) !== null;
}
