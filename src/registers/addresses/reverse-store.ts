/**
 * The fallback without an index in memory, and the index's reference. One statement, so one
 * generation.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { UnansweredPlaces } from '../../geo/unanswered.ts';
import { composeAccess } from '../../layers/address-text.ts';
import type { AddressStatus, Nearest } from './addresses.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { withParcels } from '../../layers/unread-postcodes.ts';
import { propertyOf } from './house-number-property.ts';

export interface NearestRead {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly nearest: readonly (Nearest | null)[];
}

interface Found {
  readonly n: number;
  readonly distance: number;
  readonly x: number;
  readonly y: number;
  readonly id: string;
  readonly status: AddressStatus;
  readonly houseNumber: string;
  readonly designation: string | null;
  readonly town: string | null;
  readonly postcode: string | null;
  readonly postcodeName: string | null;
  readonly roadId: string;
  readonly roadName: string;
  readonly shortName: string | null;
  readonly municipalityCode: string;
  readonly bfe: number | null;
}

type Row = Pick<NearestRead, 'generation' | 'copy'> & {
  readonly unreadParcels: UnansweredPlaces | null;
  readonly lacksJoined: boolean;
} & (Found | { readonly n: null });

/**
 * In force (D47), within the radius in metres, ties by the lowest id. Throws when the store does.
 * Points come nearest first from the index: with a condition on the radius the planner sorts all.
 */
export async function readNearestAddresses(
  store: Pick<Store, 'db'>,
  points: readonly PointUtm32[],
  radiusM: number,
): Promise<NearestRead> {
  const { rows } = await nearestQuestion(points, radiusM).execute(store.db);
  const [first] = rows;
  if (first === undefined) throw new Error('The store has no generation.');
  const nearest = points.map((): Nearest | null => null);
  for (const row of rows) if (row.n !== null) nearest[row.n - 1] = nearestOf(row);
  const { generation, copy, unreadParcels, lacksJoined } = first;
  const unanswered = withParcels(copy?.unanswered ?? null, unreadParcels);
  return { generation, copy: copy && { ...copy, unanswered, lacksJoined }, nearest };
}

function nearestQuestion(points: readonly PointUtm32[], radiusM: number): RawBuilder<Row> {
  return sql<Row>`
    with postcode as materialized (
      select distinct on (code) code, name from address_postcode
      order by code, status = 3 desc, valid_from desc
    )
    select s.generation, ${sql.raw(COPY)}, c.unanswered as "unreadParcels",
      c.layer is null as "lacksJoined", f.*
    from store_state s
    left join layer_state l on l.layer = 'adresser'
    left join layer_state c on c.layer = 'matrikel'
    left join lateral (
      select q.n::int as n, near.*, t.name as town, p.code as postcode, p.name as "postcodeName",
        coalesce(near.own_municipality, part.municipality_code, '0000') as "municipalityCode",
        coalesce(b.bfe, e.bfe) as bfe
      from unnest(${points.map(({ xUtm32 }) => xUtm32)}::float8[],
        ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) with ordinality as q(x, y, n)
      cross join lateral (
        select place.distance, place.x, place.y, a.id, a.status, a.house_number as "houseNumber", a.designation,
          a.town_id, a.postcode_id, a.parcel_id, a.municipality_code as own_municipality,
          r.id as "roadId", r.name as "roadName",
          nullif(r.short_name, r.name) as "shortName"
        from (
          select g.id, ST_X(g.geom) as x, ST_Y(g.geom) as y,
            g.geom <-> ST_SetSRID(ST_MakePoint(q.x, q.y), 25832) as distance
          from address_point g
          order by g.geom <-> ST_SetSRID(ST_MakePoint(q.x, q.y), 25832)
          offset 0
        ) place
        join address_access a on a.point_id = place.id and a.status = 3
        join address_road r on r.id = a.road_id
        order by place.distance, a.id
        limit 1
      ) near
      left join address_town t on t.id = near.town_id
      left join address_postcode own on own.id = near.postcode_id
      left join postcode p on p.code = own.code
      ${propertyOf('near')}
      left join lateral (
        select municipality_code from address_road_part
        where near.own_municipality is null and road_id = near."roadId"
        order by status in (2, 3) desc, municipality_code collate "C" limit 1
      ) part on true
      where near.distance <= ${radiusM}::float8
    ) f on true`;
}

function nearestOf(row: Found): Nearest {
  const postcode =
    row.postcode === null ? null : { code: row.postcode, name: row.postcodeName ?? '' };
  const parts = {
    roadName: row.roadName,
    houseNumber: row.houseNumber,
    supplementaryTown: row.town,
    postcode,
  };
  return {
    distanceM: row.distance,
    address: {
      id: row.id,
      status: row.status,
      road: {
        roadId: row.roadId,
        municipalityCode: row.municipalityCode,
        // Not read: no reverse answer shows it, and it would cost a scan of all roads.
        roadCode: null,
        name: row.roadName,
        shortName: row.shortName,
      },
      houseNumber: row.houseNumber,
      supplementaryTown: row.town,
      postcode,
      designation:
        row.designation === null || row.designation === '' ? composeAccess(parts) : row.designation,
      position: { xUtm32: row.x, yUtm32: row.y },
      bfe: row.bfe,
    },
  };
}
