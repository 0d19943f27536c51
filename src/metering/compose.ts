/** Puts metering together: meter, journal, folding, grants and the processes that share limits. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plans } from '../account/plans.ts';
import { isServerAway } from '../kernel/server-away.ts';
import type { Store } from '../db/connect.ts';
import { NO_OUTAGES } from '../db/store-watch.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import { nextTurn } from '../kernel/turns.ts';
import { endLiveness, probeLiveness, announceLiveness } from './liveness.ts';
import type { Liveness } from './liveness.ts';
import { monthOf } from './calendar.ts';
import { UsageFlusher } from './usage-flusher.ts';
import { Instances } from './instances.ts';
import { Journal, journalDirectory } from './journal.ts';
import type { Entry } from './journal.ts';
import { Trouble } from './log.ts';
import type { MeterLog } from './log.ts';
import { createMeter } from './meter.ts';
import type { MeterBook } from './meter.ts';
import { Months } from './months.ts';
import { hostOf, nodeIdOf } from './node-id.ts';
import { Quota } from './quota.ts';
import { acquireGrant, readMonths, releaseGrants, writeGrants } from './store-grants.ts';
import { endLeases, readInstances } from './store-instances.ts';
import type { InstanceRow, Member } from './store-instances.ts';
import type { Meter } from './meter-types.ts';
import { usageBook } from './usage.ts';
import type { UsageBook } from './usage.ts';

export interface MeteringOptions {
  readonly store: Pick<Store, 'db'>;
  /** Journals lie in its folder `usage`. A local directory: not shared between machines. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly plans: Plans;
  readonly log: MeterLog;
  /** Resolves when the store has its tables: nothing is asked of it before. Absent: it has them. */
  readonly migrated?: Promise<unknown>;
  /** Absent: nobody watches over the store, and what it does not grant is refused. */
  readonly outages?: StoreOutages;
  /** Milliseconds that never go back; tests turn it. */
  readonly monotonicMs?: () => number;
}

export interface Metering {
  readonly meter: Meter;
  /**
   * Opens the journal, takes up what dead processes left here, and waits a little for a share of the
   * bursts. Rejects only where the directory takes no journal or no socket; a store that is away is
   * waited for in the background.
   */
  start(): Promise<void>;
  /**
   * Call it when the last answer has left: folds the journal and gives everything back. What the store
   * cannot take now, the next start here does.
   */
  stop(): Promise<void>;
  /** What accounts used, as far as folded. */
  readonly usage: UsageBook;
  /** Folds what is in the journal now, and no later. Rejects when the store does. */
  fold(): Promise<void>;
  /** How it goes, for operators. */
  view(): MeteringView;
}

/** What is done again and again. */
type Work = 'beat' | 'fold' | 'months' | 'tidy';

export interface MeteringView {
  /** Seconds since everything that was in the journal was in the store; null: not yet. */
  readonly foldAgeS: number | null;
  /** Bytes of journal files that are not wholly folded. */
  readonly journalBytes: number;
  /** Share of every burst limit that this process may use: 0 to 1. */
  readonly burstShare: number;
  /** Accounts it counts for. */
  readonly accounts: number;
}

export function composeMetering(options: MeteringOptions): Metering {
  return new Keeper(options);
}

class Keeper implements Metering {
  readonly meter: MeterBook;
  readonly usage: UsageBook;
  readonly #options: MeteringOptions;
  readonly #directory: string;
  readonly #monotonicMs: () => number;
  readonly #member: Member;
  readonly #instances: Instances;
  readonly #folder: UsageFlusher;
  readonly #months: Months;
  readonly #outages: StoreOutages;
  readonly #troubles: Readonly<Record<Work | 'grant' | 'journal' | 'stop', Trouble>>;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];
  #hasTables: boolean;
  #journal: Journal | null = null;
  #life: Liveness | null = null;
  #folding: Promise<void> = Promise.resolve();
  #foldedAtMs: number | null = null;
  /** Outages there had been when the months were read last. */
  #monthsReadAfter = 0;

