import { setTimeout as sleep } from 'node:timers/promises';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import type { Store } from '../db/connect.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LastKnownFile } from '../kernel/last-known-file.ts';
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
import { forgetUnmet, noteUnmet, unmetIn } from './orphans.ts';
import { releaseGrants } from './store-grants.ts';
import { endLeases, readInstances, registerInstance } from './store-instances.ts';
import type { InstanceRow, Member } from './store-instances.ts';
import type { Meter } from './meter-types.ts';
import type { UsageLedger } from './usage.ts';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readLastKnown, saveLastKnown } from '../kernel/last-known-file.ts';
import { within } from '../kernel/within.ts';

/** Kept for a start without the store. */
const lastMonths = Type.Object({
  atMs: Type.Number(),
  month: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }),
  /** Highest first: a missing account has taken no more than the last. */
  rows: Type.Array(
    Type.Object({
      accountId: Type.String({ maxLength: 300 }),
      environment: Type.Enum(['live', 'test']),
      taken: Type.Number(),
      others: Type.Number(),
    }),
  ),
});

/** null: none, or too old at `nowMs`. */
async function readLastMonths(file: LastKnownFile, nowMs: number) {
  const content = await readLastKnown(file);
  if (!Value.Check(lastMonths, content)) return null;
  const isTooOld = Math.abs(nowMs - content.atMs) > METERING_LIMITS.monthsLastKnownMs;
  return isTooOld ? null : content;
}

export interface Metering extends Pick<MeteringProcess, 'stop' | 'fold' | 'view'> {
  readonly meter: Meter;
  readonly usage: UsageLedger;
  start(): Promise<void>;
}

export interface MeteringView {
  /** null: not yet. */
  readonly foldAgeS: number | null;
  /** Of files that are not fully folded. */
  readonly journalBytes: number;
  /** Share of every burst limit: 0 to 1. */
  readonly burstShare: number;
  readonly accounts: number;
}

type Work = 'beat' | 'fold' | 'months' | 'tidy';

