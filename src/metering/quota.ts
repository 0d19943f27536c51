/**
 * Leases granted by the store (D60, D61). Every unit is free, held by a request, or in the journal.
 */
import type { StoreOutages } from '../db/store-watch.ts';
import { Failure, storeUnreachable } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { within } from '../kernel/within.ts';
import { METERING_LIMITS } from './limits.ts';
import type { Month } from './calendar.ts';
import type { MonthReading, Months } from './months.ts';
import type { GrantAnswer, GrantKey, GrantQuestion, GrantState } from './store-grants.ts';

export interface GrantSource {
  acquire(question: GrantQuestion): Promise<GrantAnswer>;
  write(states: readonly GrantState[]): Promise<void>;
}

/** The last answer that granted less than asked. */
interface Refusal {
  readonly ceiling: number;
  /** Up to this many may still be requested. */
  readonly available: number;
  readonly others: number;
  readonly untilMs: number;
}

export class QuotaLease {
  readonly key: GrantKey;
  readonly month: Month;
  free = 0;
  held = 0;
  granted = 0;
  revision = 0;
  /** Units that requests wait for, and the smallest such request. */
  wanted = 0;
  least = Infinity;
  /** The question or return in progress: one at a time. */
  busy: Promise<void> | null = null;
  busySinceMs = 0;
  refusal: Refusal | null = null;
  /** No question before this: the store was unavailable. */
  pausedUntilMs = 0;
  /** The store may have another value of `granted`. */
  unsure = false;
  usedAtMs = 0;
  lowWater = 0;
  /** The store's last answer; null: not asked yet. */
  known: MonthReading | null = null;

  constructor(key: GrantKey, month: Month) {
    this.key = key;
    this.month = month;
  }

  take(units: number, nowMs: number): boolean {
    this.usedAtMs = nowMs;
    if (this.free < units) return false;
    this.free -= units;
    this.held += units;
    return true;
  }

  /** Units without a grant; the lease's next write reports them. */
  add(units: number): void {
    this.free += units;
    this.granted += units;
    this.unsure = true;
  }

  get isDone(): boolean {
    return this.free === 0 && this.held === 0 && this.busy === null && !this.unsure;
  }
}

/** A quarter of what is left, for many processes; less near the end. */
function leaseSize(available: number, { wanted, least }: { wanted: number; least: number }) {
  // Too few for any request: leaves them for others.
  if (available <= 0 || available < least) return 0;
  const { min, max } = METERING_LIMITS.quotaLease;
  const usual = Math.min(max, Math.max(min, Math.floor(available / 4)));
  return Math.min(available, Math.max(usual, wanted));
}

/**
 * What one process may promise (D65): alone everything; with others what is left after each has
 * taken a lease, but at least its part of one.
 */
function partOf(left: number, share: number): number {
  if (left <= 0) return 0;
  if (share === 1) return left;
  const lease = leaseSize(left, { wanted: 1, least: 1 });
  const others = Math.ceil(1 / share) - 1;
  return Math.max(Math.floor(share * lease), left - others * lease);
}

export interface QuotaOptions {
  readonly source: GrantSource;
  readonly outages: StoreOutages;
  readonly months: Pick<Months, 'takenBy'>;
  /** For waiting. */
  readonly monotonicMs: () => number;
  readonly onTrouble: (error: unknown) => void;
  readonly onAnswer: () => void;
}

