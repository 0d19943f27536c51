/**
 * Requests without units, per key and client address, in their own token buckets: panning a map does not
 * use up the lookups' burst.
 */
import type { Principal } from '../account/principal.ts';
import { cacheByCount } from '../kernel/cache.ts';
import type { Cache } from '../kernel/cache.ts';
import { clientOf } from '../kernel/client-address.ts';
import { Failure } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { Bucket, burstRate } from '../kernel/burst.ts';
import type { Rate, Share } from '../kernel/burst.ts';
import type { LimitState, MapLimitStates } from './meter-types.ts';

export interface RequestLimitOptions {
  readonly perSecond: number;
  readonly share: () => Share;
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
}

/** A bucket holds two seconds' worth (D60). */
const WINDOW_S = 2;

export class RequestLimit {
  readonly #options: RequestLimitOptions;
  readonly #rate: Rate;
  readonly #keys: Cache<Bucket> = cacheByCount(LIMITS.kort.clients, 0);
  readonly #addresses: Cache<Bucket> = cacheByCount(LIMITS.kort.clients, 0);

  constructor(options: RequestLimitOptions) {
    this.#options = options;
    this.#rate = burstRate(options.perSecond);
  }

  /** Takes one request of both. Throws rate_limited with Retry-After, taking nothing. */
  admit(principal: Principal, clientAddress: string): void {
    const share = this.#options.share();
    const nowMs = this.#options.monotonicMs();
    const address = bucketOf(this.#addresses, clientOf(clientAddress));
    if (address.level(this.#rate, share, nowMs) >= 1) {
      const waitMs = bucketOf(this.#keys, keyHolder(principal)).take(this.#rate, share, nowMs);
      if (waitMs > 0) throw this.#tooFast(waitMs, 'key');
    }
    const waitMs = address.take(this.#rate, share, nowMs);
    if (waitMs > 0) throw this.#tooFast(waitMs, 'client address');
  }

  states(principal: Principal, clientAddress: string): MapLimitStates {
    return {
      key: this.#state(bucketOf(this.#keys, keyHolder(principal))),
      address: this.#state(bucketOf(this.#addresses, clientOf(clientAddress))),
    };
  }

  #state(bucket: Bucket): LimitState {
    const share = this.#options.share();
    const level = bucket.level(this.#rate, share, this.#options.monotonicMs());
    const perS = this.#rate.perMs * share.fraction * 1000;
    const missing = this.#rate.size * share.fraction - level;
    return {
      limit: this.#rate.size,
      windowS: WINDOW_S,
      remaining: Math.floor(level),
      resetS: missing <= 0 || perS === 0 ? 0 : Math.ceil(missing / perS),
    };
  }

  #tooFast(waitMs: number, whose: 'key' | 'client address'): Failure {
    const { perSecond } = this.#options;
    const danish = whose === 'key' ? 'nøglens' : 'klientadressens';
    return new Failure('rate_limited', {
      error:
        `Map requests of this ${whose} are limited to ${perSecond} a second. ` +
        'Try again after Retry-After.',
      errorDa:
        `${danish} grænse på ${perSecond} kortforespørgsler i sekundet er nået. Prøv igen efter Retry-After.`.replace(
          /^./,
          (first) => first.toUpperCase(),
        ),
      retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }
}

/** Visitors share the trial's key, so each client address is a holder. */
function keyHolder({ keyId, visitor }: Principal): string {
  return visitor === undefined ? keyId : `${keyId} ${visitor}`;
}

function bucketOf(buckets: Cache<Bucket>, name: string): Bucket {
  const known = buckets.get(name);
  if (known !== undefined) return known;
  const made = new Bucket();
  buckets.set(name, made);
  return made;
}
