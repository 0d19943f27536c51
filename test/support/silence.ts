import { LIMITS } from '../../src/kernel/limits.ts';
import type { Store } from '../../src/db/connect.ts';

/** What a process that died a while ago leaves: no heartbeat for longer than a living one is silent. */
export async function silence({ pool }: Pick<Store, 'pool'>): Promise<void> {
  await pool.query(
    `update sync_run set heartbeat_at = heartbeat_at - $1 * interval '1 ms' where state = 'running'`,
    [LIMITS.syncDeadAfterMs + 1_000],
  );
}
