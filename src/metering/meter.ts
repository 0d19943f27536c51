/** One local write per request; the store is asked when a lease runs out. */
import { monthlyCeiling } from '../account/plans.ts';
import type { Environment, Plans } from '../account/plans.ts';
import { isTrial } from '../account/principal.ts';
import type { Principal } from '../account/principal.ts';
import { clientOf } from '../kernel/client-address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import { Failure, isStoreUnreachable, storeUnreachable } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { METERING_LIMITS } from './limits.ts';
import { bucketState, burstRate } from '../kernel/burst.ts';
import type { Rate, RequestWindow, Share, TokenBucket, LimitState } from '../kernel/burst.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { Calendar } from './calendar.ts';
import type { Month } from './calendar.ts';
import type { Entry } from './journal.ts';
import { OutageUnits, mostInOutage } from './outage-units.ts';
import { QuotaLease, exceeded, release, releaseAll, uncountable, unheld } from './quota.ts';
import type { Quota, Wish } from './quota.ts';
import { RequestLimit } from './request-limit.ts';
import { TRIAL } from './trial-limits.ts';
import { VisitorLimits } from './visitors.ts';
import type { Answered, LimitStates, MapLimitStates, Meter, Settlement } from './meter-types.ts';

export interface MeterOptions {
  readonly plans: Plans;
  readonly clock: Clock;
  /** For rates and waiting. */
  readonly monotonicMs: () => number;
  readonly quota: Quota;
  readonly outages: StoreOutages;
  readonly mapsPerSecond: number;
  /** Records all lines or throws. */
  readonly journal: { record(entries: readonly Entry[]): void };
  readonly limiters: Limiters;
}

interface Ledger {
  readonly bucket: TokenBucket;
  lease: QuotaLease;
  /** Of other months. */
  others: QuotaLease[];
}

interface Used {
  readonly principal: Principal;
  readonly lease: QuotaLease;
  readonly answered: Answered;
  readonly units: number;
}

