/**
 * Sends what is due. Any number of dispatchers over one store share the work: each attempt is on record
 * and leased before its request leaves (D100), and what a dead one held is taken back when its lease ends.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import type { Deliverer, Outcome } from './deliver.ts';
import {
  claimAttempts,
  clampSchedule,
  forgetDeliveries,
  readDueEndpoints,
  reapInterrupted,
  settleAttempts,
  takeBack,
} from './dispatch-store.ts';
import type { Attempt, Ended, Settled } from './dispatch-store.ts';
import { DueList } from './due-list.ts';
import { Settler } from './settler.ts';
import { STOPPED } from './transport.ts';

export interface DispatcherTimes {
  readonly pollMs: number;
  readonly sweepMs: number;
  readonly logKeptMs: number;
  /** An attempt belongs to this process so long: longer than one lasts. */
  readonly leaseMs: number;
}

export interface DispatcherOptions {
  readonly store: Store;
  readonly deliverer: Deliverer;
  readonly clock: Clock;
  readonly log: Log;
  /** Instead of what LIMITS says. */
  readonly times?: Partial<DispatcherTimes>;
}

/** What one process has done since it started, for operators. */
export interface DispatcherView {
  readonly inFlight: number;
  /** Attempts that succeeded, and that did not. */
  readonly succeeded: number;
  readonly failed: number;
  /** Deliveries given up after their last attempt. */
  readonly abandoned: number;
  /** Attempts of processes that died, taken back here. */
  readonly interrupted: number;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #times: DispatcherTimes;
  readonly #owner = `${process.pid}-${randomBytes(6).toString('hex')}`;
  readonly #due = new DueList();
  readonly #attempts = new Map<string, Attempt>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #settler: Settler;
  readonly #stop = new AbortController();
  readonly #interrupt = new AbortController();
  #wake = Promise.withResolvers<undefined>();
  #running: Promise<unknown> | null = null;
  #isNudged = true;
  #lastNowMs = Number.POSITIVE_INFINITY;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looksAgainAtMs = Number.NEGATIVE_INFINITY;
  #counts = { succeeded: 0, failed: 0, abandoned: 0, interrupted: 0 };

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { pollMs, sweepMs, logKeptMs, leaseMs } = LIMITS.webhooks;
    const usual = { pollMs: pollMs[options.store.kind], sweepMs, logKeptMs, leaseMs };
    this.#times = { ...usual, ...options.times };
    this.#settler = new Settler({
      write: (ended) => settleAttempts(options.store, this.#owner, ended),
      onSettled: (ended, settled) => this.#settled(ended, settled),
      onFailure: (error) => this.#failed(error, 'the end of attempts could not be written'),
      retryMs: this.#times.pollMs,
    });
  }

  start(): void {
    this.#running ??= Promise.all([this.#dispatch(), this.#sweepNowAndThen()]);
  }

  /** Something may be due: looks at once. */
  nudge(): void {
    this.#isNudged = true;
    this.#wakeUp();
  }

  view(): DispatcherView {
    return { inFlight: this.#due.inFlight, ...this.#counts };
  }

  /** Attempts under way have a moment to end; the others are on record as interrupted. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakeUp();
    await this.#running;
    const late = new AbortController();
    const all = Promise.all(this.#underWay).finally(() => late.abort());
    await Promise.race([
      all,
      sleep(LIMITS.webhooks.stopMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    this.#interrupt.abort(STOPPED);
    await all;
    await this.#settler.stop();
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #wakeUp(): void {
    this.#wake.resolve(undefined);
  }

  async #dispatch(): Promise<void> {
    while (!this.#isStopped) {
      const begun = await this.#round().catch((error: unknown) => {
        this.#failed(error, 'due deliveries could not be read');
        return 0;
      });
      if (begun === 0) await this.#untilSomethingMayBeDue();
    }
  }

  /** Until somebody wakes it, or it is time to look again. */
  async #untilSomethingMayBeDue(): Promise<void> {
    const over = new AbortController();
    const { signal } = over;
    const wait = sleep(this.#times.pollMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([this.#wake.promise, wait]);
    over.abort();
    this.#wake = Promise.withResolvers();
    // A look through many endpoints rests, so that looking never becomes the work.
    const restMs = this.#looksAgainAtMs - performance.now();
    if (this.#isNudged && restMs > 0 && !this.#isStopped) await sleep(restMs);
  }

  /** Fills free places with attempts; how many were begun. */
  async #round(): Promise<number> {
    const nowMs = this.#options.clock.nowMs();
    await this.#noticeClock(nowMs);
    const free = LIMITS.webhooks.inFlight.total - this.#due.inFlight;
    if (free <= 0) return 0;
    await this.#lookIfDue(nowMs);
    const endpointIds = this.#due.take(free);
    if (endpointIds.length === 0) return 0;
    const { store } = this.#options;
    const { leaseMs } = this.#times;
    const claim = { owner: this.#owner, nowMs, endpointIds, wanted: free, leaseMs };
    const attempts = await claimAttempts(store, claim);
    for (const attempt of attempts) this.#begin(attempt);
    return attempts.length;
  }

  async #lookIfDue(nowMs: number): Promise<void> {
    const beganMs = performance.now();
    const isTime = this.#isNudged || beganMs - this.#lookedAtMs >= this.#times.pollMs;
    if (!isTime || beganMs < this.#looksAgainAtMs) return;
    this.#isNudged = false;
    this.#due.replace(await readDueEndpoints(this.#options.store, nowMs));
    this.#lookedAtMs = performance.now();
    const { times, mostMs } = LIMITS.webhooks.lookRest;
    const restMs = Math.min(mostMs, times * (this.#lookedAtMs - beganMs));
    this.#looksAgainAtMs = this.#lookedAtMs + restMs;
  }

  /** A clock that went back would leave what is due in its old time waiting: at start nobody knows. */
  async #noticeClock(nowMs: number): Promise<void> {
    const wentBack = nowMs < this.#lastNowMs;
    if (wentBack) await clampSchedule(this.#options.store, nowMs);
    this.#lastNowMs = nowMs;
  }

  #begin(attempt: Attempt): void {
    this.#due.begin(attempt);
    this.#attempts.set(attempt.deliveryId, attempt);
    const work = this.#options.deliverer
      .deliver(attempt, this.#interrupt.signal)
      .then((outcome) => this.#outcome(attempt, outcome))
      .catch((error: unknown) => this.#letGo(attempt, error))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #outcome(attempt: Attempt, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'ended') {
      this.#settler.add(outcome.ended);
      return;
    }
    const { addressBusyMs, secretUnreadMs } = LIMITS.webhooks;
    const isUnread = outcome.why === 'secret unread';
    if (isUnread && attempt.sealedSecret !== null) {
      this.#options.log.error(
        { component: 'webhooks', endpoint: attempt.endpointId },
        'WEBHOOK_KEY: the secret of an endpoint cannot be read with it; its deliveries wait',
      );
    }
    const dueAtMs = this.#options.clock.nowMs() + (isUnread ? secretUnreadMs : addressBusyMs);
    const { deliveryId, number } = attempt;
    await takeBack(this.#options.store, this.#owner, { deliveryId, number, dueAtMs });
    this.#end(attempt, { mayHaveMore: false });
  }

  /** Its lease ends by itself, and it counts as interrupted then. */
  #letGo(attempt: Attempt, error: unknown): void {
    this.#failed(error, 'an attempt could not be made or taken back');
    this.#end(attempt, { mayHaveMore: false });
  }

  #end(attempt: Attempt, more: { readonly mayHaveMore: boolean }): void {
    this.#attempts.delete(attempt.deliveryId);
    this.#due.end(attempt, more);
    this.#wakeUp();
  }

  #settled(ended: readonly Ended[], settled: readonly Settled[]): void {
    for (const { deliveryId, isSuccess } of ended) {
      if (isSuccess) this.#counts.succeeded += 1;
      else this.#counts.failed += 1;
      const attempt = this.#attempts.get(deliveryId);
      if (attempt !== undefined) this.#end(attempt, { mayHaveMore: true });
    }
    this.#counts.abandoned += settled.filter(({ status }) => status === 'failed').length;
  }

  async #sweepNowAndThen(): Promise<void> {
    const { signal } = this.#stop;
    while (!this.#isStopped) {
      await this.#sweep().catch((error: unknown) =>
        this.#failed(error, 'what has ended could not be tidied'),
      );
      await sleep(this.#times.sweepMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #sweep(): Promise<void> {
    const { store, clock } = this.#options;
    const { reapedAtOnce, logDeletedAtOnce } = LIMITS.webhooks;
    for (let reaped: number = reapedAtOnce; reaped >= reapedAtOnce && !this.#isStopped;) {
      reaped = await reapInterrupted(store);
      this.#counts.interrupted += reaped;
    }
    const beforeMs = clock.nowMs() - this.#times.logKeptMs;
    for (let gone: number = logDeletedAtOnce; gone >= logDeletedAtOnce && !this.#isStopped;) {
      gone = await forgetDeliveries(store, beforeMs);
    }
  }

  /** That the server is unavailable is told by who watches over it. */
  #failed(error: unknown, message: string): void {
    if (isServerUnavailable(error)) return;
    this.#options.log.error({ component: 'webhooks', err: error }, `webhooks: ${message}`);
  }
}
