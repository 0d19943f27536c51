/**
 * Dispatchers share a store: each attempt is leased before its request leaves (D100), and recovered
 * when the lease ends.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Log } from '../kernel/log.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { within } from '../kernel/within.ts';
import type { Deliverer, Outcome } from './deliver.ts';
import {
  claimAttempts,
  clampSchedule,
  forgetDeliveries,
  forgetFormerSecrets,
  repeatMissed,
  readDueEndpoints,
  reapInterrupted,
  settleAttempts,
  takeBack,
} from './dispatch-store.ts';
import type { Attempt, Ended, Settled, WebhookFacts } from './dispatch-store.ts';
import { DueList, LANES } from './due-list.ts';
import type { Destination, Lane } from './due-list.ts';
import { Waker, paceOf } from './pace.ts';
import type { Pace } from './pace.ts';
import { Settler } from './settler.ts';
import { STOPPED } from './transport.ts';

export interface DispatcherTimes {
  readonly pollMs: number;
  readonly sweepMs: number;
  readonly logKeptMs: number;
  /** Longer than an attempt takes. */
  readonly leaseMs: number;
}

export interface DispatcherOptions {
  readonly store: Store;
  readonly deliverer: Deliverer;
  readonly clock: Clock;
  readonly log: Log;
  /** Sending yields to lookups. Absent: none here. */
  readonly isAnswering?: () => boolean;
  readonly times?: Partial<DispatcherTimes>;
}

export interface DispatcherView {
  readonly inFlight: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly abandoned: number;
  /** Attempts of dead processes recovered here. */
  readonly interrupted: number;
  /** Since its loop last turned; null: not started. */
  readonly silentS: number | null;
}

export interface WebhookView {
  readonly facts: WebhookFacts;
  /** null: this process sends none. */
  readonly dispatcher: DispatcherView | null;
}

