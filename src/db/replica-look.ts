import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openReplicaPools } from './connect.ts';
import type { StoreOptions } from './connect.ts';
import { DB_LIMITS } from './limits.ts';
import { hasReached } from './replica-lag.ts';
import type { LogPlace } from './replica-lag.ts';

/** Position in the log, bytes: replayed by a replica, written by a primary. */
const PLACE_IN_LOG = `pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_lsn() end, '0/0')::bigint as at,
  (select system_identifier from pg_control_system()) || current_database() as database`;

export interface ReplicaFound {
  readonly isReplica: boolean;
  /** null: longer than the limit. */
  readonly lagMs: number | null;
}

/** Waits at most the allowed lag. Rejects where a server does not answer. */
export async function lookAtReplica({
  url,
  primary,
  limitMs,
  log,
}: {
  readonly url: string;
  readonly primary: pg.Pool;
  readonly limitMs: number;
  readonly log: StoreOptions['log'];
}): Promise<ReplicaFound> {
  const { reads, looks } = openReplicaPools(url, log);
  try {
    const { rows } = await looks.query<{ is: boolean }>('select pg_is_in_recovery() as "is"');
    const isReplica = rows[0]?.is === true;
    const startMs = performance.now();
    const wanted = await logPlaceOf(primary);
    for (;;) {
      const lagMs = performance.now() - startMs;
      if (hasReached(await logPlaceOf(looks), wanted)) return { isReplica, lagMs };
      if (lagMs > limitMs) return { isReplica, lagMs: null };
      await sleep(DB_LIMITS.replicaLookEveryMs / 5);
    }
  } finally {
    await Promise.all([reads.end(), looks.end()]);
  }
}

/** `generation`: its statement. */
export async function logPlaceOf(pool: pg.Pool, generation = '0'): Promise<LogPlace> {
  const text = `select (${generation})::bigint as generation, ${PLACE_IN_LOG}`;
  const { rows } = await pool.query<LogPlace>(text);
  return rows[0] ?? { at: 0, generation: 0, database: '' };
}
