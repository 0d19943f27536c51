/**
 * A visit takes a burst token, a place in flight and units, in this order; place and units are
 * settled once.
 */
import type { IncomingMessage } from 'node:http';
import { asVisitor, holderOf } from '../account/principal.ts';
import type { Principal } from '../account/principal.ts';
import type {
  Answered,
  LimitStates,
  MapLimitStates,
  Meter,
  Settlement,
} from '../metering/meter-types.ts';
import type { LimitState } from '../kernel/burst.ts';
import type { InFlight } from './plugins/concurrency.ts';

export class Visit {
  readonly principal: Principal;
  readonly holder: string;
  readonly #clientAddress: string;
  readonly #meter: Meter;
  #inFlight: InFlight | null = null;
  #reserved = 0;
  #units = 0;
  #generation: number | null = null;
  #isAdmitted = false;
  #isMap = false;
  #isOver = false;

  constructor(meter: Meter, principal: Principal, clientAddress: string) {
    this.#meter = meter;
    this.principal = asVisitor(principal, clientAddress);
    this.holder = holderOf(this.principal);
    this.#clientAddress = clientAddress;
  }

  /** The tarpit does not hold a paid answer. */
  get isPaidFor(): boolean {
    return this.#reserved > 0 || this.#isMap;
  }

  get isInFlight(): boolean {
    return this.#inFlight !== null;
  }

  /** Throws rate_limited, taking nothing. */
  admit(): void {
    this.#meter.admit(this.principal, this.#clientAddress);
    this.#isAdmitted = true;
  }

  /** Gives the burst token back. Idempotent. */
  restore(): void {
    if (this.#isAdmitted) this.#meter.restore(this.principal);
    this.#isAdmitted = false;
  }

  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  admitMap(): void {
    this.#meter.admitMap(this.principal, this.#clientAddress);
    this.#isMap = true;
  }

  /** Takes a place until `leave`. Throws overloaded. */
  enter(inFlight: InFlight): void {
    inFlight.enter(this.principal, this.#clientAddress);
    this.#inFlight = inFlight;
  }

  /** Throws or rejects when too few are left. */
  reserve(units: number): void | Promise<void> {
    const waiting = this.#meter.reserve(this.principal, units);
    if (waiting === undefined) this.#granted(units);
    return waiting?.then(() => this.#granted(units));
  }

  /** Raises the reservation. Rejects when too few are left. */
  async reserveAll(units: number): Promise<void> {
    if (this.#reserved > 0 && units > this.#reserved) await this.reserve(units - this.#reserved);
  }

  /** Call before `end`. */
  answered(units: number, generation: number | null): void {
    this.#units = units;
    this.#generation = generation;
  }

  /** Settle it before the answer leaves; null: nothing. */
  end(operation: string, requestId: string): Settlement | null {
    if (this.#isOver) return null;
    this.#isOver = true;
    const reserved = this.#reserved;
    if (reserved === 0) return null;
    // If settling fails an error is sent, which is not billed.
    this.#reserved = 0;
    const answered = {
      operation,
      requestId,
      generation: this.#generation,
      units: this.#units,
    };
    return { principal: this.principal, reserved, answered };
  }

  /** Also releases unsettled units. Idempotent. */
  leave(): void {
    this.#inFlight?.leave(this.principal, this.#clientAddress);
    this.#inFlight = null;
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#reserved > 0) this.#giveBack(this.#reserved);
  }

  limitHeaders(): Record<string, string> {
    return limitHeaders(this.#meter.limits(this.principal, this.#clientAddress));
  }

  mapLimitHeaders(): Record<string, string> {
    return mapLimitHeaders(this.#meter.mapLimits(this.principal, this.#clientAddress));
  }

  #granted(units: number): void {
    if (this.#isOver) this.#giveBack(units);
    else this.#reserved += units;
  }

  #giveBack(units: number): void {
    this.#meter.settle(this.principal, units, NOTHING);
  }
}

export const admittedBefore = new WeakSet<IncomingMessage>();

const NOTHING: Answered = { operation: '', requestId: '', generation: null, units: 0 };

/** RateLimit and RateLimit-Policy of the IETF draft; the remainder is never overstated (D65). */
function limitHeaders({ burst, month, address, visitor }: LimitStates): Record<string, string> {
  let policy = policyOf('burst', burst);
  let left = stateOf('burst', burst);
  if (month !== null) {
    policy += `, ${policyOf('month', month)}`;
    left += `, ${stateOf('month', month)}`;
  }
  if (visitor !== null) {
    policy += `, ${policyOf('visitor', visitor)}`;
    left += `, ${stateOf('visitor', visitor)}`;
  }
  if (address !== null) {
    policy += `, ${policyOf('address', address)}`;
    left += `, ${stateOf('address', address)}`;
  }
  return { 'ratelimit-policy': policy, ratelimit: left };
}

function mapLimitHeaders({ key, address }: MapLimitStates): Record<string, string> {
  return {
    'ratelimit-policy': `${policyOf('kort', key)}, ${policyOf('kort-address', address)}`,
    ratelimit: `${stateOf('kort', key)}, ${stateOf('kort-address', address)}`,
  };
}

const policyOf = (name: string, { limit, windowS }: LimitState): string =>
  `"${name}";q=${limit};w=${windowS}`;

const stateOf = (name: string, { remaining, resetS }: LimitState): string =>
  `"${name}";r=${remaining};t=${resetS}`;
