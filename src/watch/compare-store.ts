import { sql } from 'kysely';
import type { Db, Trx } from '../db/connect.ts';
import { allRows, firstValue, hasRow } from '../db/rows.ts';
import { typeOf } from '../changes/keys.ts';
import type { ChangeSource } from '../changes/source.ts';
import type { Row } from '../changes/types.ts';
import { readAgain } from '../db/replaced-table.ts';
import { instant } from '../kernel/clock.ts';
import { isRegisterId } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import { keptTables } from '../layers/register-tables.ts';
import type { RegisterTable } from '../layers/register-tables.ts';
import { WATCH_LIMITS } from './limits.ts';
import type { RelatedRows } from './relations.ts';
import type { WatchRow } from './list-store.ts';

export interface Claim {
  readonly owner: string;
  readonly leaseMs: number;
}

/** Uses the database's clock; false: another process has the claim. */
export async function takeClaim(db: Db, { owner, leaseMs }: Claim): Promise<boolean> {
  const until = sql`now() + ${leaseMs} * interval '1 ms'`;
  return await hasRow(db)`
    insert into watch_claim as c (owner, token, until) values (${owner}, 1, ${until})
    on conflict (singleton) do update set owner = excluded.owner, until = excluded.until,
      token = c.token + (c.owner <> excluded.owner)::integer
    where c.owner = excluded.owner or c.until < now()
    returning token::float8 as token`;
}

export async function releaseClaim(db: Db, { owner }: Pick<Claim, 'owner'>): Promise<void> {
  await sql`update watch_claim set until = now() where owner = ${owner}`.execute(db);
}

/** The earliest of all lists; null: no list to compare. */
export async function readCompared(db: Db): Promise<number | null> {
  return await firstValue<number | null>(db, null)`
    select min(compared)::float8 as compared from watch_list where not paused`;
}

export interface DueList extends Pick<WatchRow, 'id' | 'accountId' | 'name' | 'kind' | 'objects'> {
  readonly revision: number;
}

/** Lists not yet compared with the transaction. */
export async function readDueLists(db: Db, transaction: number): Promise<readonly DueList[]> {
  return await allRows<DueList>(db)`
    select id, account_id as "accountId", name, kind, objects, revision from watch_list
    where not paused and compared < ${transaction} order by id`;
}

/** Packed keys by list id. */
export async function readKeys(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { rows } = await sql<{ id: string; keys: Buffer }>`
    select id, keys from watch_list where id = any(${ids}::text[]) and keys is not null`.execute(
    db,
  );
  // Memory that can be transferred to the thread.
  return new Map(rows.map(({ id, keys }) => [id, Uint8Array.from(keys)]));
}

export interface PlacedChange {
  readonly place: number;
  /** GeoJSON, EPSG:25832. */
  readonly geometry: string;
}

export interface TouchedPolygon {
  readonly place: number;
  readonly listId: string;
  /** From 0, as sent. */
  readonly polygon: number;
}

export async function touchedPolygons(
  db: Db,
  ids: readonly string[],
  changes: readonly PlacedChange[],
): Promise<readonly TouchedPolygon[]> {
  return await allRows<TouchedPolygon>(db)`
    with changed as materialized (
      select place, ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(geometry)), 25832) as geom
      from unnest(${changes.map(({ place }) => place)}::integer[],
        ${changes.map(({ geometry }) => geometry)}::text[]) as c (place, geometry))
    select distinct c.place, p.list_id as "listId", p.number - 1 as polygon
    from changed c join watch_piece p on p.geom && c.geom and ST_Intersects(p.geom, c.geom)
    where p.list_id = any(${ids}::text[])
    order by c.place, p.list_id, polygon`;
}

/** Lists edited meanwhile are compared again. */
export async function passLists(
  db: Db,
  transaction: number,
  lists: readonly Pick<DueList, 'id' | 'revision'>[],
): Promise<void> {
  await sql`
    update watch_list w set compared = ${transaction}
    from unnest(${lists.map(({ id }) => id)}::text[],
      ${lists.map(({ revision }) => revision)}::integer[]) as l (id, revision)
    where w.id = l.id and w.revision = l.revision and not w.paused and w.compared < ${transaction}`.execute(
    db,
  );
}