  constructor(options: MeteringOptions) {
    this.#options = options;
    const { store, plans, clock, log, outages = NO_OUTAGES } = options;
    this.#outages = outages;
    this.#hasTables = options.migrated === undefined;
    options.migrated?.then(
      () => (this.#hasTables = true),
      () => undefined,
    );
    this.usage = usageBook(store);
    this.#directory = journalDirectory(options.dataDir);
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    const id = newInstanceId();
    this.#member = { id, place: nodeIdOf(this.#directory), host: hostOf() };
    this.#instances = new Instances({
      store,
      member: this.#member,
      monotonicMs: this.#monotonicMs,
    });
    this.#folder = new UsageFlusher({ store, directory: this.#directory, plans, clock, log });
    this.#troubles = {
      beat: new Trouble(log, 'usage: processes cannot divide the limits anew'),
      fold: new Trouble(log, 'usage: units wait in the journal'),
      grant: new Trouble(log, 'usage: the store grants no units'),
      months: new Trouble(log, 'usage: what is left of the month is not read'),
      journal: new Trouble(log, 'usage: the journal cannot be written, answers are refused'),
      tidy: new Trouble(log, 'usage: units that are not needed are not given back'),
      stop: new Trouble(log, 'usage: the next start here folds what is left in the journal'),
    };
    this.#months = new Months({
      read: (month, most) => readMonths(store, id, { month, most }),
      monotonicMs: this.#monotonicMs,
      most: LIMITS.monthsRead,
    });
    const quota = new Quota({
      source: {
        acquire: async (question) => {
          // On record only once it shows that it lives: else others would take it for dead.
          if (this.#life === null) throw new Error('Metering has not started.');
          if (!this.#instances.isRegistered) await this.#instances.beat();
          return await acquireGrant(store, id, question);
        },
        write: (states) => writeGrants(store, id, states),
      },
      outages,
      months: this.#months,
      monotonicMs: this.#monotonicMs,
      onTrouble: (error) => this.#tell('grant', error),
      onAnswer: () => this.#troubles.grant.ends(),
    });
    this.meter = createMeter({
      plans,
      clock,
      monotonicMs: this.#monotonicMs,
      quota,
      outages,
      share: () => this.#instances.share,
      record: (entries) => this.#record(entries),
    });
  }

  #record(entries: readonly Entry[]): void {
    if (this.#journal === null) throw new Error('Metering has not started.');
    try {
      this.#journal.append(...entries);
    } catch (error) {
      if (!this.#isStopping) this.#troubles.journal.begins(error);
      throw error;
    }
    this.#troubles.journal.ends();
  }

  async start(): Promise<void> {
    this.#journal = new Journal({
      directory: this.#directory,
      instance: this.#member.id,
      log: this.#options.log,
    });
    this.#life = await announceLiveness(this.#directory, this.#member.id);
    // While the store is away there is nobody to share with: the loops go on trying.
    if (!this.#outages.isAway && this.#hasTables) await this.#attempt('beat', () => this.#join());
    await this.#attempt('months', () => this.#readMonths());
    this.#loops.push(
      this.#loop('beat', LIMITS.meterBeatMs, () => this.#instances.beat()),
      this.#loop('fold', LIMITS.usageFoldMs, () => this.fold()),
      this.#loop('months', LIMITS.usageTidyMs, () => this.#readMonths()),
      this.#loop('tidy', LIMITS.usageTidyMs, () => this.#tidy()),
    );
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#journal?.close();
    const deadline = sleep(LIMITS.meterStopMs, undefined, { ref: false });
    const leaving = Promise.all(this.#loops).then(() => this.#leave());
    leaving.catch((error: unknown) => this.#troubles.stop.begins(error));
    await Promise.race([leaving.catch(() => undefined), deadline]);
    await this.#life?.close();
  }

  async fold(): Promise<void> {
    if (await this.#foldOwn()) this.#foldedAtMs = this.#monotonicMs();
  }

  view(): MeteringView {
    const segments = this.#journal?.segments ?? [];
    return {
      foldAgeS: this.#foldedAtMs === null ? null : (this.#monotonicMs() - this.#foldedAtMs) / 1_000,
      journalBytes: segments.reduce((sum, { size }) => sum + size, 0),
      burstShare: this.#instances.share.fraction,
      accounts: this.meter.accounts,
    };
  }

  /** One at a time. True: all that was in the journal when its turn came is in the store. */
  #foldOwn(): Promise<boolean> {
    const next = this.#folding.then(
      async () =>
        this.#journal === null || (await this.#folder.foldOwn(this.#journal, this.#member.id)),
    );
    this.#folding = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  }

  /** Until this process has its share, or it has taken too long. */
  async #join(): Promise<void> {
    const { signal } = this.#stopping;
    const deadline = performance.now() + LIMITS.meterJoinMs;
    await this.#endDead();
    this.#sayWhatIsForeign(await readInstances(this.#options.store));
    for (;;) {
      await this.#instances.beat();
      const { fraction, sinceMs } = this.#instances.share;
      // A moment for the first tokens, so that the first request is not refused.
      const filling = this.#monotonicMs() - sinceMs < LIMITS.meterJoinFillMs;
      if ((fraction > 0 && !filling) || performance.now() > deadline) return;
      await sleep(LIMITS.meterJoinPollMs, undefined, { signal });
    }
  }

  /** Now and then, and as soon as the store is back. */
  async #readMonths(): Promise<void> {
    const { isAway, count } = this.#outages;
    const isLate = this.#months.ageMs >= LIMITS.monthsReadMs || count !== this.#monthsReadAfter;
    if (isAway || !isLate || !this.#hasTables) return;
    await this.#months.refresh(monthOf(this.#options.clock.nowMs()).firstDay);
    this.#monthsReadAfter = count;
  }

  async #tidy(): Promise<void> {
    this.#journal?.roll();
    await this.meter.tidy();
    await this.#takeUpLeft();
  }

  async #leave(): Promise<void> {
    if (!this.#instances.isRegistered) return;
    // Settled is said of a journal that is wholly in the store, or nobody would look into it again.
    while (!(await this.#foldOwn())) await nextTurn();
    await this.meter.giveBackAll();
    await releaseGrants(this.#options.store, this.#member.id);
  }

  /** Processes of this directory that are gone for certain have no share any more. */
  async #endDead(): Promise<readonly InstanceRow[]> {
    const { place, id } = this.#member;
    const rows = await readInstances(this.#options.store);
    // Whatever its name was when a process wrote here: what lies here is nobody else's to take up.
    const left = this.#folder.instances();
    const dead: InstanceRow[] = [];
    for (const row of rows) {
      if (row.id === id || row.settled || (row.place !== place && !left.has(row.id))) continue;
      if (await this.#isDead(row)) dead.push(row);
    }
    const ending = dead.filter(({ endedMsAgo }) => endedMsAgo === null).map((row) => row.id);
    if (ending.length > 0) await endLeases(this.#options.store, ending);
    return dead;
  }

  async #isDead({ id, host, beatMsAgo }: InstanceRow): Promise<boolean> {
    // After a boot, or on another machine against all advice, the socket alone does not prove it.
    if (host !== this.#member.host && beatMsAgo < LIMITS.meterDeadAfterMs) return false;
    return (await probeLiveness(this.#directory, id)) === 'dead';
  }

  /** Journals of processes this store has never known are another store's: they are left alone. */
  #sayWhatIsForeign(rows: readonly InstanceRow[]): void {
    const known = new Set([this.#member.id, ...rows.map(({ id }) => id)]);
    const foreign = [...this.#folder.instances()].filter((id) => !known.has(id));
    if (foreign.length === 0) return;
    this.#options.log.error(
      `usage: journals of ${foreign.join(', ')} in ${this.#directory} belong to another database; ` +
        'start on that one to have them counted',
    );
  }

  /** Folds what dead processes left; then their grants are free. */
  async #takeUpLeft(): Promise<void> {
    for (const { id } of await this.#endDead()) {
      if (!(await this.#folder.foldLeft(id))) continue;
      await releaseGrants(this.#options.store, id);
      endLiveness(this.#directory, id);
    }
  }

  async #loop(name: Work, everyMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (this.#isStopping) return;
      if (this.#hasTables) await this.#attempt(name, work);
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Never rejects: what failed is tried again later, and said once. */
  async #attempt(name: Work, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#troubles[name].ends();
    } catch (error) {
      if (!this.#isStopping) this.#tell(name, error);
    }
  }

  /** An outage of the store has lines in the log of its own. */
  #tell(what: Work | 'grant', error: unknown): void {
    this.#outages.failed(error);
    if (!this.#outages.isAway || !isServerAway(error)) this.#troubles[what].begins(error);
  }
}

function newInstanceId(): string {
  return randomBytes(8).toString('hex');
}
