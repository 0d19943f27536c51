import { join } from 'node:path';
import { composeAccounts } from './accounts.ts';
import type { AccountParts, Mail } from './accounts.ts';
import { readPlans } from '../account/plans.ts';
import type { Config } from '../config.ts';
import type { Store } from '../db/connect.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Services } from '../http/services.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LastKnownFile } from '../kernel/last-known-file.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { DB_LIMITS } from '../db/limits.ts';
import type { StoreNames } from '../db/store-name.ts';
import { reachedAddress, serviceAddress } from '../kernel/service-address.ts';
import { troubleLog } from '../kernel/log.ts';
import type { Log } from '../kernel/log.ts';
import { within } from '../kernel/within.ts';
import type { SharedFiles } from '../snapshot-store/shared-files.ts';
import { composeMetering } from './metering.ts';
import type { Metering } from '../metering/metering.ts';

export interface ComposedAccess {
  readonly accounts: AccountParts;
  readonly metering: Metering;
  readonly edge: Pick<Services, 'access' | 'accounts' | 'isStoreUnavailable' | 'usage' | 'trial'>;
  canKnowCallers(): boolean;
  /** Call before the store closes, after the last answer. */
  stop(): Promise<void>;
}

interface AccessOptions {
  readonly config: Pick<
    Config,
    | ('dataDir' | 'databaseUrl' | 'plansFile' | 'mapsPerSecond' | 'openTrial' | 'retention')
    | ('mail' | 'accountRequests' | 'publicUrl' | 'host' | 'port')
  >;
  readonly store: Store;
  /** For what a request waits for. */
  readonly prompt: Store;
  readonly clock: Clock;
  readonly outages: StoreOutages;
  readonly migrated: Promise<void>;
  readonly storeNames: StoreNames;
  readonly log: Log;
  /** null: fronts share no files, or another thread does. */
  readonly shared: SharedFiles | null;
  readonly open?: boolean;
  readonly limiters?: Limiters;
  readonly thread?: number;
}

export async function composeAccess({
  config,
  store,
  prompt,
  clock,
  outages,
  migrated,
  storeNames,
  log,
  shared,
  open = false,
  limiters,
  thread,
}: AccessOptions): Promise<ComposedAccess> {
  const isStoreUnavailable = (): boolean => outages.isUnavailable;
  const last = lastKnownIn(config, storeNames, thread);
  const sharedLast = (last && shared?.lastKnown('keys.json', storeNames)) ?? undefined;
  const kept = { last: last?.('keys.json'), sharedLast };
  const mail = mailOf(config, { log, thread });
  const accounts = composeAccounts({
    ...{ store, prompt, clock, limiters, isStoreUnavailable, mail },
    ...kept,
  });
  const plans = readPlans(config.plansFile);
  const { dataDir, mapsPerSecond } = config;
  const trouble = troubleLog(log, 'metering');
  const common = { store, prompt, clock, plans, outages, migrated, limiters, thread };
  const metering = composeMetering({
    ...{ ...common, dataDir, mapsPerSecond, log: trouble },
    last: last?.('months.json'),
    kept: config.retention,
  });
  accounts.start();
  await metering.start();
  const known = outages.isUnavailable ? accounts.keys.recalled : accounts.keys.filled;
  await within(DB_LIMITS.storeConnectMs, known, () => undefined);
  return {
    accounts,
    metering,
    edge: {
      access: open ? null : { keys: accounts.keys, meter: metering.meter, plans },
      isStoreUnavailable,
      accounts: {
        ...{ ...accounts, isStoreUnavailable, plans, clock },
        accountRequests: config.accountRequests === 'on' ? accounts.accountRequests : null,
      },
      usage: metering.usage,
      trial: config.openTrial && !open ? accounts.trial : null,
    },
    canKnowCallers: () => open || accounts.keys.canKnowCallers,
    stop: async () => {
      await metering.stop();
      await accounts.stop();
    },
  };
}

function mailOf(
  config: Pick<Config, 'mail' | 'publicUrl' | 'host' | 'port' | 'dataDir'>,
  { log, thread = 0 }: { readonly log: Log; readonly thread: number | undefined },
): Mail | null {
  if (config.mail === null) return null;
  return {
    settings: config.mail,
    baseUrl: () => reachedAddress(config) ?? serviceAddress(config, config.port),
    trouble: (code) => log.error({ component: 'mail', code }, 'a letter was not sent'),
    tellsAlarms: thread === 0,
  };
}

/** For starts without a database. */
function lastKnownIn(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  storeNames: StoreNames,
  thread = 0,
): ((name: string) => LastKnownFile) | null {
  if (databaseUrl === null) return null;
  return (name) => ({ path: join(dataDir, 'last-known', name), storeNames, writes: thread === 0 });
}
