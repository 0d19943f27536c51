/**
 * What metering offers the edge. Limits are checked before a request is worked on, and its units are on record
 * before its answer leaves, usually without a round trip.
 */
import type { Principal } from '../account/principal.ts';

/** One window of a limit, for the RateLimit headers (D65). */
export interface LimitState {
  /** What the policy allows in its window. */
  readonly limit: number;
  readonly windowS: number;
  /** Never more than is certain to be granted. */
  readonly remaining: number;
  /** Seconds until the whole limit is available again. */
  readonly resetS: number;
}

/** `month` and `visitor` count units, the other two count requests. */
export interface LimitStates {
  readonly burst: LimitState;
  /** null until this process has asked the store, and knows a number. */
  readonly month: LimitState | null;
  /** Per client address of a public key (D68); null for a secret key. */
  readonly address: LimitState | null;
  /** Units a day of one visitor of the open trial (D152), instead of the month's; null for any other key. */
  readonly visitor: LimitState | null;
}

/** The limits of map requests, which cost no unit. */
export interface MapLimitStates {
  readonly key: LimitState;
  readonly address: LimitState;
}

/** One answered request, for the bill. */
export interface Answered {
  readonly operation: string;
  readonly requestId: string;
  /** The data generation of the answer (D19); null where there is none. */
  readonly generation: number | null;
  /** At most what was reserved. 0: nothing was answered, nothing is recorded (D62). */
  readonly units: number;
}

/** How a reservation ends. */
export interface Settlement {
  readonly principal: Principal;
  readonly reserved: number;
  readonly answered: Answered;
}

export interface Meter {
  /**
   * Takes one request from the burst limit, and for a public key from the limit of the client's
   * address. Throws a Failure `rate_limited` with Retry-After; then nothing is taken.
   */
  admit(principal: Principal, clientAddress: string): void;
  /**
   * Sets units of the month aside for one request. Returns at once while the granted lease lasts,
   * else after one question to the store. A Failure, thrown or rejected: `quota_exceeded` when the
   * month does not hold them all; `overloaded` when the store cannot be asked.
   */
  reserve(principal: Principal, units: number): void | Promise<void>;
  /**
   * Ends a reservation: writes the answered units to the journal (on record when this returns) and
   * gives back the rest. Throws when the journal cannot be written: then the answer must not leave.
   */
  settle(principal: Principal, reserved: number, answered: Answered): void;
  /** The same for several, by one write: when it throws, none of them is on record. */
  settleAll(settlements: readonly Settlement[]): void;
  /** What the RateLimit headers may promise now. */
  limits(principal: Principal, clientAddress: string): LimitStates;
  /**
   * Takes one request of a map from limits of its own, of the key and of the client's address. Throws a
   * Failure `rate_limited` with Retry-After; then nothing is taken.
   */
  admitMap(principal: Principal, clientAddress: string): void;
  mapLimits(principal: Principal, clientAddress: string): MapLimitStates;
}
