import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** ISO 8601, last instant included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** `current` rows without those that end in the span, with readable ones that begin (D178). */
export function rowsAfter(
  layer: string,
  current: RawBuilder<unknown>,
  { from, to }: Span,
): RawBuilder<unknown> {
  return sql`
    with begun as (
      select distinct on (key) * from dated_row
      where layer = ${layer} and begins_at > '-infinity'
        and begins_at >= ${from}::timestamptz and begins_at <= ${to}::timestamptz
        and (ends_at is null or ends_at > ${to}::timestamptz)
      order by key, begins_at desc
    ),
    ended as (
      select key from dated_row
      where layer = ${layer} and begins_at = '-infinity'
        and ends_at >= ${from}::timestamptz and ends_at <= ${to}::timestamptz
      union all
      -- What takes its place could not be read: its place is one of no answer.
      select u->>'key' from layer_state, jsonb_array_elements(unread) u
      where layer = ${layer} and u->>'key' is not null
        and (u->>'beginsAt')::timestamptz between ${from}::timestamptz and ${to}::timestamptz
    )
    select * from (${current}) held
    where key not in (select key from ended) and key not in (select key from begun)
    union all
    select key, object_id, standing, adopted, content_hash, attributes, geom from begun`;
}
