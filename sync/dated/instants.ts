/**
 * Instants in the store's rows: begins, ends, and unreadable future rows
 * (mirrors/features/unread.ts).
 */
import { sql } from 'kysely';
import type { LayerId } from '../../src/layers/keys.ts';

export function instantsOf(layer: LayerId) {
  return sql`
    select begins_at as at from dated_row where layer = ${layer} and begins_at > '-infinity'
    union
    select ends_at from dated_row where layer = ${layer} and ends_at is not null
    union
    select (u->>'beginsAt')::timestamptz from layer_state, jsonb_array_elements(unread) u
    where layer = ${layer} and u ? 'beginsAt'`;
}

/** The store's rows bring the change `c` without a source. */
export const IS_AT_HAND = sql<boolean>`(
  exists (
    select from dated_row d
    where d.layer = c.layer and (d.begins_at = c.at or d.ends_at = c.at))
  or exists (
    select from layer_state s, jsonb_array_elements(s.unread) u
    where s.layer = c.layer and (u->>'beginsAt')::timestamptz = c.at))`;
