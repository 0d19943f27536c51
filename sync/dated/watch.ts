/**
 * Requests a run the moment a date comes. Polls instead of sleeping, so a changed clock is
 * followed.
 */
import type { Store } from '../../src/db/connect.ts';
import { allRows } from '../../src/db/rows.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Log } from '../../src/kernel/log.ts';

export interface DateWatch {
  /** Rereads what is to come. Never rejects. */
  look(): Promise<void>;
  stop(): void;
}

interface NextChange {
  readonly layer: LayerId;
  readonly atMs: number;
  /** The source was asked since, or a guard refused: `due.ts` then decides when to ask again. */
  readonly tried: boolean;
}

export interface DateWatchDeps {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDue: (layer: LayerId) => void;
}

/** Call `look` at once, and whenever a layer may have news. */
export function watchDates({ store, clock, log, onDue }: DateWatchDeps): DateWatch {
  let next: readonly NextChange[] = [];
  const askedAtMs = new Map<LayerId, number>();
  const look = async (): Promise<void> => {
    try {
      next = await readNext(store.db);
    } catch (error) {
      if (!isServerUnavailable(error))
        log.warn({ err: error }, 'the changes to come could not be read');
    }
  };
  /** It may have been carried out meanwhile, here or elsewhere. */
  const askAgain = async (layer: LayerId): Promise<void> => {
    await look();
    if (next.some((change) => change.layer === layer && isDue(change))) onDue(layer);
  };
  const isDue = ({ atMs, tried }: NextChange) => !tried && atMs <= clock.nowMs();
  const timer = setInterval(() => {
    for (const { layer } of next.filter(isDue)) {
      // By the monotonic clock, because ours may be changed.
      const askedMs = askedAtMs.get(layer) ?? null;
      const sinceMs = performance.now() - (askedMs ?? -Infinity);
      if (sinceMs < LIMITS.datedRetryMs) continue;
      askedAtMs.set(layer, performance.now());
      if (askedMs === null) onDue(layer);
      else void askAgain(layer);
    }
  }, LIMITS.datedTickMs);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

async function readNext(db: Store['db']): Promise<readonly NextChange[]> {
  return await allRows<NextChange>(db)`
    select s.layer, (extract(epoch from s.outdated_at) * 1000)::float8 as "atMs",
      exists (select from sync_run r
        where r.layer = s.layer and r.started_at >= s.outdated_at
          and (r.state = 'refused' or (r.kind = 'sync' and r.state <> 'running'))) as tried
    from layer_state s where s.outdated_at is not null and s.held_since is null`;
}
