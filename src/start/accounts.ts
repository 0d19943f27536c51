import type { Store } from '../db/connect.ts';
import { listen } from '../db/listen.ts';
import type { Listener } from '../db/listen.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LastKnownFile, SharedLastKnown } from '../kernel/last-known-file.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { DB_LIMITS } from '../db/limits.ts';
import { createAccounts } from '../account/accounts.ts';
import type { Accounts } from '../account/accounts.ts';
import { StoredKeyRing } from '../account/key-ring.ts';
import { readKeys, readRevision, readWorkingKeys, recordUse } from '../account/key-store.ts';
import { createKeys } from '../account/keys.ts';
import type { Keys } from '../account/keys.ts';
import { createSessions } from '../account/sessions.ts';
import type { Sessions } from '../account/sessions.ts';
import { createTrial } from '../account/trial.ts';
import type { Trial } from '../account/trial.ts';

/** Notified by migration 0008. */
const CHANNEL = 'geoopslag_accounts';

export interface AccountParts {
  /** Secrets to principals. */
  readonly keys: StoredKeyRing;
  readonly keyAdmin: Keys;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly trial: Trial;
  start(): void;
  /** Writes pending changes. Call before the store closes. */
  stop(): Promise<void>;
}

export function composeAccounts({
  store,
  prompt = store,
  clock,
  limiters,
  last,
  sharedLast,
  isStoreUnavailable,
}: {
  readonly store: Store;
  /** For what a request waits for; absent: the store. */
  readonly prompt?: Store;
  readonly clock: Clock;
  readonly limiters?: Limiters | undefined;
  readonly last?: LastKnownFile | undefined;
  readonly sharedLast?: SharedLastKnown | undefined;
  readonly isStoreUnavailable?: () => boolean;
}): AccountParts {
  const keys = new StoredKeyRing({
    readWorkingKeys: (most) => readWorkingKeys(store, { nowMs: clock.nowMs(), most }),
    readKeys: (digests) => readKeys(prompt, digests),
    readRevision: () => readRevision(store),
    recordUse: (uses) => recordUse(store, uses),
    clock,
    pollMs: DB_LIMITS.accountPollMs[store.kind],
    limiters,
    ...{ last, sharedLast, isStoreUnavailable },
  });
  const deps = {
    store,
    clock,
    onChange: (...change: Parameters<StoredKeyRing['changed']>) => keys.changed(...change),
  };
  let listener: Listener | null = null;
  return {
    keys,
    keyAdmin: createKeys(deps),
    accounts: createAccounts(deps),
    sessions: createSessions(deps),
    trial: createTrial(deps),
    start: () => {
      keys.start();
      if (store.kind === 'postgres') listener ??= listen(store, CHANNEL, () => keys.nudge());
    },
    stop: async () => {
      await listener?.stop();
      await keys.stop();
    },
  };
}
