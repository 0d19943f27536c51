/**
 * In the publishing transaction: changes carried out, changes to come, and from when the copy is
 * outdated (D130).
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { Announcement } from '../../src/layers/announcement.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { publishedRows } from '../mirrors/features/rows-of.ts';
import { instantsOf } from './instants.ts';
import { instantText } from './stage.ts';

type Trx = Store['db'];

/** Up to this difference of area, as a share, a row is still the announced one. */
const SAME_AREA_SHARE = 0.002;

export interface Settling {
  readonly nowMs: number;
  /** The run whose file has all announcements; null: nothing new was read. */
  readonly fromRun: string | null;
}

/** Call after the rows and the layer's state. */
export async function settleDated(trx: Trx, layer: Settled, by: Settling): Promise<void> {
  const { id } = layer;
  await markCarriedOut(trx, layer, by.nowMs);
  if (by.fromRun === null) await dropCarriedOut(trx, id, by.nowMs);
  else await replaceRows(trx, id, by.fromRun);
  await noteChanges(trx, id);
  await noteCodes(trx, layer);
  await noteOutdated(trx, id);
}

type Settled = Pick<Layer, 'id' | 'register'>;

/** A line is named by its object and municipality. */
const held = (layer: Settled) => sql`(
  select key, coalesce(attributes->>'code', object_id) as code, ${NAME} as name, content_hash, geom
  from (${publishedRows(layer)}) published)`;
const NAME = sql`coalesce(attributes->>'name', attributes->>'municipalityName', '')`;

/** Changes carried out since are open again. */
export async function reopenDated(trx: Trx, layer: LayerId, version: number): Promise<void> {
  await sql`
    update dated_change set carried_out_at = null, version = null
    where layer = ${layer} and version >= ${version}::bigint`.execute(trx);
  await noteOutdated(trx, layer);
}

async function markCarriedOut(trx: Trx, of: Settled, nowMs: number): Promise<void> {
  const { id: layer } = of;
  const now = sql`${instantText(nowMs)}::timestamptz`;
  await sql`
    update dated_change c set carried_out_at = ${now},
      version = (select s.version from layer_state s where s.layer = ${layer})
    where c.layer = ${layer} and c.carried_out_at is null and c.at <= ${now}
      and exists (select from layer_state s where s.layer = ${layer})
      -- Every row that was to begin is there, unless a later one has taken its place already.
      and not exists (
        select from dated_row d
        where d.layer = ${layer} and d.begins_at = c.at and (d.ends_at is null or d.ends_at > ${now})
          and not exists (
            select from dated_row later
            where later.layer = ${layer} and later.key = d.key
              and later.begins_at > d.begins_at and later.begins_at <= ${now})
          and not exists (
            select from ${held(of)} a where a.key = d.key
              and (a.content_hash = d.content_hash or (a.code = d.object_id
                and a.name = d.attributes->>'name' and abs(ST_Area(a.geom) - ST_Area(d.geom))
                  <= ${SAME_AREA_SHARE}::float8 * ST_Area(d.geom)))))
      -- Every row that was to end is gone, unless it goes on as another one.
      and not exists (
        select from dated_row d join ${held(of)} a on a.key = d.key
        where d.layer = ${layer} and d.ends_at = c.at and d.begins_at = '-infinity'
          and not exists (
            select from dated_row b where b.layer = ${layer} and b.key = d.key
              and b.begins_at > '-infinity' and b.begins_at <= ${now}))
      and not exists (
        select from ${held(of)} a
        where c.announced->'ends' ? a.code and not c.announced->'begins' ? a.code)
      and not exists (
        select from jsonb_array_elements_text(c.announced->'begins') as b(code)
        where b.code is not null and not exists (
          select from ${held(of)} a where a.code = b.code))`.execute(trx);
}

/** Without a new reading; a row that began may still end. */
async function dropCarriedOut(trx: Trx, layer: LayerId, nowMs: number): Promise<void> {
  const now = sql`${instantText(nowMs)}::timestamptz`;
  const done = (at: 'begins_at' | 'ends_at') => sql`exists (
    select from dated_change c
    where c.layer = d.layer and c.at = d.${sql.ref(at)} and c.carried_out_at is not null)`;
  await sql`
    delete from dated_row d where d.layer = ${layer} and d.ends_at <= ${now} and ${done('ends_at')}`.execute(
    trx,
  );
  await sql`
    insert into dated_row (layer, key, begins_at, ends_at)
    select distinct on (key) layer, key, '-infinity'::timestamptz, ends_at from dated_row d
    where layer = ${layer} and begins_at > '-infinity' and begins_at <= ${now}
      and ends_at > ${now} and ${done('begins_at')}
    order by key, begins_at desc
    on conflict (layer, key, begins_at) do update set ends_at = excluded.ends_at`.execute(trx);
  await sql`
    delete from dated_row d
    where d.layer = ${layer} and d.begins_at > '-infinity' and d.begins_at <= ${now}
      and ${done('begins_at')}`.execute(trx);
}

