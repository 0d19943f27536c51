import { sql } from 'kysely';
import type { Db, Store, Trx } from '../db/connect.ts';
import { allRows, hasRow } from '../db/rows.ts';

export interface Member {
  readonly id: string;
  readonly place: string;
  readonly host: string;
}

export interface InstanceRow extends Member {
  readonly beat: number;
  readonly applied: number;
  readonly settled: boolean;
  /** null: its lease is running. */
  readonly endedMsAgo: number | null;
  readonly beatMsAgo: number;
}

const COLUMNS = sql`
  id, place, host, beat, applied_instances as applied, settled,
  (extract(epoch from clock_timestamp() - ended_at) * 1000)::float8 as "endedMsAgo",
  (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::float8 as "beatMsAgo"`;

/** Without dividing the bursts, its lease has ended: no share, but its grants count. */
export async function registerInstance(
  store: Pick<Store, 'db'>,
  member: Member,
  divides: boolean,
): Promise<void> {
  await sql`
    insert into usage_instance (id, place, host, ended_at)
    values (${member.id}, ${member.place}, ${member.host},
      case when ${divides}::boolean then null else to_timestamp(0) end)
    on conflict (id) do nothing`.execute(store.db);
}

/** For one that does not divide the bursts. False: unknown to the store. */
export async function writeBeatApart(store: Pick<Store, 'db'>, id: string): Promise<boolean> {
  return await hasRow(store.db)`
    update usage_instance set beat = beat + 1, heartbeat_at = clock_timestamp()
    where id = ${id} returning id`;
}

/** Serializes heartbeats. One that registers meanwhile has no share yet. */
export async function withInstances<T>(
  store: Pick<Store, 'db'>,
  work: (rows: readonly InstanceRow[], trx: Trx) => Promise<T>,
): Promise<T> {
  return await store.db.transaction().execute(async (trx) => {
    const { rows } =
      await sql<InstanceRow>`select ${COLUMNS} from usage_instance order by id for no key update`.execute(
        trx,
      );
    return await work(rows, trx);
  });
}

export async function readInstances(store: Pick<Store, 'db'>): Promise<readonly InstanceRow[]> {
  return await allRows<InstanceRow>(store.db)`select ${COLUMNS} from usage_instance`;
}

/** Also ends the leases of silent processes. */
export async function writeBeat(
  db: Db,
  beat: { readonly id: string; readonly applied: number; readonly silent: readonly string[] },
): Promise<void> {
  await sql`
    with silent as (
      update usage_instance set ended_at = clock_timestamp(), applied_instances = 0
      where id = any(${beat.silent}::text[])
    ), forgotten as (
      delete from usage_instance
      where settled and ended_at < clock_timestamp() - interval '2 minutes'
    )
    update usage_instance
    set beat = beat + 1, heartbeat_at = clock_timestamp(), ended_at = null,
      applied_instances = ${beat.applied}
    where id = ${beat.id}`.execute(db);
}

export async function endLeases(
  store: Pick<Store, 'db'>,
  instances: readonly string[],
): Promise<void> {
  await sql`
    update usage_instance set ended_at = clock_timestamp(), applied_instances = 0
    where id = any(${instances}::text[]) and ended_at is null`.execute(store.db);
}
