/** A table of addresses whose publications go to the log of changes, as a total makes them. */
import { sql } from 'kysely';
import type { ChangeSource } from '../src/changes/source.ts';
import type { Store } from '../src/db/connect.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../src/registers.ts';
import { logChanges } from '../sync/changes.ts';
import { openStep } from '../sync/history.ts';
import { advance, queueUp } from '../sync/version.ts';

export const ROWS = 200_000;
/** One in so many rows changes. */
const SHARE = 20;

export function sourceOf({ db }: Pick<Store, 'db'>): ChangeSource {
  const { schema } = REGISTERS_CATALOGUE.registers[ADDRESSES];
  return { db, schemas: new Map([[ADDRESSES, schema]]), naming: 'told' };
}

export async function fillAddresses({ db }: Store, count: number): Promise<void> {
  await sql`
    insert into address_unit (id, status, access_id, floor, door, designation, registered_from, valid_from)
    select md5('u' || n)::uuid, 3, md5('a' || n / 4)::uuid, (n % 5)::text, 'tv',
      'Opdigtergade ' || n / 4 || ', ' || n % 5 || '. tv, 0093 Midtprøve', now(), now()
    from generate_series(1, ${count}::integer) n`.execute(db);
  await db.transaction().execute((trx) => stepTo(trx, true, null));
  await sql`analyze`.execute(db);
}

const counted = sql`select count(*)::integer as row_count, 0 as area_m2 from address_unit`;

async function stepTo(trx: Store['db'], isLogged: boolean, step: number | null): Promise<void> {
  const nowMs = Date.now();
  const publication = await advance(trx, ADDRESSES, {
    ...{ nowMs, syncedAtMs: nowMs, heldBy: null, sourceRows: null, counted },
  });
  const register = REGISTERS_CATALOGUE.registers[ADDRESSES];
  if (isLogged) await logChanges(trx, { publication, step, nowMs, register });
}

/** As a total does it: a new table, what it replaces, and one transaction. Milliseconds. */
export async function publish(
  { db }: Pick<Store, 'db'>,
  round: number,
  { isLogged = true, share = SHARE }: { readonly isLogged?: boolean; readonly share?: number } = {},
): Promise<number> {
  const beganMs = performance.now();
  const door = `${isLogged ? 'l' : 'u'}${round}`;
  // Of one that was cut off.
  await sql`drop table if exists next, undo`.execute(db);
  await sql`create table next (like address_unit including constraints)`.execute(db);
  await sql`
    insert into next select * from address_unit`.execute(db);
  await sql`
    update next set door = ${door} where hashtext(id::text) % ${share}::integer = 0`.execute(db);
  await sql`alter table next add primary key (id)`.execute(db);
  await sql`create index next_access on next (access_id)`.execute(db);
  await sql`
    create table undo as select n.id, l::text as was from address_unit l join next n on n.id = l.id
    where row(l.*) is distinct from row(n.*)`.execute(db);
  await db.transaction().execute(async (trx) => {
    await queueUp(trx);
    const step = await openStep(trx, ADDRESSES);
    await sql`
      insert into address_history (version, entity, id, was)
      select ${step}::bigint, 'Adresse', id::text, was from undo`.execute(trx);
    await sql`drop table address_unit`.execute(trx);
    await sql`alter table next rename to address_unit`.execute(trx);
    await sql`alter index next_pkey rename to address_unit_pkey`.execute(trx);
    await sql`alter index next_access rename to address_unit_access`.execute(trx);
    await stepTo(trx, isLogged, step);
  });
  await sql`drop table undo`.execute(db);
  return performance.now() - beganMs;
}
