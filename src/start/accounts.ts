import type { Store } from '../db/connect.ts';
import { listen } from '../db/listen.ts';
import type { Listener } from '../db/listen.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LastKnownFile, SharedLastKnown } from '../kernel/last-known-file.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { DB_LIMITS } from '../db/limits.ts';
import { createAccounts } from '../account/accounts.ts';
import type { AccountDeps } from '../account/accounts.ts';
import { StoredKeyRing } from '../account/key-ring.ts';
import { readKeys, readRevision, readWorkingKeys, recordUse } from '../account/key-store.ts';
import { createKeys } from '../account/keys.ts';
import { createAlarms, tellAlarms } from '../account/alarms.ts';
import { composeLetters } from '../account/letters.ts';
import type { Letters, MailParts } from '../account/letters.ts';
import { createAccountRequests } from '../account/requests.ts';
import type { AccountRequests } from '../account/requests.ts';
import { ACCOUNT_LIMITS } from '../account/limits.ts';
import { monthOf } from '../metering/calendar.ts';
import type { KeyRing } from '../account/principal.ts';
import { createPersons } from '../account/persons.ts';
import { recordAct } from '../ops/operator-acts.ts';
import type { OperatorAct } from '../ops/operator-acts.ts';
import { createSessions } from '../account/sessions.ts';
import { createTrial } from '../account/trial.ts';
import type { Trial } from '../account/trial.ts';
import type { AccountServices } from '../http/services.ts';

/** Notified by migration 0008. */
const CHANNEL = 'geoopslag_accounts';

export interface AccountParts extends Pick<
  AccountServices,
  'keyAdmin' | 'accounts' | 'sessions' | 'persons' | 'recordAct' | 'letters' | 'alarms'
> {
  readonly keys: StoredKeyRing;
  readonly trial: Trial;
  readonly accountRequests: AccountRequests;
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
  mail = null,
}: {
  readonly store: Store;
  /** For what a request waits for; absent: the store. */
  readonly prompt?: Store;
  readonly clock: Clock;
  readonly limiters?: Limiters | undefined;
  readonly last?: LastKnownFile | undefined;
  readonly sharedLast?: SharedLastKnown | undefined;
  readonly isStoreUnavailable?: () => boolean;
  readonly mail?: Mail | null;
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
  const sessions = createSessions(deps);
  const post = mail && composeLetters({ store, clock, sessions }, mail);
  let alarms: NodeJS.Timeout | undefined;
  return {
    ...{ keys, sessions, letters: post?.letters ?? null },
    ...administration(store, deps, keys),
    start: () => {
      keys.start();
      if (store.kind === 'postgres') listener ??= listen(store, CHANNEL, () => keys.nudge());
      if (mail?.tellsAlarms === true && post !== null)
        alarms ??= alarmTimer(store, clock, post.letters);
    },
    stop: async () => {
      clearInterval(alarms);
      await post?.outbox.stop();
      await listener?.stop();
      await keys.stop();
    },
  };
}

function administration(store: Store, deps: AccountDeps, keys: KeyRing) {
  return {
    keyAdmin: createKeys(deps),
    accounts: createAccounts(deps),
    persons: createPersons(deps),
    recordAct: (act: OperatorAct) => recordAct(store, act),
    trial: createTrial(deps, keys),
    alarms: createAlarms(store),
    accountRequests: createAccountRequests(deps),
  };
}

export interface Mail extends MailParts {
  /** True in one thread of a process. */
  readonly tellsAlarms: boolean;
}

/** Retries an unavailable store at the next tick. */
function alarmTimer(store: Store, clock: Clock, letters: Letters): NodeJS.Timeout {
  const tell = () => {
    tellAlarms(store, letters, monthOf(clock.nowMs()).firstDay).catch(() => undefined);
  };
  return setInterval(tell, ACCOUNT_LIMITS.alarmMs).unref();
}
