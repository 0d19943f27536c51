/**
 * Fragments of SQL that stores share: points, and many rows in one statement. Bulk writes go by
 * unnest because the embedded store has no COPY; one array a column also keeps the statement's text
 * the same for any number of rows.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** ETRS89 / UTM zone 32N: every geometry of the store. */
export const SRID = 25832;

interface Utm32 {
  readonly xUtm32: number;
  readonly yUtm32: number;
}

/** A point as a geometry, from metres. */
export function pointGeometry({ xUtm32, yUtm32 }: Utm32): RawBuilder<string> {
  return sql`ST_SetSRID(ST_MakePoint(${xUtm32}::float8, ${yUtm32}::float8), ${sql.lit(SRID)})`;
}

/** `(…) as <alias>(n, geom)`: the points numbered from 0, in the order given. */
export function pointRows(points: readonly Utm32[], alias = 'point'): RawBuilder<unknown> {
  const xs = points.map(({ xUtm32 }) => xUtm32);
  const ys = points.map(({ yUtm32 }) => yUtm32);
  return sql`(select (ordinal - 1)::integer, ST_SetSRID(ST_MakePoint(x, y), ${sql.lit(SRID)})
    from unnest(${xs}::float8[], ${ys}::float8[]) with ordinality as given(x, y, ordinal))
    as ${sql.id(alias)}(n, geom)`;
}

/** The element types a bulk write needs; `jsonb` columns are given as text and cast in the query. */
export type ElementType =
  'text' | 'integer' | 'bigint' | 'float8' | 'boolean' | 'bytea' | 'timestamptz';

/** How a column of `unnestRows` is read off a row. */
export interface UnnestColumn<Row> {
  readonly type: ElementType;
  readonly of: (row: Row) => unknown;
}

/**
 * `unnest($1::text[], …) as <alias>(key, …)`: rows as a table to select from.
 * @param columns column name -> element type and value, in the order of the result.
 */
export function unnestRows<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, UnnestColumn<Row>>>,
  alias = 'given',
): RawBuilder<unknown> {
  const arrays = Object.values(columns).map(
    ({ type, of }) => sql`${rows.map(of)}::${sql.raw(type)}[]`,
  );
  const names = Object.keys(columns).map((name) => sql.id(name));
  return sql`unnest(${sql.join(arrays)}) as ${sql.id(alias)}(${sql.join(names)})`;
}
