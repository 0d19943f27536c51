/** Limits maps apart: panning must not use up the lookups' burst. */
import type { Principal } from '../account/principal.ts';
import { clientOf } from '../kernel/client-address.ts';
import { Failure } from '../kernel/failures.ts';
import type { Limiters } from '../kernel/limiters.ts';
import type { StateOf } from '../kernel/network-limiters.ts';
import { bucketState, burstRate } from '../kernel/burst.ts';
import type { LimitState, Rate, TokenBucket } from '../kernel/burst.ts';
import type { MapLimitStates } from './meter-types.ts';

export interface RequestLimitOptions {
  readonly perSecond: number;
  readonly monotonicMs: () => number;
  readonly limiters: Limiters;
}

export class RequestLimit {
  readonly #options: RequestLimitOptions;
  readonly #rate: Rate;
  readonly #keys: StateOf<TokenBucket>;
  readonly #addresses: StateOf<TokenBucket>;

  constructor(options: RequestLimitOptions) {
    this.#options = options;
    this.#rate = burstRate(options.perSecond);
    const { limiters } = options;
    this.#keys = limiters.buckets('map keys');
    this.#addresses = limiters.buckets('map addresses');
  }

  /** Throws rate_limited with Retry-After, taking nothing. */
  admit(principal: Principal, clientAddress: string): void {
    const share = this.#options.limiters.share.read();
    const nowMs = this.#options.monotonicMs();
    const key = this.#keys(keyHolder(principal));
    const address = this.#addresses(clientOf(clientAddress));
    const isKeyAsked = address.level(this.#rate, share, nowMs) >= 1;
    if (isKeyAsked) {
      const waitMs = key.take(this.#rate, share, nowMs);
      if (waitMs > 0) throw this.#tooFast(waitMs, 'key');
    }
    const waitMs = address.take(this.#rate, share, nowMs);
    if (waitMs === 0) return;
    // Another thread was first.
    if (isKeyAsked) key.give();
    throw this.#tooFast(waitMs, 'client address');
  }

  states(principal: Principal, clientAddress: string): MapLimitStates {
    return {
      key: this.#state(this.#keys(keyHolder(principal))),
      address: this.#state(this.#addresses(clientOf(clientAddress))),
    };
  }

  #state(bucket: TokenBucket): LimitState {
    const share = this.#options.limiters.share.read();
    const level = bucket.level(this.#rate, share, this.#options.monotonicMs());
    return bucketState(level, { rate: this.#rate, share });
  }

  #tooFast(waitMs: number, whose: 'key' | 'client address'): Failure {
    const { perSecond } = this.#options;
    const danish = whose === 'key' ? 'Nøglens' : 'Klientadressens';
    return new Failure('rate_limited', {
      error:
        `Map requests of this ${whose} are limited to ${perSecond} a second. ` +
        'Try again after Retry-After.',
      errorDa:
        `${danish} grænse på ${perSecond} kortforespørgsler i sekundet er nået. ` +
        'Prøv igen efter Retry-After.',
      retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }
}

/** Visitors share the trial's key, so each client address is a holder. */
function keyHolder({ keyId, visitor }: Principal): string {
  return visitor === undefined ? keyId : `${keyId} ${visitor}`;
}