export class Quota {
  readonly #options: QuotaOptions;
  #asking = 0;

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /** Asks in advance; no one waits for the result. */
  prefetch(lease: QuotaLease, ceiling: number): void {
    const nowMs = this.#options.monotonicMs();
    if (lease.busy !== null || nowMs < lease.pausedUntilMs) return;
    if (lease.refusal !== null && nowMs < lease.refusal.untilMs) return;
    // A slow store still grants, to a few at a time.
    if (this.#options.outages.isUnavailable && this.#asking >= METERING_LIMITS.outageQuestions)
      return;
    void this.#ask(lease, ceiling);
  }

  /** The later of the lease's answer and the reading of all; null: none. */
  reading(lease: QuotaLease): MonthReading | null {
    const read = this.#options.months.takenBy(lease.key);
    const { known } = lease;
    return known !== null && (read === null || known.atMs > read.atMs) ? known : read;
  }

  /** 0 only if a unit would be refused. `share`: this process's. null: unknown. */
  expected(lease: QuotaLease, { ceiling, share }: Pick<Wish, 'ceiling'> & { share: number }) {
    const { refusal } = lease;
    const isRefused = refusal?.ceiling === ceiling && this.#options.monotonicMs() < refusal.untilMs;
    if (isRefused && refusal.available <= 0) return 0;
    const reading = this.reading(lease);
    if (reading === null) return null;
    const left = ceiling - reading.taken;
    // What others hold may be returned before it is requested.
    if (left <= 0) return left + reading.others > 0 ? 1 : 0;
    return Math.max(1, partOf(left, share));
  }

  /** Units beyond the lease that may be promised; 0 if unknown. */
  beyond(lease: QuotaLease, { ceiling, share }: Pick<Wish, 'ceiling'> & { share: number }): number {
    const reading = this.reading(lease);
    return reading === null ? 0 : partOf(ceiling - reading.taken, share);
  }

  /** Throws for a used-up month or an unavailable store, if known. */
  refuseIfKnown(lease: QuotaLease, { ceiling, units, resetS }: Wish): void {
    const nowMs = this.#options.monotonicMs();
    if (units > ceiling) throw exceeded({ ceiling, resetS });
    const { refusal } = lease;
    if (refusal?.ceiling === ceiling && nowMs < refusal.untilMs) {
      if (units > lease.free + refusal.available) {
        const soon = units <= refusal.available + refusal.others + lease.free + lease.held;
        throw exceeded({
          ceiling,
          resetS: soon ? Math.min(resetS, METERING_LIMITS.quotaRetryAfterS) : resetS,
        });
      }
    }
    // One hanging question is enough.
    const hangs = lease.busy !== null && nowMs - lease.busySinceMs > METERING_LIMITS.quotaAnswerMs;
    if (hangs || nowMs < lease.pausedUntilMs)
      throw storeUnreachable(undefined, LIMITS.retryAfterS.busy);
  }

  /** Rejects when it takes too long. */
  async wait(lease: QuotaLease, { ceiling, units }: Wish): Promise<void> {
    lease.wanted += units;
    lease.least = Math.min(lease.least, units);
    try {
      await withTimeout(lease.busy ?? this.#ask(lease, ceiling));
    } catch (error) {
      this.#options.onTrouble(error);
      throw storeUnreachable(error, LIMITS.retryAfterS.busy);
    } finally {
      lease.wanted -= units;
      if (lease.wanted === 0) lease.least = Infinity;
    }
  }

  /** Never rejects: failures are retried. */
  async giveBack(leases: readonly QuotaLease[]): Promise<void> {
    const ready = leases.filter((lease) => lease.busy === null && (lease.free > 0 || lease.unsure));
    if (ready.length === 0) return;
    const given = ready.map(({ free }) => free);
    for (const lease of ready) {
      lease.granted -= lease.free;
      lease.free = 0;
      lease.unsure = true;
      lease.revision++;
    }
    const states = ready.map(({ key, granted, revision }) => ({ ...key, granted, revision }));
    const writing = this.#options.source.write(states).then(
      () => {
        this.#settled(ready, { unsure: false });
        ready.forEach((lease, n) => this.#gaveBack(lease, given[n] ?? 0));
      },
      (error: unknown) => {
        this.#settled(ready, { unsure: true });
        this.#options.onTrouble(error);
      },
    );
    for (const lease of ready) this.#occupy(lease, writing);
    await writing;
  }

  #settled(leases: readonly QuotaLease[], { unsure }: { readonly unsure: boolean }): void {
    for (const lease of leases) {
      lease.busy = null;
      lease.unsure = unsure;
      lease.refusal = null;
    }
  }

  #gaveBack(lease: QuotaLease, units: number): void {
    const { known } = lease;
    if (known === null) return;
    lease.known = { ...known, taken: known.taken - units, atMs: this.#options.monotonicMs() };
  }

  /** One question at a time; never rejects. */
  #ask(lease: QuotaLease, ceiling: number): Promise<void> {
    const question: GrantQuestion = {
      ...lease.key,
      granted: lease.granted,
      revision: ++lease.revision,
      ceiling,
      choose: (available) => {
        const { wanted, least, free } = lease;
        // In advance there is no minimum.
        const needs = { wanted: wanted - free, least: least === Infinity ? 1 : least - free };
        return leaseSize(available, needs);
      },
    };
    this.#asking += 1;
    const asking = this.#options.source.acquire(question).then(
      (answer) => {
        this.#asking -= 1;
        this.#granted(lease, ceiling, answer);
      },
      (error: unknown) => {
        this.#asking -= 1;
        lease.busy = null;
        lease.unsure = true;
        lease.pausedUntilMs = this.#options.monotonicMs() + METERING_LIMITS.quotaPauseMs;
        this.#options.onTrouble(error);
      },
    );
    this.#occupy(lease, asking);
    return asking;
  }

  #occupy(lease: QuotaLease, work: Promise<void>): void {
    lease.busy = work;
    lease.busySinceMs = this.#options.monotonicMs();
  }

  #granted(lease: QuotaLease, ceiling: number, answer: GrantAnswer): void {
    const { available, others } = answer;
    lease.busy = null;
    lease.granted += answer.lease;
    lease.free += answer.lease;
    lease.lowWater = Math.floor(answer.lease / 4);
    if (answer.lease > 0) lease.unsure = false;
    const left = available - answer.lease;
    lease.known = { taken: ceiling - left, others, atMs: this.#options.monotonicMs() };
    lease.refusal =
      left > 0 && answer.lease > 0
        ? null
        : {
            ceiling,
            available: left,
            others,
            untilMs: this.#options.monotonicMs() + METERING_LIMITS.quotaRefusedMs,
          };
    this.#options.onAnswer();
  }
}

