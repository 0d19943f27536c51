/**
 * Metering beside the requests, as a process does it: the journal that answers are written to, and what
 * is done again and again. The bursts are divided, the journal is folded, the months are read, and what
 * dead processes left is taken up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import type { Store } from '../db/connect.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Clock } from '../kernel/clock.ts';
import { METERING_LIMITS } from './limits.ts';
import { nextTurn } from '../kernel/turns.ts';
import { endLiveness, probeLiveness, announceLiveness } from './liveness.ts';
import type { Liveness } from './liveness.ts';
import { monthOf } from './calendar.ts';
import type { UsageFlusher } from './usage-flusher.ts';
import type { Instances } from './instances.ts';
import { Journal } from './journal.ts';
import type { Entry } from './journal.ts';
import type { MeterLog, Trouble } from './log.ts';
import type { AccountMeter } from './meter.ts';
import type { Months } from './months.ts';
import { releaseGrants } from './store-grants.ts';
import { endLeases, readInstances } from './store-instances.ts';
import type { InstanceRow, Member } from './store-instances.ts';
import type { Meter } from './meter-types.ts';
import type { UsageLedger } from './usage.ts';

export interface Metering {
  readonly meter: Meter;
  /**
   * Opens the journal, takes up what dead processes left here, and waits a little for a share of the
   * bursts. Rejects only where the directory takes no journal or no socket; a store that is unavailable is
   * waited for in the background.
   */
  start(): Promise<void>;
  /**
   * Call it when the last answer has left: folds the journal and gives everything back. What the store
   * cannot take now, the next start here does.
   */
  stop(): Promise<void>;
  /** What accounts used, as far as folded. */
  readonly usage: UsageLedger;
  /** Folds what is in the journal now, and no later. Rejects when the store does. */
  fold(): Promise<void>;
  /** How it goes, for operators. */
  view(): MeteringView;
}

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

/** What is done again and again. */
type Work = 'beat' | 'fold' | 'months' | 'tidy';

export interface MeteringParts {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly log: MeterLog;
  /** Milliseconds that never go back. */
  readonly monotonicMs: () => number;
  readonly outages: StoreOutages;
  /** Where the journals lie. */
  readonly directory: string;
  /** This process. */
  readonly member: Member;
  readonly instances: Instances;
  readonly flusher: UsageFlusher;
  readonly months: Months;
  readonly troubles: Readonly<Record<Work | 'grant' | 'journal' | 'stop', Trouble>>;
  /** Resolves when the store has its tables; absent: it has them. */
  readonly migrated: Promise<unknown> | undefined;
}

/** The meter records through it, and is given to it at its start. */
export class MeteringProcess {
  readonly #parts: MeteringParts;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];
  #meter: AccountMeter | null = null;
  #hasTables: boolean;
  #journal: Journal | null = null;
  #life: Liveness | null = null;
  #folding: Promise<void> = Promise.resolve();
  #foldedAtMs: number | null = null;
  /** Outages there had been when the months were read last. */
  #monthsReadAfter = 0;

