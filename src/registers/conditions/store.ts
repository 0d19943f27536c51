/**
 * Conditions and lines at points or in areas: one statement, so one generation. What counts is in
 * force on the requested day, whatever the copy's age.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { ConditionAttributes, LineAttributes } from '../../layers/feature.ts';
import { NAMED_PARCELS } from '../../layers/conditions/condition.ts';
import type { LayerId } from '../../layers/keys.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface FoundObject {
  readonly objectId: string;
  readonly attributes: ConditionAttributes | LineAttributes;
  readonly areaM2: number | null;
  /** Within the requested place. */
  readonly sharedM2: number;
  readonly sharedM: number;
}

export interface Found {
  /** Of objects in force within the radius; null: there is none. */
  readonly nearestM: number | null;
  /** Objects in force within the radius. */
  readonly count: number;
  /** Objects at the point, or sharing ground with the area. */
  readonly within: number;
  /** The newest in force first; then near ones that name its parcels in text. */
  readonly objects: readonly FoundObject[];
  /** All objects together; an overlap counts once. */
  readonly sharedM2: number;
  readonly sharedM: number;
}

/**
 * Whether the zone layer has rows of the municipalities here: for all ground, for all ground in a
 * municipality, or one is missing.
 */
export type Zoning = 'whole' | 'partly' | 'missing';

export interface PlacesRead {
  readonly generation: number;
  readonly copies: ReadonlyMap<LayerId, PublishedCopy | null>;
  readonly rung: 'store' | 'snapshot';
  /** By place, then layer; a layer with nothing near has no entry. */
  readonly found: readonly ReadonlyMap<LayerId, Found>[];
  readonly zoning: readonly Zoning[];
  /** Why the geometry is invalid; null: valid. */
  readonly faults: readonly (string | null)[];
  readonly areasM2: readonly number[];
}

export interface PlacesQuestion {
  /** Points, areas or collections of areas taken together; WKB, EPSG:25832. */
  readonly wkbs: readonly Uint8Array[];
  readonly layers: readonly LayerId[];
  readonly radiusM: number;
  /** ISO 8601. */
  readonly today: string;
  readonly mostObjects: number;
  /** A line within so many metres counts as here. */
  readonly onLineM: number;
  /** Parcels of the first place, as `parcelText`. */
  readonly parcels?: readonly string[];
}

interface Row {
  readonly generation: number;
  readonly states: readonly { readonly layer: LayerId; readonly copy: PublishedCopy | null }[];
  readonly places: readonly {
    readonly no: number;
    readonly fault: string | null;
    readonly area_m2: number;
    readonly zoning: Zoning | null;
  }[];
  readonly found: readonly (FoundRow & { readonly no: number; readonly layer: LayerId })[] | null;
}

interface FoundRow {
  readonly nearest_m: number;
  readonly count: number;
  readonly within: number;
  readonly shared_m2: number;
  readonly shared_m: number;
  readonly objects: readonly FoundObject[] | null;
}

export const ZONES = 'forhold_zone';
/** Less shared ground is a common border, a millimetre each way. */
export const TOUCH_M2 = 1e-6;
export const TOUCH_M = 1e-3;
/** The embedded engine loses a statement where two borders nearly coincide, but not on a grid. */
const EMBEDDED_GRID_M = 1e-6;

export async function readPlaces(
  { db, kind }: Pick<Store, 'db' | 'kind'>,
  question: PlacesQuestion,
): Promise<PlacesRead> {
  const gridM = kind === 'embedded' ? EMBEDDED_GRID_M : -1;
  const { rows } = await statement(question, gridM).execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The store has no generation.');
  const found = question.wkbs.map(() => new Map<LayerId, Found>());
  for (const { no, layer, ...of } of row.found ?? []) {
    found[no - 1]?.set(layer, {
      ...{ nearestM: of.nearest_m, count: of.count, within: of.within },
      ...{ objects: of.objects ?? [], sharedM2: of.shared_m2, sharedM: of.shared_m },
    });
  }
  return {
    generation: row.generation,
    copies: new Map(row.states.map(({ layer, copy }) => [layer, copy])),
    rung: 'store',
    found,
    zoning: row.places.map(({ zoning }) => zoning ?? 'partly'),
    faults: row.places.map(({ fault }) => fault),
    areasM2: row.places.map(({ area_m2: areaM2 }) => areaM2),
  };
}

