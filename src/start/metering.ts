import { randomBytes } from 'node:crypto';
import type { Plans } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import { NO_OUTAGES } from '../db/store-watch.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Clock } from '../kernel/clock.ts';
import { localLimiters } from '../kernel/limiters.ts';
import type { LastKnownFile } from '../kernel/last-known-file.ts';
import type { Limiters } from '../kernel/limiters.ts';
import type { RetentionDays } from '../kernel/retention.ts';
import { LIMITS } from '../kernel/limits.ts';
import { METERING_LIMITS } from '../metering/limits.ts';
import { Instances } from '../metering/instances.ts';
import { journalDirectory } from '../metering/journal.ts';
import { Trouble } from '../metering/log.ts';
import type { MeterLog } from '../metering/log.ts';
import { AccountMeter } from '../metering/meter.ts';
import { MeteringProcess } from '../metering/metering.ts';
import type { Metering } from '../metering/metering.ts';
import { Months } from '../metering/months.ts';
import { hostOf, nodeIdOf } from '../metering/node-id.ts';
import { Quota } from '../metering/quota.ts';
import { acquireGrant, readMonths, writeGrants } from '../metering/store-grants.ts';
import { usageLedger } from '../metering/usage.ts';
import { UsageFlusher } from '../metering/usage-flusher.ts';

export interface MeteringOptions {
  readonly store: Pick<Store, 'db'>;
  /** For what a request waits for; absent: the store. */
  readonly prompt?: Pick<Store, 'db'>;
  /** Must be local to the machine. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly plans: Plans;
  readonly log: MeterLog;
  /** Resolves when the store has its tables; absent: it has them. */
  readonly migrated?: Promise<unknown>;
  /** Absent: not watched, and what it does not grant is refused. */
  readonly outages?: StoreOutages;
  /** Per key and per client address; absent: default. */
  readonly mapsPerSecond?: number;
  /** Absent: unlimited. */
  readonly kept?: Pick<RetentionDays, 'usage_line' | 'usage_day'>;
  /** For tests. */
  readonly monotonicMs?: () => number;
  readonly limiters?: Limiters | undefined;
  /** The first thread divides the bursts with other processes. */
  readonly thread?: number | undefined;
  /** Months kept for a start without the store; absent: none. */
  readonly last?: LastKnownFile | undefined;
}

export function composeMetering(options: MeteringOptions): Metering {
  const { store, plans, clock, log, migrated, outages = NO_OUTAGES } = options;
  const { prompt = store } = options;
  const { limiters = localLimiters(), thread = 0 } = options;
  const { monotonicMs = limiters.monotonicMs } = options;
  const { mapsPerSecond = LIMITS.kort.perSecond.default } = options;
  const directory = journalDirectory(options.dataDir);
  const id = randomBytes(8).toString('hex');
  const member = { id, place: nodeIdOf(directory), host: hostOf() };
  const instances = new Instances({
    ...{ store, member, monotonicMs },
    board: limiters.share,
    divides: thread === 0,
  });
  const months = new Months({
    read: (month, most) => readMonths(store, id, { month, most }),
    monotonicMs,
    most: METERING_LIMITS.monthsRead,
  });
  const troubles = troublesIn(log);
  const flusher = new UsageFlusher({ store, directory, plans, clock, log });
  const { last } = options;
  const common = { store, clock, log, monotonicMs, outages, directory, member, migrated, last };
  const running = new MeteringProcess({ ...common, instances, flusher, months, troubles });
  const quota = new Quota({
    source: {
      acquire: async (question) => {
        await running.register();
        return await acquireGrant(prompt, id, question);
      },
      write: (states) => writeGrants(store, id, states),
    },
    outages,
    months,
    monotonicMs,
    onTrouble: (error) => running.tell('grant', error),
    onAnswer: () => troubles.grant.ends(),
  });
  const meter = new AccountMeter({
    plans,
    clock,
    monotonicMs,
    quota,
    outages,
    mapsPerSecond,
    journal: running,
    limiters,
  });
  return {
    meter,
    usage: usageLedger(store, { clock, days: options.kept }),
    start: () => running.start(meter),
    stop: () => running.stop(),
    fold: () => running.fold(),
    view: () => running.view(),
  };
}

function troublesIn(log: MeterLog) {
  return {
    beat: new Trouble(log, 'usage: processes cannot divide the limits anew'),
    fold: new Trouble(log, 'usage: units wait in the journal'),
    grant: new Trouble(log, 'usage: the store grants no units'),
    months: new Trouble(log, 'usage: what is left of the month is not read'),
    journal: new Trouble(log, 'usage: the journal cannot be written, answers are refused'),
    tidy: new Trouble(log, 'usage: units that are not needed are not given back'),
    stop: new Trouble(log, 'usage: the next start here folds what is left in the journal'),
  };
}
