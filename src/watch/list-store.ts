import { sql } from 'kysely';
import type { Db, Trx } from '../db/connect.ts';
import { firstRow, firstValue } from '../db/rows.ts';
import { instant } from '../kernel/clock.ts';
import { areasOf, parsePermission } from '../account/permissions.ts';
import type { Area } from '../account/permissions.ts';
import { KEY_BYTES } from './keys.ts';
import type { WatchKind } from './kinds.ts';
import { WATCH_LIMITS } from './limits.ts';

/** Without its objects. */
export interface WatchRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: WatchKind;
  readonly objects: number;
  readonly paused: boolean;
  /** The last transaction compared. */
  readonly compared: number;
  readonly found: {
    readonly transaction: number;
    /** null: its events were not kept. */
    readonly events: number | null;
    readonly atMs: number;
  } | null;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

interface StoredRow extends Omit<WatchRow, 'found'> {
  readonly foundTransaction: number | null;
  readonly foundEvents: number | null;
  readonly foundAtMs: number | null;
}

const ms = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

const COLUMNS = sql`w.id, w.account_id as "accountId", w.name, w.kind, w.objects, w.paused,
  w.compared::float8 as compared, w.found_transaction::float8 as "foundTransaction",
  w.found_events as "foundEvents", ${ms('w.found_at')} as "foundAtMs",
  ${ms('w.created_at')} as "createdAtMs", ${ms('w.changed_at')} as "changedAtMs"`;

function rowOf({ foundTransaction, foundEvents, foundAtMs, ...row }: StoredRow): WatchRow {
  const found =
    foundTransaction === null
      ? null
      : { transaction: foundTransaction, events: foundEvents, atMs: foundAtMs ?? 0 };
  return { ...row, found };
}

/** Keys, or polygons as sent and as WKB. */
export type WatchedObjects =
  | { readonly keys: Uint8Array; readonly count: number }
  | { readonly sent: readonly unknown[]; readonly wkbs: readonly Uint8Array[] };

export interface WatchName {
  readonly accountId: string;
  readonly listId: string;
}

export interface NewWatchRow extends Pick<
  WatchRow,
  'id' | 'accountId' | 'name' | 'kind' | 'compared'
> {
  readonly atMs: number;
}

/** Oldest first. */
export async function listWatches(db: Db, accountId: string): Promise<readonly WatchRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${COLUMNS} from watch_list w where w.account_id = ${accountId}
    order by w.created_at, w.id`.execute(db);
  return rows.map(rowOf);
}

export async function readWatch(
  db: Db,
  { accountId, listId }: WatchName,
): Promise<WatchRow | null> {
  const row = await firstRow<StoredRow>(db)`
    select ${COLUMNS} from watch_list w
    where w.id = ${listId} and w.account_id = ${accountId}`;
  return row && rowOf(row);
}

export async function insertWatch(
  db: Trx,
  { id, accountId, name, kind, compared, atMs }: NewWatchRow,
  objects: WatchedObjects,
): Promise<void> {
  const at = instant(atMs);
  await sql`
    insert into watch_list (id, account_id, name, kind, ${OBJECT_COLUMNS}, compared, created_at, changed_at)
    values (${id}, ${accountId}, ${name}, ${kind}, ${columnsOf(objects)}, ${compared}, ${at}, ${at})`.execute(
    db,
  );
  await insertPieces(db, id, objects);
}

const OBJECT_COLUMNS = sql`objects, keys, polygons`;

function columnsOf(objects: WatchedObjects) {
  if ('keys' in objects)
    return sql`${objects.count}::integer, ${Buffer.from(objects.keys)}::bytea, null::jsonb`;
  return sql`${objects.sent.length}::integer, null::bytea, ${JSON.stringify(objects.sent)}::jsonb`;
}

async function insertPieces(db: Trx, id: string, objects: WatchedObjects): Promise<void> {
  if ('keys' in objects) return;
  await sql`
    insert into watch_piece (list_id, number, geom)
    select ${id}, p.number, d.geom
    from unnest(${objects.wkbs.map((wkb) => Buffer.from(wkb))}::bytea[]) with ordinality as p (wkb, number)
    cross join lateral ST_Subdivide(ST_GeomFromWKB(p.wkb, 25832), ${WATCH_LIMITS.pieceVertices}) s (geom)
    cross join lateral ST_Dump(s.geom) d
    where ST_Dimension(d.geom) = 2`.execute(db);
}

/** The first polygon that crosses itself, and how; null: none. */
export async function firstCrossing(
  db: Db,
  wkbs: readonly Uint8Array[],
): Promise<{ readonly number: number; readonly why: string } | null> {
  return await firstRow<{ number: number; why: string }>(db)`
    select p.number::integer as number, ST_IsValidReason(ST_GeomFromWKB(p.wkb, 25832)) as why
    from unnest(${wkbs.map((wkb) => Buffer.from(wkb))}::bytea[]) with ordinality as p (wkb, number)
    where not ST_IsValid(ST_GeomFromWKB(p.wkb, 25832)) order by p.number limit 1`;
}

export interface WatchChange {
  readonly name?: string;
  readonly paused?: boolean;
  readonly objects?: WatchedObjects;
  /** Where a resumed list begins. */
  readonly compared?: number;
  readonly atMs: number;
}

/** Drops comparisons with former objects, or from before a pause. */
export async function updateWatch(
  db: Trx,
  { accountId, listId }: WatchName,
  { name, paused, objects, compared, atMs }: WatchChange,
): Promise<WatchRow | null> {
  const sets = [
    sql`changed_at = ${instant(atMs)}`,
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(paused === undefined ? [] : [sql`paused = ${paused}`]),
    ...(compared === undefined ? [] : [sql`compared = greatest(compared, ${compared})`]),
    ...(paused === undefined && objects === undefined ? [] : [sql`revision = revision + 1`]),
    ...(objects === undefined ? [] : [sql`(${OBJECT_COLUMNS}) = (select ${columnsOf(objects)})`]),
  ];
  const row = await firstRow<StoredRow>(db)`
    update watch_list w set ${sql.join(sets)}
    where w.id = ${listId} and w.account_id = ${accountId}
    returning ${COLUMNS}`;
  if (row === null) return null;
  if (objects !== undefined) {
    await sql`delete from watch_piece where list_id = ${listId}`.execute(db);
    await insertPieces(db, listId, objects);
  }
  return rowOf(row);
}

/** A running comparison then emits nothing. */
export async function deleteWatch(db: Db, { accountId, listId }: WatchName): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from watch_list where id = ${listId} and account_id = ${accountId}`.execute(db);
  return numAffectedRows > 0n;
}

