/**
 * Limits are checked before the work, and units recorded before the answer leaves, usually without
 * a round trip.
 */
import type { Principal } from '../account/principal.ts';

/** For the RateLimit headers (D65). */
export interface LimitState {
  readonly limit: number;
  readonly windowS: number;
  /** Never more than will be granted. */
  readonly remaining: number;
  /** Until the whole limit is available. */
  readonly resetS: number;
}

export interface LimitStates {
  readonly burst: LimitState;
  /** null: unknown until the store has answered. */
  readonly month: LimitState | null;
  /** Per client address of a public key (D68); null for a secret key. */
  readonly address: LimitState | null;
  /**
   * Units per day of a visitor of the open trial (D152), instead of the month's; null for other
   * keys.
   */
  readonly visitor: LimitState | null;
}

export interface MapLimitStates {
  readonly key: LimitState;
  readonly address: LimitState;
}

export interface Answered {
  readonly operation: string;
  readonly requestId: string;
  /** Of the answer's data (D19); null: none. */
  readonly generation: number | null;
  /** At most the reserved units. 0: nothing is recorded (D62). */
  readonly units: number;
}

export interface Settlement {
  readonly principal: Principal;
  readonly reserved: number;
  readonly answered: Answered;
}

export interface Meter {
  /**
   * Takes one request of the burst limit, and of a public key's client address. Throws
   * `rate_limited` with Retry-After, taking nothing.
   */
  admit(principal: Principal, clientAddress: string): void;
  /** Returns the burst token; a client address's stays taken. */
  restore(principal: Principal): void;
  /**
   * Reserves units of the month, at once while the lease lasts, else after one question to the
   * store. Fails with `quota_exceeded` or, when the store cannot be asked, `overloaded`.
   */
  reserve(principal: Principal, units: number): void | Promise<void>;
  /**
   * Records the answered units in the journal and frees the rest. Throws when it cannot be written:
   * the answer must not leave.
   */
  settle(principal: Principal, reserved: number, answered: Answered): void;
  /** In one write: if it throws, none is recorded. */
  settleAll(settlements: readonly Settlement[]): void;
  limits(principal: Principal, clientAddress: string): LimitStates;
  /** Takes one map request of key and client address. Throws `rate_limited`, taking nothing. */
  admitMap(principal: Principal, clientAddress: string): void;
  mapLimits(principal: Principal, clientAddress: string): MapLimitStates;
}
