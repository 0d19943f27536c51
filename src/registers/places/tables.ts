/**
 * Place names (DS), folded into one row per place: names refer to places by object number, and each
 * place is in the table of its type (upstream/registers-geo.md 5.1).
 */
import { OFFICIAL_STATUSES } from './places.ts';
import { PLACE_TYPES } from './types.ts';
import type { PlaceType } from './types.ts';
import type { Fold, RegisterSchema, RegisterTable } from '../../layers/register-tables.ts';
import { standingColumn } from '../../layers/standing-columns.ts';

function table(
  entity: string,
  name: string,
  more: Pick<RegisterTable, 'key' | 'columns'> & Partial<Pick<RegisterTable, 'indexes'>>,
): RegisterTable {
  // The register publishes no history (upstream/registers-geo.md 1.6).
  return { entity, register: 'DS', table: name, indexes: [], ...more, former: null };
}

export const NAMES = 'Stednavn';

const TOPICALITY = standingColumn('DS', 'aktualitet');
const HISTORIC = TOPICALITY.words?.['historisk'] ?? 0;

const NAME = table(NAMES, 'place_name', {
  key: ['place_id', 'name'],
  columns: [
    {
      name: 'place_id',
      kind: 'bigint',
      from: ['navngivetstedobjectid', 'navngivetsted'],
      required: true,
    },
    { name: 'name', kind: 'text', from: ['skrivemaade', 'navn'], required: true },
    { name: 'status', kind: 'text', from: ['navnestatus'], expected: true },
    { name: 'priority', kind: 'text', from: ['brugsprioritet'], expected: true },
    { name: 'ordinal', kind: 'integer', from: ['navnefoelgenummer'] },
    {
      ...{ name: 'topicality', kind: 'status', from: ['aktualitet'], decides: true },
      standing: TOPICALITY,
    },
  ],
});

function typeTable({ entity, subtypeFrom }: PlaceType): RegisterTable {
  return table(entity, `place_${entity.toLowerCase()}`, {
    key: ['id'],
    columns: [
      { name: 'id', kind: 'bigint', from: ['objectid'], required: true },
      { name: 'local_id', kind: 'text', from: ['idlokalid'] },
      { name: 'subtype', kind: 'text', from: subtypeFrom },
      { name: 'inhabitants', kind: 'integer', from: ['indbyggertal', 'indbantal'] },
      { name: 'geom', kind: 'geometry', from: ['geometri', 'wkt'], required: true },
    ],
  });
}

const TYPE_TABLES = PLACE_TYPES.map(typeTable);

/** The middle of a line's longest piece, else a point inside (D121). */
const INSIDE = `
  case ST_Dimension(geom) when 1 then (
    select ST_LineInterpolatePoint(d.geom, 0.5) from ST_Dump(ST_LineMerge(geom)) d
    order by ST_Length(d.geom) desc, d.path limit 1)
  else ST_PointOnSurface(geom) end`;

/** The primary name is shown; of several the official one (D122), then in the register's order. */
const NAME_ORDER = `
  lower(priority) not like 'prim%' nulls last,
  lower(status) not in (${OFFICIAL_STATUSES.map((status) => `'${status}'`).join()}) nulls last,
  ordinal nulls last, name collate "C"`;

const FOLD: Fold = {
  into: table('Sted', 'place', {
    key: ['id'],
    columns: [
      { name: 'id', kind: 'bigint', from: [], required: true },
      { name: 'public_id', kind: 'text', from: [], required: true },
      { name: 'main_type', kind: 'text', from: [] },
      { name: 'subtype', kind: 'text', from: [] },
      // A JSON array of arrays (places.ts).
      { name: 'names', kind: 'text', from: [], required: true },
      { name: 'unresolved', kind: 'integer', from: [], required: true },
      { name: 'inhabitants', kind: 'integer', from: [] },
      { name: 'easting', kind: 'decimal', from: [] },
      { name: 'northing', kind: 'decimal', from: [] },
      { name: 'geom', kind: 'geometry', from: [] },
    ],
    indexes: [
      { suffix: '_public_id', on: '(public_id)' },
      { suffix: '_geom', on: 'using gist (geom)' },
    ],
  }),
  needs: [NAMES],
  query: (name, isRead) => `
    with spelling as (
      select distinct on (place_id, name) * from ${name('place_name')}
      where topicality is null or topicality <> ${HISTORIC}
      order by place_id, name, registered_from desc, valid_from desc),
    named as (
      select place_id, count(*)::integer as spellings,
        json_agg(json_build_array(name, status, priority) order by ${NAME_ORDER})::text as names,
        max(registered_from) as registered_from, max(valid_from) as valid_from
      from spelling group by place_id),
    one as (
      select distinct on (id) * from (${allPlaces(name, isRead)}) p
      order by id, registered_from desc, valid_from desc, main_type),
    sound as (
      select id, local_id, main_type, subtype, inhabitants, registered_from, valid_from,
        sound_geometry(geom, ST_Dimension(geom) + 1) as geom
      from one),
    simple as (
      select id, local_id, main_type, subtype, inhabitants, registered_from, valid_from,
        case when ST_NumGeometries(geom) = 1 then ST_GeometryN(geom, 1) else geom end as geom
      from sound where not ST_IsEmpty(geom)),
    placed as (select *, ${INSIDE} as inside from simple)
    select n.place_id, coalesce(nullif(lower(trim(p.local_id)), ''), n.place_id::text), p.main_type,
      p.subtype, n.names, case when p.id is null then n.spellings else 0 end, p.inhabitants,
      ST_X(p.inside), ST_Y(p.inside), p.geom,
      greatest(n.registered_from, p.registered_from), greatest(n.valid_from, p.valid_from)
    from named n left join placed p on p.id = n.place_id`,
  naming: NAMES,
  unresolved: 'unresolved',
  message: 'Too many names are of places that are not there.',
};

function allPlaces(name: (table: string) => string, isRead: (table: string) => boolean): string {
  const read = TYPE_TABLES.filter((each) => isRead(each.table));
  const none = `select null::bigint as id, null::text as local_id, null::text as main_type,
    null::text as subtype, null::integer as inhabitants, null::geometry as geom,
    null::timestamptz as registered_from, null::timestamptz as valid_from where false`;
  return [
    none,
    ...read.map(
      (each) => `select id, local_id, '${each.entity}', subtype, inhabitants, geom, registered_from,
        valid_from from ${name(each.table)}`,
    ),
  ].join(' union all ');
}

export const PLACE_SCHEMA: RegisterSchema = {
  tables: [NAME, ...TYPE_TABLES],
  fold: FOLD,
  references: null,
  counted: ['place'],
  beside: { sources: 'place_source', history: 'place_history', former: null },
};