export interface ObjectPage {
  readonly from: number;
  readonly count: number;
}

/** Packed. */
export async function readKeyPage(
  db: Db,
  listId: string,
  { from, count }: ObjectPage,
): Promise<Uint8Array> {
  return await firstValue<Uint8Array>(db, new Uint8Array())`
    select substring(keys from ${KEY_BYTES * from + 1} for ${KEY_BYTES * count}) as keys
    from watch_list where id = ${listId}`;
}

export async function readPolygonPage(
  db: Db,
  listId: string,
  { from, count }: ObjectPage,
): Promise<readonly unknown[]> {
  const { rows } = await sql<{ polygon: unknown }>`
    select p.polygon from watch_list w
    cross join lateral jsonb_array_elements(w.polygons) with ordinality as p (polygon, number)
    where w.id = ${listId} and p.number > ${from} order by p.number limit ${count}`.execute(db);
  return rows.map(({ polygon }) => polygon);
}

/** Areas of working secret keys, except those made by pages (D234). Absent: no such key. */
export async function readAreas(
  db: Db,
  accountIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, ReadonlySet<Area>>> {
  const { rows } = await sql<{ account_id: string; permission: string }>`
    select distinct k.account_id, k.permission from api_key k join account a on a.id = k.account_id
    where k.account_id = any(${accountIds}::text[]) and k.kind = 'secret' and k.revoked_at is null
      and k.session_id is null and a.closed_at is null
      and (k.expires_at is null or k.expires_at > ${instant(nowMs)})`.execute(db);
  const areas = new Map<string, Set<Area>>();
  for (const { account_id, permission } of rows) {
    const known = parsePermission(permission);
    const own = areas.get(account_id) ?? new Set();
    for (const area of known === null ? [] : areasOf(known)) own.add(area);
    areas.set(account_id, own);
  }
  return areas;
}

export async function countReceivers(db: Db, accountId: string): Promise<number> {
  return await firstValue(db, 0)`
    select count(*)::integer as count from webhook_endpoint
    where account_id = ${accountId} and removed_at is null and enabled
      and 'watch.changed' = any (events)`;
}

/** One delivery per subscribed endpoint; returns how many. */
export async function emitChange(
  db: Db,
  accountId: string,
  data: object,
  atMs: number,
): Promise<number> {
  return await firstValue(db, 0)`
    select emit_watch_change(${accountId}, ${JSON.stringify(data)}::jsonb, ${instant(atMs)}) as made`;
}

export async function countTests(db: Db, accountId: string, sinceMs: number): Promise<number> {
  return await firstValue(db, 0)`
    select count(distinct d.created_at)::integer as count
    from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
    where e.account_id = ${accountId} and d.event = 'watch.changed'
      and d.created_at > ${instant(sinceMs)} and position('"proeve": true' in d.body) > 0`;
}
