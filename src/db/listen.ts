import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import type { Store } from './connect.ts';
import { alone } from './store-client.ts';

export interface Listener {
  stop(): Promise<void>;
}

/** An empty payload: something may have changed. */
type OnChange = (text: string) => void;

/**
 * Calls back at every notification and whenever listening restarts. A server may vanish silently:
 * also poll.
 */
export function listen(
  { pool }: Pick<Store, 'pool'>,
  channel: string,
  onChange: OnChange,
): Listener {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    for (let isHeard = true; isHeard && !signal.aborted;) {
      isHeard = await listenOnce(pool, { channel, onChange, signal }).catch(() => true);
      await sleep(DB_LIMITS.accountListenRetryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

interface Listening {
  readonly channel: string;
  readonly onChange: OnChange;
  readonly signal: AbortSignal;
}

/** false: only polling is possible, as on the embedded store and through a pooler. */
async function listenOnce(
  pool: pg.Pool,
  { channel, onChange, signal }: Listening,
): Promise<boolean> {
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const giveUp = () => end(undefined);
  signal.addEventListener('abort', giveUp);
  try {
    return await alone(pool, async (client) => {
      if (client.isPooled) return false;
      client.on('error', giveUp);
      client.on('end', giveUp);
      client.on('notification', ({ payload }) => onChange(payload ?? ''));
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onChange('');
      if (!signal.aborted) await ended;
      return true;
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