/** false: deleted, paused, edited, or compared by another process. */
export async function noteFound(
  db: Trx,
  { id, revision }: Pick<DueList, 'id' | 'revision'>,
  {
    nr,
    events,
    atMs,
  }: { readonly nr: number; readonly events: number | null; readonly atMs: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update watch_list set compared = ${nr}, found_transaction = ${nr}, found_events = ${events},
      found_at = ${instant(atMs)}
    where id = ${id} and revision = ${revision} and not paused and compared < ${nr}`.execute(db);
  return numAffectedRows > 0n;
}

/** null: a layer. */
export function tableOf(
  { schemas }: Pick<ChangeSource, 'schemas'>,
  register: MirrorId,
  entity: string,
): RegisterTable | null {
  const schema = isRegisterId(register) ? schemas.get(register) : undefined;
  const tables = schema === undefined ? [] : keptTables(schema);
  return tables.find((each) => each.entity === entity) ?? null;
}

export function relatedRows({ db, schemas }: ChangeSource): RelatedRows {
  const known = new Map(
    [...schemas].flatMap(([layer, schema]) =>
      keptTables(schema).map((table) => [
        table.table,
        { layer, table, history: schema.beside.history },
      ]),
    ),
  );
  return {
    withIds: async (name, ids, columns) => {
      const of = known.get(name);
      if (of === undefined) return [];
      return await inSlices(ids, async (some) => {
        const live = await liveRows(db, of.table, { column: 'id', ids: some, columns });
        const there = new Set(live.map((row) => String(row['id'])));
        const gone = some.filter((id) => !there.has(id));
        return gone.length === 0 ? live : [...live, ...(await lastRows(db, of, gone, columns))];
      });
    },
    below: async ({ table: name, column }, ids) => {
      const of = known.get(name);
      if (of === undefined) return [];
      return await inSlices(ids, (some) =>
        liveRows(db, of.table, { column, ids: some, columns: [column] }),
      );
    },
    districtCodes: async (ids) => {
      const { rows } = await sql<{ id: number; code: number }>`
        select id::float8 as id, code::float8 as code from cadastre_district
        where id = any(${ids}::bigint[])`.execute(db);
      return new Map(rows.map(({ id, code }) => [id, code]));
    },
  };
}

async function inSlices(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let at = 0; at < ids.length; at += WATCH_LIMITS.ids)
    all.push(...(await read(ids.slice(at, at + WATCH_LIMITS.ids))));
  return all;
}

interface ByColumn {
  readonly column: string;
  readonly ids: readonly string[];
  readonly columns: readonly string[];
}

async function liveRows(
  db: Db,
  table: RegisterTable,
  { column, ids, columns }: ByColumn,
): Promise<readonly Row[]> {
  return await allRows<Row>(db)`
    select ${sql.join(['id', ...columns].map((name) => sql.ref(`t.${name}`)))}
    from ${sql.table(table.table)} t
    where t.${sql.id(column)} = any(${ids}::${typeOf(table, column)}[])`;
}

/** The last row of each deleted one. */
async function lastRows(
  db: Db,
  {
    layer,
    table,
    history,
  }: { readonly layer: MirrorId; readonly table: RegisterTable; readonly history: string },
  ids: readonly string[],
  columns: readonly string[],
): Promise<readonly Row[]> {
  const asked = sql<Row>`
    select ${sql.join(['id', ...columns].map((name) => sql.ref(`r.${name}`)))}
    from (
      select distinct on (h.id) (h.was::${sql.table(table.table)}).*
      from change_event e join ${sql.table(history)} h
        on h.layer = e.layer and h.version = e.version and h.entity = e.entity and h.id = e.key
      where e.layer = ${layer} and e.entity = ${table.entity} and e.key = any(${ids}::text[])
        and h.was is not null
      order by h.id, h.version desc) r`;
  return (await readAgain(() => asked.execute(db))).rows;
}