function statement(question: PlacesQuestion, gridM: number): RawBuilder<Row> {
  const { wkbs, layers, radiusM, today, mostObjects, onLineM, parcels = [] } = question;
  return sql<Row>`
    with given as materialized (
      select no::integer, geom, case when ST_IsValid(geom) then null else ST_IsValidReason(geom) end as fault
      from (
        select no, case when ST_Dimension(geom) = 2 and GeometryType(geom) = 'GEOMETRYCOLLECTION'
          then ${united(sql`geom`)} else geom end as geom
        from (select no, ST_GeomFromWKB(wkb, 25832) as geom from unnest(${wkbs.map((wkb) => Buffer.from(wkb))}::bytea[]) with ordinality as u (wkb, no)) r) g
    ),
    asked as materialized (select no, geom from given where fault is null),
    part as materialized (${parts({ layers, radiusM, today, gridM })}),
    object as (
      select no, layer, key, min(distance_m) as distance_m, sum(shared_m2) as shared_m2,
        sum(shared_m) as shared_m,
        bool_or(is_point and distance_m <= case when is_line then ${onLineM}::float8 else 0 end)
          or sum(shared_m2) > ${TOUCH_M2}::float8
          or bool_or(is_line) and sum(shared_m) > ${TOUCH_M}::float8 as is_within
      from part group by no, layer, key
    ),
    near as (select * from object where distance_m <= ${radiusM}::float8),
    total as (
      select no, layer, min(distance_m) as nearest_m, count(*)::integer as count,
        (count(*) filter (where is_within))::integer as within, sum(shared_m2) as summed_m2,
        sum(shared_m) as summed_m
      from near group by no, layer
    ),
    united as (
      select t.no, t.layer, ST_UnaryUnion(ST_Collect(p.shared), ${gridM}::float8) as shared
      from total t join part p using (no, layer)
      where t.within > 1 and p.shared is not null group by t.no, t.layer
    ),
    shown as (
      select no, layer, jsonb_agg(jsonb_build_object('objectId', object_id, 'attributes', attributes,
        'areaM2', area_m2, 'sharedM2', shared_m2, 'sharedM', shared_m) order by place) as objects
      from (
        select n.*, f.*, row_number() over (partition by n.no, n.layer
          order by n.is_within desc, f.valid_from desc nulls last, round(n.shared_m2::numeric, 2) desc,
            f.object_id collate "C", n.key collate "C") as place
        from near n cross join lateral (${feature(sql`n`)}) f
        where n.is_within or n.no = 1 and ${namesOneOf(parcels)}) ranked
      where place <= ${mostObjects}::integer group by no, layer
    )
    select s.generation,
      (select jsonb_agg(state) from (
        select q.layer, ${sql.raw(COPY)}
        from unnest(${layers}::text[]) as q (layer) left join layer_state l using (layer)) state
      ) as states,
      (select jsonb_agg(jsonb_build_object('no', no, 'fault', fault, 'area_m2', ST_Area(geom),
        'zoning', case when fault is null then ${zonesAt(sql`g`, gridM)} end) order by no) from given g) as places,
      (select jsonb_agg(row) from (
        select t.no, t.layer, t.nearest_m, t.count, t.within, h.objects,
          coalesce(ST_Area(u.shared), t.summed_m2) as shared_m2,
          coalesce(ST_Length(u.shared), t.summed_m) as shared_m
        from total t left join united u using (no, layer) left join shown h using (no, layer)) row
      ) as found
    from store_state s`;
}

function united(collection: RawBuilder<unknown>) {
  return sql`(select ST_CollectionExtract(ST_UnaryUnion(ST_Collect(sound_geometry(d.geom, 3))), 3)
    from ST_Dump(${collection}) d)`;
}

function parts({
  layers,
  radiusM,
  today,
  gridM,
}: Pick<PlacesQuestion, 'layers' | 'radiusM' | 'today'> & { readonly gridM: number }) {
  const near = (of: RawBuilder<unknown>) =>
    sql`${of}.layer = any(${layers}::text[]) and ${of}.geom && ST_Expand(a.geom, ${radiusM}::float8)`;
  return sql`
    select a.no, q.layer, q.key, ST_Dimension(a.geom) = 0 as is_point,
      ST_Dimension(q.geom) = 1 as is_line, ST_Distance(q.geom, a.geom) as distance_m, i.shared,
      coalesce(ST_Area(i.shared), 0) as shared_m2, coalesce(ST_Length(i.shared), 0) as shared_m
    from asked a
    cross join lateral (
      select p.layer, p.key, p.geom from condition_piece p join condition_feature f using (layer, key)
      where ${near(sql`p`)} and f.standing = 'in_force'
        and (f.valid_from is null or f.valid_from <= ${today}::date)
        and (f.valid_to is null or f.valid_to > ${today}::date)
      union all
      select f.layer, f.key, f.geom from line_feature f
      where ${near(sql`f`)} and f.standing = 'in_force') q
    cross join lateral (select case
      when ST_Dimension(a.geom) = 2 and ST_Intersects(q.geom, a.geom) then ST_CollectionExtract(
        ST_Intersection(q.geom, a.geom, ${gridM}::float8), ST_Dimension(q.geom) + 1)
      end as shared) i`;
}

function namesOneOf(parcels: readonly string[]) {
  const { district, numbers } = NAMED_PARCELS;
  return sql`exists (
    select from regexp_split_to_table(f.attributes->'values'->>${numbers}, ';') as number
    where (f.attributes->'values'->>${district}) || ' ' || trim(number) = any(${parcels}::text[]))`;
}

function feature(of: RawBuilder<unknown>) {
  const isSame = sql`layer = ${of}.layer and key = ${of}.key`;
  return sql`
    select object_id, attributes, area_m2, valid_from from condition_feature where ${isSame}
    union all
    select object_id, attributes, area_m2, null::date from line_feature where ${isSame}`;
}

/**
 * Landzone is only where no other zone is, in municipalities that the layer has rows of (planloven
 * § 34).
 */
function zonesAt(place: RawBuilder<unknown>, gridM: number) {
  const isPoint = sql`ST_Dimension(${place}.geom) = 0`;
  const zoned = sql`exists (
    select from condition_feature z where z.layer = ${ZONES}
      and lpad(z.attributes->'values'->>'kommunekode', 4, '0') = m.code)`;
  return sql`(
    select case when bool_or((${isPoint} or i.m2 > ${TOUCH_M2}::float8) and not ${zoned}) then 'missing'
      when count(*) > 0 and (${isPoint} or sum(i.m2) > ST_Area(${place}.geom) - 1) then 'whole'
      else 'partly' end
    from area_piece p join area m using (theme, key)
    cross join lateral (select ST_Area(ST_Intersection(p.geom, ${place}.geom, ${gridM}::float8)) as m2) i
    where p.theme = 'kommune' and ST_Intersects(p.geom, ${place}.geom))`;
}
