/**
 * The transaction of a publication in the log of changes (D225), and a number for each changed key.
 */
import { sql } from 'kysely';
import { firstValue } from '../src/db/rows.ts';
import { entitiesOf } from '../src/changes/entity-rows.ts';
import type { EntityRows } from '../src/changes/entity-rows.ts';
import { OPERATIONS } from '../src/changes/types.ts';
import type { EntityCounts, Operation } from '../src/changes/types.ts';
import { unreadKeys } from '../src/changes/unread.ts';
import type { UnreadItem } from '../src/changes/unread.ts';
import type { Store } from '../src/db/connect.ts';
import { instant } from '../src/kernel/clock.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import type { TableRegister } from '../src/layers/register.ts';
import type { Publication } from './deps.ts';

type Trx = Store['db'];

export interface Logged {
  readonly publication: Publication;
  /** The step that undoes it; null: a first version, with which the register's log begins. */
  readonly step: number | null;
  readonly nowMs: number;
  /** Absent: a layer of features. */
  readonly register?: TableRegister;
}

/** Call with the rows, the unread ones and the state of the version in place. */
export async function logChanges(
  trx: Trx,
  { publication, step, nowMs, register }: Logged,
): Promise<void> {
  const { layer, version, generation } = publication;
  const first = await firstValue(trx, 1)`
    select greatest(s.next_event, coalesce((
      select next_event from change_transaction order by nr desc limit 1), 1)) as next
    from store_state s`;
  const isStart = step === null;
  const counts = isStart ? [] : await logEntities(trx, { layer, version, register, first });
  const events = counts.reduce((sum, each) => sum + sizeOf(each), 0);
  const next = first + (isStart ? 1 : events);
  await sql`
    insert into change_transaction
      (nr, layer, version, at, first_event, events, next_event, counts, is_start)
    values (${generation}, ${layer}, ${version}, ${instant(nowMs)}, ${first}, ${events},
      ${next}, ${JSON.stringify(counts)}, ${isStart})`.execute(trx);
  await sql`update store_state set next_event = ${next}::integer`.execute(trx);
}

function sizeOf({ inserted, changed, removed, unread }: EntityCounts): number {
  return inserted + changed + removed + unread;
}

interface Logging {
  readonly layer: MirrorId;
  readonly version: number;
  readonly register: TableRegister | undefined;
  readonly first: number;
}

async function logEntities(
  trx: Trx,
  { layer, version, register, first }: Logging,
): Promise<readonly EntityCounts[]> {
  const schemas = new Map(register === undefined ? [] : [[register.id, register.schema] as const]);
  const entities = entitiesOf(layer, schemas);
  const kept = new Map(entities.map((rows) => [rows.entity, rows]));
  const unread = await readUnread(trx, layer, { version, kept: entities });
  const counts: EntityCounts[] = [];
  let event = first;
  for (const entity of [...new Set([...kept.keys(), ...unread.keys()])].toSorted()) {
    const of = { layer, version, entity, event, unread: unread.get(entity) ?? NONE_UNREAD };
    const rows = kept.get(entity);
    const counted = await (rows === undefined ? logUnread(trx, of) : logEntity(trx, rows, of));
    event += sizeOf(counted);
    if (sizeOf(counted) > 0) counts.push(counted);
  }
  return counts;
}

interface UnreadKeys {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

const NONE_UNREAD: UnreadKeys = { before: new Set(), after: new Set() };

/** Unreadable rows by entity, before and after the version. */
async function readUnread(
  trx: Trx,
  layer: MirrorId,
  { version, kept }: { readonly version: number; readonly kept: readonly EntityRows[] },
): Promise<ReadonlyMap<string, UnreadKeys>> {
  const { rows } = await sql<{ before: UnreadItem[] | null; after: UnreadItem[] | null }>`
    select h.unread as before, s.unread as after from layer_state s
    left join layer_history h on h.layer = s.layer and h.version = ${version}::bigint
    where s.layer = ${layer}`.execute(trx);
  const before = unreadKeys(layer, rows[0]?.before ?? [], kept);
  const after = unreadKeys(layer, rows[0]?.after ?? [], kept);
  const none = new Set<string>();
  return new Map(
    [...before.keys(), ...after.keys()].map((entity) => [
      entity,
      { before: before.get(entity) ?? none, after: after.get(entity) ?? none },
    ]),
  );
}

interface Entity {
  readonly layer: MirrorId;
  readonly version: number;
  readonly entity: string;
  readonly event: number;
  readonly unread: UnreadKeys;
}

const code = (operation: Operation) => sql.lit(OPERATIONS.indexOf(operation) + 1);

async function logEntity(trx: Trx, rows: EntityRows, of: Entity): Promise<EntityCounts> {
  const { before, after } = of.unread;
  const keys = [...new Set([...before, ...after])];
  return await number(
    trx,
    of,
    sql`
    with changed as (
      select ${rows.historyKey} as key, case
        when not (${rows.isRow}) then ${code('ny')}
        when l.is_live is null then ${code('ophoert')} else ${code('aendret')} end as operation
      from ${rows.history} left join lateral (
        select true as is_live from ${rows.live}
        where ${rows.isOfLive} and ${rows.isLive(rows.historyKey)}) l on true
      where ${rows.isOfHistory} and h.version = ${of.version}::bigint),
    unread as (
      select u.key, u.was_unread, u.is_unread, l.is_live
      from unnest(${keys}::text[], ${keys.map((key) => before.has(key))}::boolean[],
        ${keys.map((key) => after.has(key))}::boolean[]) as u(key, was_unread, is_unread)
      left join lateral (
        select true as is_live from ${rows.live}
        where ${rows.isOfLive} and ${rows.isLive(sql`nullif(u.key, '')`)}
      ) l on true),
    logged as (
      select c.key, case when u.is_unread then ${code('ulaeselig')} else c.operation end as operation
      from changed c left join unread u on u.key = c.key
      union all
      select u.key, case when u.is_unread then ${code('ulaeselig')} when u.is_live then ${code('aendret')}
        else ${code('ophoert')} end
      from unread u where u.is_unread <> u.was_unread and not exists (select from changed c where c.key = u.key))`,
  );
}

/** For entities without rows of their own: those folded into another, and unreadable keys. */
async function logUnread(trx: Trx, of: Entity): Promise<EntityCounts> {
  const { before, after } = of.unread;
  const came = [...after].filter((key) => !before.has(key));
  const left = [...before].filter((key) => !after.has(key));
  return await number(
    trx,
    of,
    sql`
    with logged as (
      select key, ${code('ulaeselig')} as operation from unnest(${came}::text[]) as u(key)
      union all
      select key, ${code('ophoert')} from unnest(${left}::text[]) as u(key))`,
  );
}

async function number(
  trx: Trx,
  { layer, version, entity, event }: Entity,
  logged: ReturnType<typeof sql>,
): Promise<EntityCounts> {
  const { rows } = await sql<{ operation: number; count: number }>`
    ${logged},
    numbered as (
      insert into change_event (event, layer, version, entity, key, operation)
      select ${event}::integer - 1 + row_number() over (order by key collate "C"), ${layer},
        ${version}::bigint, ${entity}, key, operation
      from logged returning operation)
    select operation, count(*)::integer as count from numbered group by operation`.execute(trx);
  const count = (operation: Operation) =>
    rows.find((row) => OPERATIONS[row.operation - 1] === operation)?.count ?? 0;
  return {
    entity,
    inserted: count('ny'),
    changed: count('aendret'),
    removed: count('ophoert'),
    unread: count('ulaeselig'),
  };
}
