/** Limits are checked and units recorded usually without a round trip. */
import type { Principal } from '../account/principal.ts';
import type { LimitState } from '../kernel/burst.ts';

export interface LimitStates {
  readonly burst: LimitState;
  /** null: unknown until the store has answered. */
  readonly month: LimitState | null;
  /** Per client address of a public key (D68); null for a secret key. */
  readonly address: LimitState | null;
  /** Units of the open trial a day (D152); null for other keys. */
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
   * Counts a request of the burst limit and of a public key's client address. Throws `rate_limited`
   * with Retry-After, taking nothing.
   */
  admit(principal: Principal, clientAddress: string): void;
  /** Returns the burst token; a client address's stays taken. */
  restore(principal: Principal): void;
  /** Waits only when the lease is used up. Fails with `quota_exceeded` or `overloaded`. */
  reserve(principal: Principal, units: number): void | Promise<void>;
  /**
   * Frees unanswered units. Throws when the journal cannot be written: the answer must not leave.
   */
  settle(principal: Principal, reserved: number, answered: Answered): void;
  /** In one write: if it throws, none is recorded. */
  settleAll(settlements: readonly Settlement[]): void;
  limits(principal: Principal, clientAddress: string): LimitStates;
  /** Counts by key and client address. Throws `rate_limited`, taking nothing. */
  admitMap(principal: Principal, clientAddress: string): void;
  mapLimits(principal: Principal, clientAddress: string): MapLimitStates;
}