async function replaceRows(trx: Trx, layer: LayerId, runId: string): Promise<void> {
  await sql`delete from dated_row where layer = ${layer}`.execute(trx);
  await sql`
    insert into dated_row (layer, key, begins_at, ends_at, object_id, standing, adopted,
      content_hash, attributes, geom)
    select ${layer}, key, begins_at, ends_at, object_id, standing, adopted, content_hash,
      attributes, geom
    from stage_dated_row where run_id = ${runId}::bigint
    on conflict do nothing`.execute(trx);
}

async function noteChanges(trx: Trx, layer: LayerId): Promise<void> {
  const named = sql`(${instantsOf(layer)} order by 1 limit ${LIMITS.datedChanges})`;
  await sql`
    insert into dated_change (id, layer, at, from_register)
    select ${changeId(layer)}, ${layer}, at, true from ${named} as named
    -- Told to come again: what was carried out is not there any more.
    on conflict (layer, at) do update set from_register = true, carried_out_at = null,
      version = null`.execute(trx);
  await sql`
    update dated_change c set from_register = false
    where c.layer = ${layer} and c.carried_out_at is null and c.from_register
      and c.at not in (select at from ${named} as named)`.execute(trx);
  await sql`
    delete from dated_change
    where layer = ${layer} and carried_out_at is null and not from_register
      and announced is null`.execute(trx);
}

/** While the ending rows still exist: afterwards their codes would be unknown. */
async function noteCodes(trx: Trx, of: Settled): Promise<void> {
  const listed = (rows: RawBuilder<unknown>) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('code', code, 'name', name) order by code) from (
      ${rows} order by code limit ${LIMITS.datedCodes}) listed), '[]')`;
  const before = sql`
    select a.code, a.name from ${held(of)} a
    where coalesce(c.announced->'ends' ? a.code, false) or a.key in (
      select d.key from dated_row d where d.layer = c.layer
        and (d.begins_at = c.at or (d.begins_at = '-infinity' and d.ends_at = c.at)))`;
  const after = sql`
    select d.object_id as code, ${NAME} as name from dated_row d
    where d.layer = c.layer and d.begins_at = c.at`;
  await sql`
    update dated_change c set codes = jsonb_build_object(
      'before', ${listed(before)}, 'after', ${listed(after)})
    where c.layer = ${of.id} and c.carried_out_at is null and (c.announced is not null or exists (
      select from dated_row d
      where d.layer = c.layer and (d.begins_at = c.at or d.ends_at = c.at)))`.execute(trx);
}

/** Layer and instant in UTC: `region-20261231T230000Z`. */
function changeId(layer: LayerId) {
  return sql`${`${layer}-`} || to_char(at at time zone 'UTC', 'YYYYMMDD"T"HH24MISS') ||
    case when date_trunc('second', at) = at then '' else to_char(at, 'US') end || 'Z'`;
}

async function noteOutdated(trx: Trx, layer: LayerId): Promise<void> {
  await sql`
    update layer_state set outdated_at = least(data_late_at, (
      select min(at) from dated_change where layer = ${layer} and carried_out_at is null))
    where layer = ${layer}`.execute(trx);
}

export async function writeAnnouncements(
  store: Pick<Store, 'db'>,
  layer: LayerId,
  { announcements, nowMs }: { readonly announcements: readonly Announcement[]; nowMs: number },
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    // Serialized, as publications are.
    await sql`select generation from store_state for update`.execute(trx);
    await sql`
      update dated_change c set announced = null
      where c.layer = ${layer} and c.announced is not null
        and c.at <> all(${announcements.map(({ at }) => at)}::timestamptz[])`.execute(trx);
    for (const { at, ends, begins } of announcements) {
      const announced = JSON.stringify({ ends, begins });
      await sql`
        insert into dated_change (id, layer, at, from_register, announced)
        select ${changeId(layer)}, ${layer}, at, false, ${announced}::jsonb
        from (select ${at}::timestamptz as at) as named
        on conflict (layer, at) do update set announced = excluded.announced`.execute(trx);
    }
    await settleDated(trx, { id: layer, register: 'dagi' }, { nowMs, fromRun: null });
  });
}