export interface Wish {
  readonly ceiling: number;
  readonly units: number;
  readonly resetS: number;
}

export function exceeded({ ceiling, resetS }: Pick<Wish, 'ceiling' | 'resetS'>): Failure {
  return new Failure('quota_exceeded', {
    error: `The month's quota of ${ceiling} units does not hold this request.`,
    errorDa: `Månedens kvote på ${ceiling} enheder rummer ikke denne forespørgsel.`,
    retryAfterS: resetS,
  });
}

/** The cause is this process, not the store. */
export function uncountable(cause?: unknown): Failure {
  return new Failure('overloaded', {
    error: 'Usage cannot be counted right now. Try again after Retry-After.',
    errorDa: 'Forbruget kan ikke opgøres lige nu. Prøv igen efter Retry-After.',
    cause,
  });
}

function withTimeout(answer: Promise<void>): Promise<void> {
  return within(METERING_LIMITS.quotaAnswerMs, answer, () => {
    throw new Error('timeout: no units were granted in time');
  });
}

export function release(lease: QuotaLease, units: number): void {
  lease.held -= units;
  lease.free += units;
}

/** Units count in the month they were reserved in. */
export function releaseAll(
  leases: readonly QuotaLease[],
  reserved: number,
): readonly [QuotaLease, number][] {
  let left = reserved;
  const parts = leases.map((lease): [QuotaLease, number] => {
    const part = Math.min(left, lease.held);
    left -= part;
    return [lease, part];
  });
  if (left > 0) throw unheld();
  for (const [lease, part] of parts) release(lease, part);
  return parts;
}

export function unheld(): Failure {
  return uncountable(new Error('A reservation was settled that does not exist.'));
}
