/** The property of an access address: its parcel's, else EBR's at its house number. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { CADASTRE } from '../../layers/keys.ts';

/** Ids of the cadastre's unread parcels (D143), whose rows in the copy may be old. */
const UNREAD = `
  array(select trim(u -> 'cells' ->> 'id')::bigint
    from layer_state l cross join lateral jsonb_array_elements(l.unread) u
    where l.layer = '${CADASTRE}' and u ->> 'table' = 'cadastre_parcel'
      and trim(u -> 'cells' ->> 'id') ~ '^\\d{1,18}$')`;
const IS_READ = `not exists (
  select from layer_state where layer = '${CADASTRE}' and unanswered is not null)`;

/**
 * Joins both to an access address `name`, as `b.bfe` and `e.bfe`. EBR counts where no parcel gives
 * one, but not where that parcel may be unread: then there is no number. A unit's own property is
 * not the house's; of several the lowest is taken.
 */
export function propertyOf(name: 'a' | 'near'): RawBuilder<unknown> {
  return sql.raw(`
    left join cadastre_parcel b on b.id = ${name}.parcel_id and b.status = 3
      and not b.id = any(${UNREAD})
    left join lateral (
      select min(bfe) as bfe from address_property
      where b.bfe is null and access_id = ${name}.id and unit_id is null and status = 3
        and (${name}.parcel_id is null or ${IS_READ} or (not ${name}.parcel_id = any(${UNREAD})
          and exists (select from cadastre_parcel p where p.id = ${name}.parcel_id)))) e on true`);
}
