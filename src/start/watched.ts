import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openStore } from '../db/connect.ts';
import type { Store } from '../db/connect.ts';
import { DB_LIMITS } from '../db/limits.ts';
import { promptly } from '../db/prompt.ts';
import { probedClock } from '../db/store-clock.ts';
import { storeNamesOf } from '../db/store-name.ts';
import type { StoreNames } from '../db/store-name.ts';
import { StoreWatch } from '../db/store-watch.ts';
import type { Clock } from '../kernel/clock.ts';
import { troubleLog } from '../kernel/log.ts';
import type { TroubleLog } from '../kernel/log.ts';
import { within } from '../kernel/within.ts';
import type { ThreadRole } from './thread-role.ts';

interface WatchedOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly role: ThreadRole;
  readonly missing: () => readonly string[];
}

const SILENT: TroubleLog = { error: () => undefined, warn: () => undefined };

export interface Watched {
  /** The database's (D269). */
  readonly clock: Clock;
  readonly store: Store;
  readonly watch: StoreWatch;
  readonly prompt: Store;
}

/** Only the first thread logs outages. */
export async function openWatched(
  { config, clock, log, role, missing }: WatchedOptions,
  closing: (() => Promise<unknown>)[],
): Promise<Watched> {
  const trouble = troubleLog(log, 'store');
  const store = await openStore({
    ...{ ...config, purpose: 'lookups', log: trouble },
    ...(role.kind === 'other' && { maxConnections: DB_LIMITS.storeConnectionsOfOthers }),
  });
  const told = role.kind === 'first' ? trouble : SILENT;
  const watch = new StoreWatch({ store, log: told, missing });
  closing.push(
    () => store.close(),
    () => watch.stop(),
  );
  return { clock: probedClock(store, clock), store, watch, prompt: promptly(store, watch) };
}

/** Its tables appear soon, unless the server is unavailable. */
export async function nameStore(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { store, watch, migrated }: Pick<Watched, 'store' | 'watch'> & { migrated: Promise<void> },
): Promise<StoreNames> {
  const ended = migrated.catch(() => undefined);
  if (!watch.isUnavailable) await within(DB_LIMITS.storeConnectMs, ended, () => undefined);
  const isAway = watch.isUnavailable;
  return await storeNamesOf(config.databaseUrl, { ...config, store, isAway });
}
