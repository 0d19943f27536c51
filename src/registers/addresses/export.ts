/** The published addresses as tab-separated lines, in the order of an index build; empty: null. */
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { IndexList } from './address-lines.ts';
import { propertyOf } from './house-number-property.ts';

const PAGE_ROWS = 20_000;

/** Call first: a table replaced later would look empty to this snapshot. */
export async function holdAddressTables(trx: Db): Promise<void> {
  await sql`
    lock table address_postcode, address_town, address_road, address_road_part, address_point,
      address_access, address_unit, address_property, address_former, cadastre_parcel
    in access share mode`.execute(trx);
}

/** Lines are sorted as IndexRows requires. */
export const exportLines = (trx: Db, list: IndexList) => LINES[list](trx);

const LINES: Readonly<Record<IndexList, (trx: Db) => AsyncGenerator<string, void, void>>> = {
  postcodes: (trx) => whole(trx, POSTCODES),
  roads: (trx) => whole(trx, ROADS),
  accesses: (trx) => paged(trx, accessPage),
  units: (trx) => paged(trx, unitPage),
  formerNames: (trx) => byCursor(trx, FORMER_NAMES),
  towns: (trx) => whole(trx, TOWNS),
};

/** The latest name of each. */
const POSTCODES = sql<{ line: string }>`
  select concat_ws(E'\t', code, name) as line from (
    select distinct on (code collate "C") code, name from address_postcode
    order by code collate "C", status = 3 desc, valid_from desc) p
  order by code collate "C"`;

const NOWHERE = '0000';

/** Municipality of addresses that name none: that of the road's first part. */
const FIRST_PARTS = sql`
  first_part as (
    select distinct on (road_id) road_id, municipality_code from address_road_part
    order by road_id, status in (2, 3) desc, municipality_code collate "C")`;

const ROADS = sql<{ line: string }>`
  with ${FIRST_PARTS},
  place as (
    select road_id, municipality_code from address_road_part
    union
    select a.road_id, coalesce(a.municipality_code, f.municipality_code, ${NOWHERE})
    from address_access a left join first_part f on f.road_id = a.road_id
    where a.road_id is not null),
  code as (
    select distinct on (road_id, municipality_code) road_id, municipality_code, road_code
    from address_road_part
    order by road_id, municipality_code, status in (2, 3) desc, road_code)
  select concat_ws(E'\t', r.id, p.municipality_code, coalesce(c.road_code, ''), r.name,
    coalesce(nullif(r.short_name, r.name), '')) as line
  from place p
  join address_road r on r.id = p.road_id
  left join code c on c.road_id = p.road_id and c.municipality_code = p.municipality_code
  order by r.id, p.municipality_code collate "C"`;

const TOWNS = sql<{ line: string }>`
  with ${FIRST_PARTS},
  used as materialized (
    select a.town_id, coalesce(a.municipality_code, f.municipality_code) as municipality, p.code,
      count(*) as addresses
    from address_access a
    left join first_part f on f.road_id = a.road_id
    left join address_postcode p on p.id = a.postcode_id
    where a.town_id is not null and a.status in (2, 3)
    group by 1, 2, 3),
  place as (
    select distinct on (town_id) town_id, municipality from (
      select town_id, municipality, sum(addresses) as addresses from used
      where municipality is not null group by 1, 2) m
    order by town_id, addresses desc, municipality collate "C"),
  post as (
    select town_id, string_agg(distinct code, ',' order by code) as codes from used group by 1)
  select concat_ws(E'\t', coalesce(t.dagi_id, ''), t.status, t.name, coalesce(m.municipality, ''),
    coalesce(p.codes, '')) as line
  from address_town t
  left join place m on m.town_id = t.id
  left join post p on p.town_id = t.id
  where t.status in (2, 3)
  order by length(t.dagi_id), t.dagi_id collate "C", t.name collate "C", t.id`;

type Page = (after: string) => ReturnType<typeof sql<{ text: string | null; last: string | null }>>;

