/** An entity with a new or changed definition has no earlier events (D255). */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { ENTITIES } from './entities.ts';
import type { Entity } from './entity.ts';
import { RowsAt } from './rows-at.ts';

const known = new WeakMap<Entity, string>();

/** Hash of the statements that read the entity. */
export function definitionOf(entity: Entity): string {
  const definition = known.get(entity) ?? hashOf(entity);
  known.set(entity, definition);
  return definition;
}

function hashOf({ key, columns, isAlive, order, attributes, joins }: Entity): string {
  const read = attributes.map(({ name, type, nullable, sql: of }) => [name, type, nullable, of]);
  const joined = joins(new RowsAt(new Map()));
  const text = JSON.stringify([key, columns, isAlive, order, read, joined]);
  return createHash('sha256')
    .update(text.replaceAll(/(?:\\n|\s)+/g, ' '))
    .digest('hex');
}

/** Call before numbering, under its lock. */
export async function beginEntities(trx: Db): Promise<void> {
  const names = ENTITIES.map(({ name }) => name);
  const definitions = ENTITIES.map(definitionOf);
  const { rows } = await sql<{ is_begun: boolean }>`
    with latest as (select coalesce(max(nr), 0) as nr from replication_transaction)
    insert into replication_entity as k (entity, definition, since, until)
    select e.entity, e.definition, latest.nr, latest.nr
    from unnest(${names}::text[], ${definitions}::text[]) e (entity, definition) cross join latest
    on conflict (entity) do update set definition = excluded.definition, until = excluded.until,
      since = case when k.definition is null then k.since else excluded.since end
    where k.definition is distinct from excluded.definition or k.until < excluded.until
    returning k.since = k.until and k.since > 0 as is_begun`.execute(trx);
  if (!rows.some(({ is_begun }) => is_begun)) return;
  // A reader at the preceding number is refused, one at this number continues.
  await sql`
    update replication_transaction set last_event = last_event + 2
    where nr = (select max(nr) from replication_transaction)`.execute(trx);
}

/** Call after a transaction was numbered in all entities. */
export async function passEntities(trx: Db, transaction: number): Promise<void> {
  const names = ENTITIES.map(({ name }) => name);
  await sql`
    update replication_entity set until = ${transaction}::integer
    where entity = any(${names}::text[])`.execute(trx);
}