  constructor(parts: MeteringParts) {
    this.#parts = parts;
    this.#hasTables = parts.migrated === undefined;
    parts.migrated?.then(
      () => (this.#hasTables = true),
      () => undefined,
    );
  }

  /** Before an answer leaves. Throws where it cannot be written. */
  record(entries: readonly Entry[]): void {
    if (this.#journal === null) throw new Error('Metering has not started.');
    try {
      this.#journal.append(...entries);
    } catch (error) {
      if (!this.#isStopping) this.#parts.troubles.journal.begins(error);
      throw error;
    }
    this.#parts.troubles.journal.ends();
  }

  async start(meter: AccountMeter): Promise<void> {
    this.#meter = meter;
    this.#journal = new Journal({
      directory: this.#parts.directory,
      instance: this.#parts.member.id,
      log: this.#parts.log,
    });
    this.#life = await announceLiveness(this.#parts.directory, this.#parts.member.id);
    // While the store is unavailable there is nobody to share with: the loops go on trying.
    if (!this.#parts.outages.isUnavailable && this.#hasTables)
      await this.#attempt('beat', () => this.#join());
    await this.#attempt('months', () => this.#readMonths());
    this.#loops.push(
      this.#loop('beat', METERING_LIMITS.meterBeatMs, () => this.#parts.instances.beat()),
      this.#loop('fold', METERING_LIMITS.usageFoldMs, () => this.fold()),
      this.#loop('months', METERING_LIMITS.usageTidyMs, () => this.#readMonths()),
      this.#loop('tidy', METERING_LIMITS.usageTidyMs, () => this.#tidy()),
    );
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#journal?.close();
    const deadline = sleep(METERING_LIMITS.meterStopMs, undefined, { ref: false });
    const leaving = Promise.all(this.#loops).then(() => this.#leave());
    leaving.catch((error: unknown) => this.#parts.troubles.stop.begins(error));
    await Promise.race([leaving.catch(() => undefined), deadline]);
    await this.#life?.close();
  }

  async fold(): Promise<void> {
    if (await this.#foldOwn()) this.#foldedAtMs = this.#parts.monotonicMs();
  }

  view(): MeteringView {
    const segments = this.#journal?.segments ?? [];
    return {
      foldAgeS:
        this.#foldedAtMs === null ? null : (this.#parts.monotonicMs() - this.#foldedAtMs) / 1_000,
      journalBytes: segments.reduce((sum, { size }) => sum + size, 0),
      burstShare: this.#parts.instances.share.fraction,
      accounts: this.#meter?.accounts ?? 0,
    };
  }

  /** One at a time. True: all that was in the journal when its turn came is in the store. */
  #foldOwn(): Promise<boolean> {
    const next = this.#folding.then(
      async () =>
        this.#journal === null ||
        (await this.#parts.flusher.foldOwn(this.#journal, this.#parts.member.id)),
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
    const deadline = performance.now() + METERING_LIMITS.meterJoinMs;
    await this.#endDead();
    await this.#sayWhatIsForeign(await readInstances(this.#parts.store));
    for (;;) {
      await this.#parts.instances.beat();
      const { fraction, sinceMs } = this.#parts.instances.share;
      // A moment for the first tokens, so that the first request is not refused.
      const filling = this.#parts.monotonicMs() - sinceMs < METERING_LIMITS.meterJoinFillMs;
      if ((fraction > 0 && !filling) || performance.now() > deadline) return;
      await sleep(METERING_LIMITS.meterJoinPollMs, undefined, { signal });
    }
  }

  /** Now and then, and as soon as the store is back. */
  async #readMonths(): Promise<void> {
    const { isUnavailable, count } = this.#parts.outages;
    const isLate =
      this.#parts.months.ageMs >= METERING_LIMITS.monthsReadMs || count !== this.#monthsReadAfter;
    if (isUnavailable || !isLate || !this.#hasTables) return;
    await this.#parts.months.refresh(monthOf(this.#parts.clock.nowMs()).firstDay);
    this.#monthsReadAfter = count;
  }

  async #tidy(): Promise<void> {
    this.#journal?.roll();
    await this.#meter?.tidy();
    await this.#takeUpLeft();
  }

  async #leave(): Promise<void> {
    if (!this.#parts.instances.isRegistered) return;
    // Settled is said of a journal that is wholly in the store, or nobody would look into it again.
    while (!(await this.#foldOwn())) await nextTurn();
    await this.#meter?.giveBackAll();
    await releaseGrants(this.#parts.store, this.#parts.member.id);
  }

  /** Processes of this directory that are gone for certain have no share any more. */
  async #endDead(): Promise<readonly InstanceRow[]> {
    const { place, id } = this.#parts.member;
    const rows = await readInstances(this.#parts.store);
    // Whatever its name was when a process wrote here: what lies here is nobody else's to take up.
    const left = await this.#parts.flusher.instances();
    const dead: InstanceRow[] = [];
    for (const row of rows) {
      if (row.id === id || row.settled || (row.place !== place && !left.has(row.id))) continue;
      if (await this.#isDead(row)) dead.push(row);
    }
    const ending = dead.filter(({ endedMsAgo }) => endedMsAgo === null).map((row) => row.id);
    if (ending.length > 0) await endLeases(this.#parts.store, ending);
    return dead;
  }

  async #isDead({ id, host, beatMsAgo }: InstanceRow): Promise<boolean> {
    // After a boot, or on another machine against all advice, the socket alone does not prove it.
    if (host !== this.#parts.member.host && beatMsAgo < METERING_LIMITS.meterDeadAfterMs)
      return false;
    return (await probeLiveness(this.#parts.directory, id)) === 'dead';
  }

  /** Journals of processes this store has never known are another store's: they are left alone. */
  async #sayWhatIsForeign(rows: readonly InstanceRow[]): Promise<void> {
    const known = new Set([this.#parts.member.id, ...rows.map(({ id }) => id)]);
    const foreign = [...(await this.#parts.flusher.instances())].filter((id) => !known.has(id));
    if (foreign.length === 0) return;
    this.#parts.log.error(
      `usage: journals of ${foreign.join(', ')} in ${this.#parts.directory} belong to another database; ` +
        'start on that one to have them counted',
    );
  }

  /** Folds what dead processes left; then their grants are free. */
  async #takeUpLeft(): Promise<void> {
    for (const { id } of await this.#endDead()) {
      if (!(await this.#parts.flusher.foldLeft(id))) continue;
      await releaseGrants(this.#parts.store, id);
      endLiveness(this.#parts.directory, id);
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

  /** Before a grant is asked for: on record only once it shows that it lives, or others take it for dead. */
  async register(): Promise<void> {
    if (this.#life === null) throw new Error('Metering has not started.');
    if (!this.#parts.instances.isRegistered) await this.#parts.instances.beat();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Never rejects: what failed is tried again later, and said once. */
  async #attempt(name: Work, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#parts.troubles[name].ends();
    } catch (error) {
      if (!this.#isStopping) this.tell(name, error);
    }
  }

  /** An outage of the store has lines in the log of its own. */
  tell(what: Work | 'grant', error: unknown): void {
    this.#parts.outages.failed(error);
    if (!this.#parts.outages.isUnavailable || !isServerUnavailable(error))
      this.#parts.troubles[what].begins(error);
  }
}
