import { sql } from 'kysely';
import { firstValue } from './rows.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { LIMITS } from '../kernel/limits.ts';
import { SERVER_MS } from './connect.ts';
import type { Store } from './connect.ts';

/**
 * Times are stored by the database's clock; a trial's clock stays. Logs a difference past
 * `LIMITS.clockDifferenceMs`. Throws when the store does.
 */
export async function storeClock(
  { db }: Pick<Store, 'db'>,
  { clock, log }: { readonly clock: Clock; readonly log?: Log },
): Promise<Clock> {
  if (clock !== systemClock) return clock;
  const ms = await firstValue(db, NaN)`
    select ${sql.raw(SERVER_MS)} as ms`;
  const aheadMs = clock.nowMs() - ms;
  if (Number.isNaN(aheadMs)) return clock;
  if (Math.abs(aheadMs) > LIMITS.clockDifferenceMs) {
    log?.error({ aheadMs }, "this machine's clock is not the database's; its time is used");
  }
  return { nowMs: () => Math.round(clock.nowMs() - aheadMs) };
}

/** As `storeClock`, by the last probe. */
export function probedClock(store: Pick<Store, 'serverMs'>, clock: Clock): Clock {
  if (clock !== systemClock) return clock;
  return { nowMs: () => store.serverMs() ?? clock.nowMs() };
}