interface Begun {
  readonly attempt: Attempt;
  readonly lane: Lane;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #times: DispatcherTimes;
  readonly #owner = `${process.pid}-${randomBytes(6).toString('hex')}`;
  readonly #due = new DueList();
  readonly #attempts = new Map<string, Begun>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #settler: Settler;
  readonly #stop = new AbortController();
  readonly #interrupt = new AbortController();
  readonly #wakers = { look: new Waker(), well: new Waker(), failing: new Waker() };
  #running: Promise<unknown> | null = null;
  #turnedMs: number | null = null;
  #lastNowMs = Number.POSITIVE_INFINITY;
  /** To an endpoint that does not fail. */
  #wellBegunMs = Number.NEGATIVE_INFINITY;
  #counts = { succeeded: 0, failed: 0, abandoned: 0, interrupted: 0 };

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { pollMs, sweepMs, logKeptMs, leaseMs } = WEBHOOK_LIMITS;
    const usual = { pollMs: pollMs[options.store.kind], sweepMs, logKeptMs, leaseMs };
    this.#times = { ...usual, ...options.times };
    this.#settler = new Settler({
      write: (ended) => settleAttempts(options.store, this.#owner, ended),
      onSettled: (ended, settled) => this.#settled(ended, settled),
      onFailure: (error) => this.#failed(error, 'the end of attempts could not be written'),
      retryMs: this.#times.pollMs,
      settleMs: () => {
        const { alone, besideLookups } = WEBHOOK_LIMITS.settleMs;
        return this.#isAnswering ? besideLookups : alone;
      },
    });
  }

  start(): void {
    this.#running ??= Promise.all([
      this.#lookNowAndThen(),
      ...LANES.map((lane) => this.#dispatch(lane)),
      this.#sweepNowAndThen(),
    ]);
  }

  /** Something may be due. */
  nudge(): void {
    this.#wakers.look.wake();
  }

  /** Without reading the store first. */
  tell(destination: Destination): void {
    if (this.#due.tell(destination)) this.#wakers.well.wake();
    else this.nudge();
  }

  view(): DispatcherView {
    const silentS = this.#turnedMs === null ? null : (performance.now() - this.#turnedMs) / 1000;
    return { inFlight: this.#due.inFlight, ...this.#counts, silentS };
  }

  /** Attempts get a moment to end; the rest count as interrupted. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const waker of Object.values(this.#wakers)) waker.wake();
    await this.#running;
    const all = Promise.all(this.#underWay);
    await within(WEBHOOK_LIMITS.stopMs, all, () => undefined);
    this.#interrupt.abort(STOPPED);
    await all;
    await this.#settler.stop();
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #wakeLanes(): void {
    for (const lane of LANES) this.#wakers[lane].wake();
  }

  async #lookNowAndThen(): Promise<void> {
    while (!this.#isStopped) {
      this.#turnedMs = performance.now();
      const restMs = await this.#look().catch((error: unknown) => {
        this.#failed(error, 'due deliveries could not be read');
        return this.#times.pollMs;
      });
      await this.#rest(restMs);
      // Stopping also wakes it.
      await this.#wakers.look.wait(this.#times.pollMs);
    }
  }

  /** Returns milliseconds to rest, so that reading many endpoints never dominates. */
  async #look(): Promise<number> {
    const { store, clock } = this.#options;
    const nowMs = clock.nowMs();
    await this.#noticeClock(nowMs);
    const beganMs = performance.now();
    this.#due.lookBegins();
    this.#due.replace(await readDueEndpoints(store, nowMs));
    this.#wakeLanes();
    const { times, mostMs } = WEBHOOK_LIMITS.lookRest;
    return Math.min(mostMs, times * (performance.now() - beganMs));
  }

  async #dispatch(lane: Lane): Promise<void> {
    while (!this.#isStopped) {
      const { restMs, ...pace } = this.#pace(lane);
      const begun = await this.#round(lane, pace).catch((error: unknown) => {
        this.#failed(error, 'due deliveries could not be begun');
        return 0;
      });
      if (begun === 0) await this.#wakers[lane].wait(this.#times.pollMs);
      else if (restMs > 0) await this.#rest(restMs);
    }
  }

  /** Ends when the dispatcher stops. */
  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  #pace(lane: Lane): Pace {
    const sinceWellMs = performance.now() - this.#wellBegunMs;
    return paceOf(lane, { isAnswering: this.#isAnswering, sinceWellMs });
  }

  get #isAnswering(): boolean {
    return this.#options.isAnswering?.() ?? false;
  }

  async #round(lane: Lane, { atOnce, gapMs }: Omit<Pace, 'restMs'>): Promise<number> {
    const wanted = Math.min(atOnce, this.#due.free(lane));
    const endpointIds = this.#due.take(lane, wanted);
    if (this.#due.isToBeReadAnew(lane)) this.nudge();
    if (endpointIds.length === 0) return 0;
    const { store, clock } = this.#options;
    const { leaseMs } = this.#times;
    const claim = { owner: this.#owner, nowMs: clock.nowMs(), endpointIds, wanted, leaseMs };
    const attempts = await claimAttempts(store, claim);
    for (const [index, attempt] of attempts.entries()) {
      if (index > 0 && gapMs > 0) await this.#rest(gapMs);
      this.#begin({ attempt, lane });
    }
    return attempts.length;
  }

  /** After the clock went back, old due times would wait too long. */
  async #noticeClock(nowMs: number): Promise<void> {
    const wentBack = nowMs < this.#lastNowMs;
    if (wentBack) await clampSchedule(this.#options.store, nowMs);
    this.#lastNowMs = nowMs;
  }

  #begin(begun: Begun): void {
    const { attempt, lane } = begun;
    if (lane === 'well') this.#wellBegunMs = performance.now();
    this.#due.begin(attempt, lane);
    this.#attempts.set(attempt.deliveryId, begun);
    const work = this.#options.deliverer
      .deliver(attempt, this.#interrupt.signal)
      .then((outcome) => this.#outcome(begun, outcome))
      .catch((error: unknown) => this.#letGo(begun, error))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #outcome(begun: Begun, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'ended') {
      this.#settler.add(outcome.ended);
      return;
    }
    const { attempt } = begun;
    const { addressBusyMs, secretUnreadMs } = WEBHOOK_LIMITS;
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
    this.#end(begun, null);
  }

  /** Its lease expires, and it then counts as interrupted. */
  #letGo(begun: Begun, error: unknown): void {
    this.#failed(error, 'an attempt could not be made or taken back');
    this.#end(begun, null);
  }

  #end({ attempt, lane }: Begun, next: Lane | null): void {
    this.#attempts.delete(attempt.deliveryId);
    this.#due.end(attempt, lane, next);
    this.#wakeLanes();
  }

  #settled(ended: readonly Ended[], settled: readonly Settled[]): void {
    for (const { deliveryId, isSuccess } of ended) {
      if (isSuccess) this.#counts.succeeded += 1;
      else this.#counts.failed += 1;
      const begun = this.#attempts.get(deliveryId);
      if (begun !== undefined) this.#end(begun, isSuccess ? 'well' : 'failing');
    }
    this.#counts.abandoned += settled.filter(({ status }) => status === 'failed').length;
  }

  async #sweepNowAndThen(): Promise<void> {
    while (!this.#isStopped) {
      await this.#sweep().catch((error: unknown) =>
        this.#failed(error, 'what has ended could not be tidied'),
      );
      await this.#rest(this.#times.sweepMs);
    }
  }

  async #sweep(): Promise<void> {
    const { store, clock } = this.#options;
    const { reapedAtOnce, logDeletedAtOnce } = WEBHOOK_LIMITS;
    for (let reaped: number = reapedAtOnce; reaped >= reapedAtOnce && !this.#isStopped;) {
      reaped = await reapInterrupted(store);
      this.#counts.interrupted += reaped;
    }
    const beforeMs = clock.nowMs() - this.#times.logKeptMs;
    for (let gone: number = logDeletedAtOnce; gone >= logDeletedAtOnce && !this.#isStopped;) {
      gone = await forgetDeliveries(store, beforeMs);
    }
    await forgetFormerSecrets(store, clock.nowMs());
    if ((await repeatMissed(store, clock.nowMs())) > 0) this.nudge();
  }

  /** An unavailable server is reported elsewhere. */
  #failed(error: unknown, message: string): void {
    if (isServerUnavailable(error)) return;
    this.#options.log.error({ component: 'webhooks', err: error }, `webhooks: ${message}`);
  }
}