const accessPage: Page = (after) => sql`
  with page as materialized (
    select * from address_access where id > ${after}::uuid order by id limit ${PAGE_ROWS}),
  line as (
    select a.id, concat_ws(E'\t', a.id, a.status, r.id,
      coalesce(a.municipality_code, f.municipality_code, ${NOWHERE}), a.house_number,
      coalesce(t.name, ''), coalesce(p.code, ''), coalesce(a.designation, ''),
      coalesce(ST_X(g.geom)::text, ''), coalesce(ST_Y(g.geom)::text, ''),
      coalesce(b.bfe::text, e.bfe::text, '')) as line
    from page a
    join address_road r on r.id = a.road_id
    left join lateral (
      select municipality_code from address_road_part
      where a.municipality_code is null and road_id = a.road_id
      order by status in (2, 3) desc, municipality_code collate "C" limit 1) f on true
    left join address_town t on t.id = a.town_id
    left join address_postcode p on p.id = a.postcode_id
    left join address_point g on g.id = a.point_id
    ${propertyOf('a')}
    where a.status between 2 and 5)
  select (select string_agg(line, E'\n' order by id) from line) as text,
    (select id::text from page order by id desc limit 1) as last`;

const unitPage: Page = (after) => sql`
  with page as materialized (
    select * from address_unit where id > ${after}::uuid order by id limit ${PAGE_ROWS})
  select (
      select string_agg(concat_ws(E'\t', id, status, access_id, coalesce(floor, ''),
        coalesce(door, ''), coalesce(designation, ''), coalesce(own.bfe::text, '')),
        E'\n' order by id)
      from page left join lateral (
        select min(bfe) as bfe from address_property
        where unit_id = page.id and status = 3) own on true
      where status between 2 and 5) as text,
    (select id::text from page order by id desc limit 1) as last`;

const FORMER_NAMES = sql`
  with road_name as (
    select f.id, f.name, f.valid_from, f.valid_to
    from address_former f join address_road r on r.id = f.id
    where f.kind = 'road' and f.name <> r.name),
  access_name as (
    select a.id, n.name as road, a.house_number, a.town_id, a.postcode_id, n.valid_from, n.valid_to
    from road_name n join address_access a on a.road_id = n.id
    union all
    select f.id, coalesce(old.name, r.name), f.house_number, f.town_id, f.postcode_id,
      f.valid_from, f.valid_to
    from address_former f
    join address_access a on a.id = f.id
    join address_road r on r.id = coalesce(f.road_id, a.road_id)
    left join lateral (
      select o.name from address_former o
      where o.kind = 'road' and o.id = r.id and o.valid_from < f.valid_to
        and o.valid_to >= f.valid_to
      order by o.valid_from limit 1) old on true
    where f.kind = 'access' and row(f.road_id, f.house_number, f.postcode_id, f.town_id)
      is distinct from row(a.road_id, a.house_number, a.postcode_id, a.town_id)),
  named as (
    select 'access' as kind, id, road, house_number, null::text as floor, null::text as door,
      town_id, postcode_id, valid_from, valid_to
    from access_name
    union all
    select 'unit', u.id, n.road, n.house_number, u.floor, u.door, n.town_id, n.postcode_id,
      n.valid_from, n.valid_to
    from access_name n join address_unit u on u.access_id = n.id
    union all
    select 'unit', f.id, r.name, a.house_number, f.floor, f.door, a.town_id, a.postcode_id,
      f.valid_from, f.valid_to
    from address_former f
    join address_unit u on u.id = f.id
    join address_access a on a.id = f.access_id
    join address_road r on r.id = a.road_id
    where f.kind = 'unit'
      and row(f.access_id, f.floor, f.door) is distinct from row(u.access_id, u.floor, u.door))
  select concat_ws(E'\t', n.kind, n.id, n.road, n.house_number, coalesce(n.floor, ''),
    coalesce(n.door, ''), coalesce(t.name, ''), coalesce(p.code, ''),
    to_char(n.valid_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    to_char(n.valid_to at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as line
  from named n
  left join address_town t on t.id = n.town_id
  left join address_postcode p on p.id = n.postcode_id
  order by n.id, n.valid_from, n.kind`;

async function* whole(trx: Db, query: typeof ROADS): AsyncGenerator<string, void, void> {
  const { rows } = await query.execute(trx);
  if (rows.length > 0) yield rows.map(({ line }) => line).join('\n');
}

async function* paged(trx: Db, page: Page): AsyncGenerator<string, void, void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await page(after).execute(trx);
    const { text = null, last = null } = rows[0] ?? {};
    if (last === null) return;
    if (text !== null) yield text;
    after = last;
  }
}

async function* byCursor(
  trx: Db,
  query: ReturnType<typeof sql>,
): AsyncGenerator<string, void, void> {
  await sql`declare former_names no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<{ line: string }>`
      fetch ${sql.lit(PAGE_ROWS)} from former_names`.execute(trx);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line).join('\n');
  }
  await sql`close former_names`.execute(trx);
}
