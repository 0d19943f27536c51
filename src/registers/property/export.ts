/** All properties of the store in batches (D53), lists as text. */
import { CompiledQuery, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { hasRow } from '../../db/rows.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { HELD_TABLES, PROPERTY_PARTS, propertyStatement } from './statement.ts';

const PAGE = 300;

/** Of every number that any register holds, in force or not: the statement decides. */
const NUMBERED = [
  'bbr_property',
  'cadastre_property',
  'cadastre_flat',
  'cadastre_foreign_building',
  'cadastre_parcel',
  'address_property',
];

/** Call first: keeps the tables from being replaced until the transaction ends. */
export async function holdPropertyTables(trx: Db): Promise<void> {
  await sql`lock table ${sql.raw(HELD_TABLES.join(', '))} in access share mode`.execute(trx);
}

/** They come with the addresses, if at all. */
export async function areLocationsMirrored({ db }: { readonly db: Db }): Promise<boolean> {
  return await hasRow(db)`select from address_source where entity = 'Ejendomsbeliggenhed'`;
}

/** null: no row begins or ends after it. */
export async function nextChangeMs(trx: Db, atMs: number): Promise<number | null> {
  const at = new Date(atMs).toISOString();
  const instants = HELD_TABLES.map((table) => {
    const column = table.endsWith('_former') ? 'valid_to' : 'valid_from';
    return `select min(${column}) as at from ${table} where ${column} > $1`;
  });
  const { rows } = await trx.executeQuery<{ ms: number | null }>(
    CompiledQuery.raw(
      `select (extract(epoch from min(at)) * 1000)::float8 as ms from (${instants.join(' union all ')}) i`,
      [at],
    ),
  );
  return rows[0]?.ms ?? null;
}

export interface ExportedBatch {
  readonly bfes: readonly number[];
  readonly found: string;
}

/**
 * By number, as of an instant; `read` must see the same rows each time. `only` null: all known
 * numbers.
 */
export async function* exportProperties(
  read: <T>(work: (trx: Db) => Promise<T>) => Promise<T>,
  { atMs, only }: { readonly atMs: number; readonly only: readonly number[] | null },
): AsyncGenerator<ExportedBatch> {
  for (let after = 0, place = 0; ;) {
    const asked = only?.slice(place, place + PAGE);
    const batch = await read(async (trx) =>
      batchOf(trx, asked ?? (await numbersAfter(trx, after)), atMs),
    );
    if (batch === null) return;
    yield batch;
    after = batch.bfes.at(-1) ?? after;
    place += batch.bfes.length;
  }
}

/** For comparison: these numbers, and as many known ones after the first. */
export async function sampleProperties(
  trx: Db,
  { bfes, atMs }: { readonly bfes: readonly number[]; readonly atMs: number },
): Promise<ExportedBatch | null> {
  const known = (await numbersAfter(trx, bfes[0] ?? 0)).slice(0, bfes.length);
  return await batchOf(trx, [...new Set([...bfes, ...known])], atMs);
}

async function batchOf(
  trx: Db,
  bfes: readonly number[],
  atMs: number,
): Promise<ExportedBatch | null> {
  if (bfes.length === 0) return null;
  const { rows } = await trx.executeQuery<{ found: string }>(
    CompiledQuery.raw(`select row_to_json(f)::text as found from (${STATEMENT}) f`, [
      JSON.stringify(bfes),
      new Date(atMs).toISOString(),
    ]),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The store gave no answer about properties.');
  return { bfes, found: row.found };
}

const STATEMENT = propertyStatement(new Set(PROPERTY_PARTS), LIMITS.property.rowsPerList);

async function numbersAfter(trx: Db, after: number): Promise<number[]> {
  const each = NUMBERED.map(
    (table) =>
      `(select distinct bfe from ${table} where bfe > $1 and bfe <= 2147483647 order by bfe limit ${PAGE})`,
  );
  const { rows } = await trx.executeQuery<{ bfe: string | number }>(
    CompiledQuery.raw(`select bfe from (${each.join(' union ')}) n order by bfe limit ${PAGE}`, [
      after,
    ]),
  );
  return rows.map(({ bfe }) => Number(bfe));
}
