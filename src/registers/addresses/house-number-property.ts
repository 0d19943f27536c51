/**
 * The property of an access address: that of its parcel, else the one EBR has at its house number.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Joins both to an access address `name`, as `b.bfe` and `e.bfe`. EBR is used where no parcel gives
 * one. A unit's own property is not that of the house; of several the lowest is taken.
 */
export function propertyOf(name: 'a' | 'near'): RawBuilder<unknown> {
  return sql.raw(`
    left join cadastre_parcel b on b.id = ${name}.parcel_id and b.status = 3
    left join lateral (
      select min(bfe) as bfe from address_property
      where b.bfe is null and access_id = ${name}.id and unit_id is null and status = 3) e on true`);
}
