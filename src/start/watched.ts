import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openStore } from '../db/connect.ts';
import type { Store } from '../db/connect.ts';
import { DB_LIMITS } from '../db/limits.ts';
import { promptly } from '../db/prompt.ts';
import { StoreWatch } from '../db/store-watch.ts';
import { troubleLog } from '../kernel/log.ts';
import type { ThreadRole } from './thread-role.ts';

interface WatchedOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  readonly log: Logger;
  readonly role: ThreadRole;
  readonly missing: () => readonly string[];
}

/** The store, and the same for what a client waits for. The first thread tells of an outage for all. */
export async function openWatched(
  { config, log, role, missing }: WatchedOptions,
  closing: (() => Promise<unknown>)[],
): Promise<{ readonly store: Store; readonly watch: StoreWatch; readonly prompt: Store }> {
  const { error } = troubleLog(log, 'store');
  const store = await openStore({
    ...{ ...config, purpose: 'lookups', log: { error } },
    ...(role.kind === 'other' && { maxConnections: DB_LIMITS.storeConnectionsOfOthers }),
  });
  const told = role.kind === 'first' ? error : () => undefined;
  const watch = new StoreWatch({ store, log: told, missing });
  closing.push(
    () => store.close(),
    () => watch.stop(),
  );
  return { store, watch, prompt: promptly(store, watch) };
}
