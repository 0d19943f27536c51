/** One statement each, so one generation. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { placeOf } from './places.ts';
import type { NamedPlace, NearPlace, PlaceRow, ShapedPlace } from './places.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { LYING, PLACE_COLUMNS } from './rows.ts';

export interface PlacesRead<T> {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly municipalities: PublishedCopy | null;
  readonly found: readonly T[];
}

type Row<T> = {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly municipalities: PublishedCopy | null;
  readonly municipality_names: Readonly<Record<string, string>> | null;
} & ((PlaceRow & T) | { readonly public_id: null });

/** At most one. Throws when the store does not answer or its content cannot be read. */
export async function readPlace(
  store: Pick<Store, 'db'>,
  id: string,
): Promise<PlacesRead<ShapedPlace>> {
  const shaped = await ask<{ wkb: Uint8Array | null }>(
    store,
    sql`select ${PLACE_COLUMNS},
      case when ST_NPoints(p.geom) <= ${LIMITS.places.vertices}
        then ST_AsBinary(p.geom, 'NDR') end as wkb,
      p.id as rank
    from (
      select * from place where public_id = ${id} and geom is not null order by id limit 1) p
    ${LYING}`,
  );
  return {
    ...shaped,
    found: shaped.found.map(({ row, place }) => ({ place, wkb: row.wkb })),
  };
}

/**
 * Areas that contain the point, smallest first, then others within the radius by distance (D123).
 */
export async function readPlacesNear(
  store: Pick<Store, 'db'>,
  { xUtm32, yUtm32 }: PointUtm32,
  radiusM: number,
): Promise<PlacesRead<NearPlace>> {
  const point = sql`ST_SetSRID(ST_MakePoint(${xUtm32}::float8, ${yUtm32}::float8), 25832)`;
  const near = await ask<{ distance: number }>(
    store,
    sql`select ${PLACE_COLUMNS}, p.distance, p.rank
    from (
      select n.*, row_number() over (
        order by case when n.holds then 0 else 1 end, case when n.holds then n.area else n.distance end,
          n.id) as rank
      from (
        select q.*, ST_Distance(q.geom, ${point}) as distance, ST_Area(q.geom) as area,
          ST_Dimension(q.geom) = 2 and ST_Covers(q.geom, ${point}) as holds
        from place q where ST_DWithin(q.geom, ${point}, ${radiusM}::float8)) n
      order by rank limit ${LIMITS.places.near}) p
    ${LYING}`,
  );
  return {
    ...near,
    found: near.found.map(({ row, place }) => ({ place, distanceM: row.distance })),
  };
}

function copyOf(layer: string): RawBuilder<unknown> {
  return sql`(select ${sql.raw(COPY)} from layer_state l where l.layer = ${layer})`;
}

interface PlaceRows<T> extends Omit<PlacesRead<T>, 'found'> {
  readonly found: readonly { readonly row: PlaceRow & T; readonly place: NamedPlace }[];
}

async function ask<T>(
  { db }: Pick<Store, 'db'>,
  places: RawBuilder<unknown>,
): Promise<PlaceRows<T>> {
  const { rows } = await sql<Row<T>>`
    select s.generation, ${copyOf('stednavne')} as copy, ${copyOf('kommune')} as municipalities,
      (select jsonb_object_agg(code, name) from area
        where theme = 'kommune' and code = any(f.municipality_codes)) as municipality_names,
      f.*
    from store_state s left join (${places}) f on true
    order by f.rank`.execute(db);
  const [first] = rows;
  if (first === undefined) throw new Error('The store has no generation.');
  return {
    generation: first.generation,
    copy: first.copy,
    municipalities: first.municipalities,
    found: rows.flatMap((row) => {
      if (row.public_id === null) return [];
      const isJoined = row.municipalities !== null;
      const names = isJoined ? new Map(Object.entries(row.municipality_names ?? {})) : null;
      return [{ row, place: placeOf(row, names) }];
    }),
  };
}