export class AccountMeter implements Meter {
  readonly #options: MeterOptions;
  readonly #calendar = new Calendar();
  readonly #ledgers: Readonly<Record<Environment, Map<string, Ledger>>> = {
    live: new Map(),
    test: new Map(),
  };
  readonly #rates: Readonly<Record<Principal['tier'], Rate>>;
  readonly #maps: RequestLimit;
  readonly #visitors: VisitorLimits;
  readonly #outageUnits: OutageUnits;
  readonly #bucketOf: ReturnType<Limiters['buckets']>;
  readonly #windowOf: ReturnType<Limiters['windows']>;

  constructor(options: MeterOptions) {
    this.#options = options;
    const { mapsPerSecond: perSecond, monotonicMs, limiters } = options;
    this.#maps = new RequestLimit({ perSecond, monotonicMs, limiters });
    this.#visitors = new VisitorLimits({ monotonicMs, limiters });
    this.#outageUnits = new OutageUnits({ limiters, monotonicMs, outages: options.outages });
    this.#bucketOf = limiters.buckets('accounts');
    this.#windowOf = limiters.windows('clients of public keys', METERING_LIMITS.publicKeyRequests);
    const { free, pro, business } = options.plans;
    this.#rates = {
      free: burstRate(free.requestsPerSecond),
      pro: burstRate(pro.requestsPerSecond),
      business: burstRate(business.requestsPerSecond),
    };
  }

  get accounts(): number {
    return this.#ledgers.live.size + this.#ledgers.test.size;
  }

  admit(principal: Principal, clientAddress: string): void {
    const share = this.#options.limiters.share.read();
    if (share.fraction === 0) throw noShareYet();
    const nowMs = this.#options.monotonicMs();
    const window = isLimitedByAddress(principal) ? this.#window(principal, clientAddress) : null;
    if (window?.remaining(share, nowMs) === 0) {
      throw tooFast(window.waitMs(share, nowMs), 'this client address');
    }
    const bucket = this.#bucket(principal);
    const waitMs = bucket.take(this.#rates[principal.tier], share, nowMs);
    if (waitMs > 0) throw tooFast(waitMs, 'this plan');
    const addressWaitMs = window?.take(share, nowMs) ?? 0;
    if (addressWaitMs === 0) return;
    // Another thread was first.
    bucket.give();
    throw tooFast(addressWaitMs, 'this client address');
  }

  restore(principal: Principal): void {
    this.#bucket(principal).give();
  }

  admitMap(principal: Principal, clientAddress: string): void {
    if (this.#options.limiters.share.read().fraction === 0) throw noShareYet();
    this.#maps.admit(principal, clientAddress);
  }

  mapLimits(principal: Principal, clientAddress: string): MapLimitStates {
    return this.#maps.states(principal, clientAddress);
  }

  reserve(principal: Principal, units: number): void | Promise<void> {
    const { visitor } = principal;
    if (visitor === undefined) return this.#reserveOf(principal, units);
    this.#visitors.take(visitor, units);
    const failed = (error: unknown): never => {
      this.#visitors.giveBack(visitor, units);
      throw error;
    };
    try {
      return this.#reserveOf(principal, units)?.catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  #reserveOf(principal: Principal, units: number): void | Promise<void> {
    const lease = this.#lease(principal);
    if (lease.take(units, this.#options.monotonicMs())) {
      if (lease.free < lease.lowWater)
        this.#options.quota.prefetch(lease, this.#ceiling(principal));
      return undefined;
    }
    const wish = this.#wish(principal, units);
    if (this.#options.outages.isUnavailable) {
      this.#reserveWithoutStore(principal, wish);
      return undefined;
    }
    this.#options.quota.refuseIfKnown(lease, wish);
    return this.#reserveLater(principal, wish);
  }

  settle(principal: Principal, reserved: number, answered: Answered): void {
    this.settleAll([{ principal, reserved, answered }]);
  }

  settleAll(settlements: readonly Settlement[]): void {
    const used: Used[] = [];
    for (const settlement of settlements) this.#release(settlement, used);
    if (used.length > 0) this.#record(used);
  }

  #release({ principal, reserved, answered }: Settlement, used: Used[]): void {
    const { units } = answered;
    if (units > reserved) throw new RangeError(`${units} units answered, ${reserved} reserved.`);
    if (reserved === 0) return;
    const { visitor } = principal;
    if (visitor !== undefined) this.#visitors.giveBack(visitor, reserved - units);
    const ledger = this.#ledger(principal);
    // The usual case, without a list.
    if (ledger.others.every(({ held }) => held === 0)) {
      if (ledger.lease.held < reserved) throw unheld();
      release(ledger.lease, reserved);
      if (units > 0) used.push({ principal, lease: ledger.lease, answered, units });
      return;
    }
    let left = units;
    for (const [lease, part] of releaseAll([...ledger.others, ledger.lease], reserved)) {
      const counted = Math.min(part, left);
      if (counted > 0) used.push({ principal, lease, answered, units: counted });
      left -= counted;
    }
  }

  limits(principal: Principal, clientAddress: string): LimitStates {
    const share = this.#options.limiters.share.read();
    const nowMs = this.#options.monotonicMs();
    return {
      burst: this.#burstState(principal, share, nowMs),
      month: this.#monthState(principal),
      visitor: principal.visitor === undefined ? null : this.#visitors.state(principal.visitor),
      address: isLimitedByAddress(principal)
        ? this.#addressState(this.#window(principal, clientAddress), share, nowMs)
        : null,
    };
  }

  async tidy(): Promise<void> {
    // Units in memory are worth more while none are granted.
    if (this.#options.outages.isUnavailable) return;
    this.#outageUnits.over();
    const nowMs = this.#options.monotonicMs();
    const idleSinceMs = nowMs - METERING_LIMITS.quotaIdleMs;
    const keptSinceMs = nowMs - METERING_LIMITS.quotaKeptMs;
    const isOver = (lease: QuotaLease) => lease.isDone && lease.usedAtMs <= keptSinceMs;
    const month = this.#calendar.month(this.#options.clock.nowMs());
    const back: QuotaLease[] = [];
    for (const ledgers of Object.values(this.#ledgers)) {
      for (const [account, ledger] of ledgers) {
        ledger.others = ledger.others.filter((lease) => !isOver(lease));
        back.push(...ledger.others.filter((lease) => !lease.isDone));
        const { lease } = ledger;
        const isIdle = lease.usedAtMs <= idleSinceMs;
        if (!isOf(lease, month) || isIdle || lease.unsure) back.push(lease);
        if (isOver(lease) && ledger.others.length === 0) ledgers.delete(account);
      }
    }
    await this.#options.quota.giveBack(back);
  }

  async giveBackAll(): Promise<void> {
    const leases = Object.values(this.#ledgers).flatMap((ledgers) =>
      [...ledgers.values()].flatMap(({ lease, others }) => [lease, ...others]),
    );
    for (const { busy } of leases) await busy;
    await this.#options.quota.giveBack(leases);
  }

  async #reserveLater(principal: Principal, wish: Wish): Promise<void> {
    try {
      await this.#reserveGranted(principal, wish);
    } catch (error) {
      if (!isStoreUnreachable(error) || !this.#options.outages.isUnavailable) throw error;
      this.#reserveWithoutStore(principal, wish);
    }
  }

  /** Throws when the account's outage units are used up. */
  #reserveWithoutStore(principal: Principal, wish: Wish): void {
    const { quota, monotonicMs } = this.#options;
    if (wish.units > wish.ceiling) throw exceeded(wish);
    const lease = this.#lease(principal);
    const missing = wish.units - lease.free;
    const most = this.#mostInOutage(principal);
    if (missing > 0 && !this.#outageUnits.take(principal, missing, most)) {
      // A slow store may have granted some by the next request.
      quota.prefetch(lease, wish.ceiling);
      if (quota.expected(lease, { ...wish, share: 1 }) === 0) throw exceeded(wish);
      throw storeUnreachable(undefined, LIMITS.retryAfterS.busy);
    }
    if (missing > 0) lease.add(missing);
    lease.take(wish.units, monotonicMs());
  }

  /** Units beyond the account's leases. */
  #mostInOutage(principal: Principal): number {
    const { plans, quota, limiters } = this.#options;
    // A visitor has its own limit, and no one is billed.
    if (principal.visitor !== undefined) return Infinity;
    const plan = plans[principal.tier];
    const reading = quota.reading(this.#lease(principal));
    // An unknown account continues only if it pays for overage.
    const unknown = plan.overage && principal.environment === 'live' ? Infinity : 0;
    return mostInOutage({
      monthUnits: plan.unitsPerMonth[principal.environment],
      left: reading === null ? unknown : this.#ceiling(principal) - reading.taken,
      share: limiters.share.read().fraction,
    });
  }

  async #reserveGranted(principal: Principal, wish: Wish): Promise<void> {
    const { quota, monotonicMs } = this.#options;
    for (let round = 0; round < METERING_LIMITS.quotaRounds; round++) {
      await quota.wait(this.#lease(principal), wish);
      // The month may have changed meanwhile.
      const lease = this.#lease(principal);
      if (lease.take(wish.units, monotonicMs())) return;
      quota.refuseIfKnown(lease, wish);
    }
    throw uncountable();
  }

  #record(used: readonly Used[]): void {
    const nowMs = this.#options.clock.nowMs();
    try {
      this.#options.journal.record(used.map((use) => this.#entry(use, nowMs)));
    } catch (error) {
      throw uncountable(error);
    }
    for (const { lease, units } of used) lease.free -= units;
  }

  #entry({ principal, lease, answered, units }: Used, nowMs: number): Entry {
    const { startMs, endMs } = lease.month;
    // An answer after the month of its units counts in that month's last millisecond.
    const atMs = Math.min(Math.max(nowMs, startMs), endMs - 1);
    return {
      atMs,
      date: this.#calendar.date(atMs),
      keyId: principal.keyId,
      accountId: principal.accountId,
      operation: answered.operation,
      environment: principal.environment,
      units,
      generation: answered.generation,
      requestId: answered.requestId,
    };
  }

  #ledger({ accountId, environment }: Principal): Ledger {
    const ledgers = this.#ledgers[environment];
    const known = ledgers.get(accountId);
    if (known !== undefined) return known;
    if (ledgers.size >= METERING_LIMITS.meteredAccounts) throw uncountable();
    const lease = newLease(accountId, environment, this.#month());
    const bucket = this.#bucketOf(`${environment} ${accountId}`);
    const ledger: Ledger = { bucket, lease, others: [] };
    ledgers.set(accountId, ledger);
    return ledger;
  }

  #bucket(principal: Principal): TokenBucket {
    const { visitor } = principal;
    return visitor === undefined ? this.#ledger(principal).bucket : this.#visitors.bucket(visitor);
  }

  #lease(principal: Principal): QuotaLease {
    const ledger = this.#ledger(principal);
    const month = this.#month();
    if (isOf(ledger.lease, month)) return ledger.lease;
    const leases = [...ledger.others, ledger.lease];
    ledger.lease =
      leases.find((lease) => isOf(lease, month)) ??
      newLease(principal.accountId, principal.environment, month);
    ledger.others = leases.filter((lease) => lease !== ledger.lease);
    return ledger.lease;
  }

  #month(): Month {
    return this.#calendar.month(this.#options.clock.nowMs());
  }

  /** Visitors of the trial have their own limits (D152). */
  #ceiling({ tier, environment, capUnits, visitor }: Principal): number {
    if (visitor !== undefined) return TRIAL.monthUnits;
    return monthlyCeiling(this.#options.plans[tier], { environment, capUnits });
  }

  #wish(principal: Principal, units: number): Wish {
    return { units, ceiling: this.#ceiling(principal), resetS: this.#monthLeftS() };
  }

  #monthLeftS(): number {
    return Math.max(1, Math.ceil((this.#month().endMs - this.#options.clock.nowMs()) / 1000));
  }

  #window({ keyId }: Principal, clientAddress: string): RequestWindow {
    return this.#windowOf(`${keyId} ${clientOf(clientAddress)}`);
  }

  #burstState(principal: Principal, share: Share, nowMs: number): LimitState {
    const rate = this.#rates[principal.tier];
    const level = this.#bucket(principal).level(rate, share, nowMs);
    return bucketState(level, { rate, share });
  }

  #monthState(principal: Principal): LimitState | null {
    if (principal.visitor !== undefined) return null;
    const lease = this.#lease(principal);
    const ceiling = this.#ceiling(principal);
    const remaining = this.#remaining(principal, lease, ceiling);
    if (remaining === null) return null;
    const { startMs, endMs } = lease.month;
    return {
      limit: ceiling,
      windowS: Math.round((endMs - startMs) / 1000),
      remaining,
      resetS: this.#monthLeftS(),
    };
  }

  /** 0 only if one more unit would be refused; null: unknown. */
  #remaining(principal: Principal, lease: QuotaLease, ceiling: number): number | null {
    const { quota, outages, limiters } = this.#options;
    const { free } = lease;
    if (outages.isUnavailable)
      return free + this.#outageUnits.left(principal, this.#mostInOutage(principal));
    // Each thread has leases of its own.
    const known = { ceiling, share: limiters.share.read().fraction / limiters.threads };
    return free > 0 ? free + quota.beyond(lease, known) : quota.expected(lease, known);
  }

  #addressState(window: RequestWindow, share: Share, nowMs: number): LimitState {
    const { limit, windowMs } = METERING_LIMITS.publicKeyRequests;
    return {
      limit,
      windowS: windowMs / 1000,
      remaining: window.remaining(share, nowMs),
      resetS: Math.ceil(window.resetMs(nowMs) / 1000),
    };
  }
}

function newLease(accountId: string, environment: Environment, month: Month): QuotaLease {
  return new QuotaLease({ accountId, environment, month: month.firstDay }, month);
}

function isOf({ month }: QuotaLease, { startMs }: Month): boolean {
  return month.startMs === startMs;
}

/** Keys in web pages (D68). */
function isLimitedByAddress(principal: Principal): boolean {
  return principal.kind === 'public' || isTrial(principal);
}

/** For a process that just started. */
function noShareYet(): Failure {
  return new Failure('overloaded', {
    code: 'starting',
    error: 'The service is starting. Try again after Retry-After.',
    errorDa: 'Tjenesten er ved at starte. Prøv igen efter Retry-After.',
  });
}

function tooFast(waitMs: number, whose: 'this plan' | 'this client address'): Failure {
  const danish = whose === 'this plan' ? 'Abonnementets' : 'Klientadressens';
  return new Failure('rate_limited', {
    error: `The request rate of ${whose} is exceeded. Try again after Retry-After.`,
    errorDa: `${danish} grænse for forespørgsler er nået. Prøv igen efter Retry-After.`,
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