export interface MeteringParts {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly log: MeterLog;
  readonly monotonicMs: () => number;
  readonly outages: StoreOutages;
  readonly directory: string;
  readonly member: Member;
  readonly instances: Instances;
  readonly flusher: UsageFlusher;
  readonly months: Months;
  readonly troubles: Readonly<Record<Work | 'grant' | 'journal' | 'stop', Trouble>>;
  /** Resolves when the store has its tables; absent: it has them. */
  readonly migrated: Promise<unknown> | undefined;
  /** For a start without the store; absent: nothing is kept. */
  readonly last: LastKnownFile | undefined;
}

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
  #monthsReadAfter = 0;
  #monthsSavedAtMs = -Infinity;
  #isUnmet = false;

  constructor(parts: MeteringParts) {
    this.#parts = parts;
    this.#hasTables = parts.migrated === undefined;
    parts.migrated?.then(
      () => (this.#hasTables = true),
      () => undefined,
    );
  }

  /** Throws if it fails: the answer must not leave. */
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

  /**
   * Takes over from dead processes, and briefly waits for a burst share. Rejects only if the
   * directory takes no journal or socket.
   */
  async start(meter: AccountMeter): Promise<void> {
    this.#meter = meter;
    this.#journal = new Journal({
      directory: this.#parts.directory,
      instance: this.#parts.member.id,
      log: this.#parts.log,
    });
    this.#life = await announceLiveness(this.#parts.directory, this.#parts.member.id);
    // Shares are unknown while the store is unavailable; the loops keep trying.
    if (!this.#parts.outages.isUnavailable && this.#hasTables)
      await this.#attempt('beat', () => this.#join());
    if (this.#parts.outages.isUnavailable) await this.#startAlone();
    await this.#attempt('months', () => this.#readMonths());
    this.#loops.push(
      this.#loop('beat', METERING_LIMITS.meterBeatMs, () => this.#parts.instances.beat()),
      this.#loop('fold', METERING_LIMITS.usageFoldMs, () => this.fold()),
      this.#loop('months', METERING_LIMITS.usageTidyMs, () => this.#readMonths()),
      this.#loop('tidy', METERING_LIMITS.usageTidyMs, () => this.#tidy()),
    );
  }

  /** Loads the last run's months, and leaves a note so that this journal is counted later. */
  async #startAlone(): Promise<void> {
    const { last, clock, directory, member, months, instances } = this.#parts;
    instances.assume(METERING_LIMITS.unmetParts);
    if (last === undefined) return;
    await noteUnmet(directory, member.id, last.storeNames[0]);
    this.#isUnmet = true;
    const nowMs = clock.nowMs();
    const known = await readLastMonths(last, nowMs);
    if (known !== null) months.recall({ ...known, ageMs: nowMs - known.atMs });
  }

  /**
   * Call after the last answer: folds the journal and returns all leases. The next start does the
   * rest.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#journal?.close();
    const leaving = Promise.all(this.#loops)
      .then(() => this.#leave())
      .catch((error: unknown) => this.#parts.troubles.stop.begins(error));
    await within(METERING_LIMITS.meterStopMs, leaving, () => undefined);
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

  /** True: the journal as it was at the start is in the store. */
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

  /** Waits until this process has its share, or too long has passed. */
  async #join(): Promise<void> {
    const { signal } = this.#stopping;
    const deadline = performance.now() + METERING_LIMITS.meterJoinMs;
    await this.#endDead();
    await this.#sayWhatIsForeign(await readInstances(this.#parts.store));
    for (;;) {
      await this.#parts.instances.beat();
      const { fraction, sinceMs } = this.#parts.instances.share;
      // Fills the bucket, or the first request would be refused.
      const filling = this.#parts.monotonicMs() - sinceMs < METERING_LIMITS.meterJoinFillMs;
      if ((fraction > 0 && !filling) || performance.now() > deadline) return;
      await sleep(METERING_LIMITS.meterJoinPollMs, undefined, { signal });
    }
  }

  /** Periodically, and when the store returns. */
  async #readMonths(): Promise<void> {
    const { isUnavailable, count } = this.#parts.outages;
    const isLate =
      this.#parts.months.ageMs >= METERING_LIMITS.monthsReadMs || count !== this.#monthsReadAfter;
    if (isUnavailable || !isLate || !this.#hasTables) return;
    const month = monthOf(this.#parts.clock.nowMs()).firstDay;
    const rows = await this.#parts.months.refresh(month);
    this.#monthsReadAfter = count;
    const { last, clock, monotonicMs } = this.#parts;
    const isDue = monotonicMs() - this.#monthsSavedAtMs >= METERING_LIMITS.monthsLastSavedMs;
    if (last?.writes !== true || !isDue) return;
    this.#monthsSavedAtMs = monotonicMs();
    const highest = rows.slice(0, METERING_LIMITS.monthsLastKnown);
    await saveLastKnown(last, { atMs: clock.nowMs(), month, rows: highest });
  }

  async #tidy(): Promise<void> {
    this.#journal?.roll();
    await this.#meter?.tidy();
    await this.#takeUpLeft();
  }

  async #leave(): Promise<void> {
    if (!this.#parts.instances.isRegistered) return;
    // A settled journal is never read again.
    while (!(await this.#foldOwn())) await nextTurn();
    await this.#meter?.giveBackAll();
    await releaseGrants(this.#parts.store, this.#parts.member.id);
  }

  /** Ends only processes of this directory that are certainly gone. */
  async #endDead(): Promise<readonly InstanceRow[]> {
    const { place, id } = this.#parts.member;
    await this.#meetLeft();
    const rows = await readInstances(this.#parts.store);
    // No one else takes them over, whatever name the directory had.
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

  /** Counts processes of this directory that ended before they met the store. */
  async #meetLeft(): Promise<void> {
    const { last, directory, member, store, instances } = this.#parts;
    if (this.#isUnmet && instances.isRegistered) {
      await forgetUnmet(directory, member.id);
      this.#isUnmet = false;
    }
    if (last === undefined) return;
    for (const id of await unmetIn(directory, last.storeNames)) {
      if (id === member.id || (await probeLiveness(directory, id)) !== 'dead') continue;
      await registerInstance(store, { ...member, id }, false);
      await forgetUnmet(directory, id);
    }
  }

  async #isDead({ id, host, beatMsAgo }: InstanceRow): Promise<boolean> {
    // After a reboot, or on another machine, the socket alone proves nothing.
    if (host !== this.#parts.member.host && beatMsAgo < METERING_LIMITS.meterDeadAfterMs)
      return false;
    return (await probeLiveness(this.#parts.directory, id)) === 'dead';
  }

  /** Unknown journals belong to another store. */
  async #sayWhatIsForeign(rows: readonly InstanceRow[]): Promise<void> {
    const known = new Set([this.#parts.member.id, ...rows.map(({ id }) => id)]);
    const left = await this.#parts.flusher.instancesWithLines();
    const foreign = [...left].filter((id) => !known.has(id));
    if (foreign.length === 0) return;
    this.#parts.log.error(
      `usage: journals of ${foreign.join(', ')} in ${this.#parts.directory} belong to another database; ` +
        'start on that one to have them counted',
    );
  }

  /** Folds journals of dead processes, then frees their grants. */
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
      const { outages, instances } = this.#parts;
      if (outages.isUnavailable) instances.assume(METERING_LIMITS.unmetParts);
      if (this.#hasTables) await this.#attempt(name, work);
    }
  }

  /** Announces liveness first, so that others do not consider it dead. */
  async register(): Promise<void> {
    if (this.#life === null) throw new Error('Metering has not started.');
    if (!this.#parts.instances.isRegistered) await this.#parts.instances.beat();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Never rejects: failures are retried later and logged once. */
  async #attempt(name: Work, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#parts.troubles[name].ends();
    } catch (error) {
      if (!this.#isStopping) this.tell(name, error);
    }
  }

  /** An outage of the store has its own log lines. */
  tell(what: Work | 'grant', error: unknown): void {
    this.#parts.outages.failed(error);
    if (!this.#parts.outages.isUnavailable || !isServerUnavailable(error))
      this.#parts.troubles[what].begins(error);
  }
}
