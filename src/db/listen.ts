/** Notifications by PostgreSQL. The embedded store has none. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DB_LIMITS } from './limits.ts';
import type { Store } from './connect.ts';

export interface Listener {
  stop(): Promise<void>;
}

/** Called with the payload; empty: something may have changed. */
type OnChange = (text: string) => void;

/**
 * Calls back at every notification on a channel, and whenever listening restarts. A server may vanish
 * silently: also check periodically.
 */
export function listen(
  { pool }: Pick<Store, 'pool'>,
  channel: string,
  onChange: OnChange,
): Listener {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    while (!signal.aborted) {
      await listenOnce(pool, { channel, onChange, signal }).catch(() => undefined);
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

async function listenOnce(pool: pg.Pool, { channel, onChange, signal }: Listening): Promise<void> {
  // Not copied: the pool's password is not enumerable.
  const Client = (pool.options.Client ?? pg.Client) as typeof pg.Client;
  const client = new Client(pool.options);
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  client.on('error', () => end(undefined));
  client.on('end', () => end(undefined));
  client.on('notification', ({ payload }) => onChange(payload ?? ''));
  const giveUp = () => end(undefined);
  signal.addEventListener('abort', giveUp);
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onChange('');
    if (!signal.aborted) await ended;
  } finally {
    signal.removeEventListener('abort', giveUp);
    await client.end().catch(() => undefined);
  }
}
