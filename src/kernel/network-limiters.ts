/**
 * Limits of an IPv6 client also hold, a few times over, for its networks: a /48 is not 65,536
 * clients.
 */
import type { Rate, RequestWindow, Share, TokenBucket, WindowLimit } from './burst.ts';
import { cacheByCount } from './cache.ts';
import { networksOf } from './client-address.ts';
import type { Counter, CounterLimits } from './limited-counter.ts';
import type { BucketName, CounterName, SumName, WindowName } from './limiter-sizes.ts';
import type { PeriodSum } from './period-sum.ts';
import { remember } from './remember.ts';

export type StateOf<T> = (holder: string) => T;

export interface HolderLimiters {
  counter(name: CounterName, limits: CounterLimits): Counter;
  buckets(name: BucketName): StateOf<TokenBucket>;
  windows(name: WindowName, limit: WindowLimit): StateOf<RequestWindow>;
  sums(name: SumName, periodMs: number): StateOf<PeriodSum>;
}

/** States that a thread remembers of a limiter: making one is slower than using it. */
const STATES_KEPT = 32_768;

interface OfNetwork<T> {
  readonly state: T;
  readonly times: number;
}

export function withNetworks(inner: HolderLimiters): HolderLimiters {
  return {
    counter: (name, limits) => {
      const own = inner.counter(name, limits);
      const wide = { each: limits.each * UNIT, total: Infinity };
      return new NetworkCounter(own, inner.counter('networks', wide), name);
    },
    buckets: (name) => {
      const of = networkStates(name, inner.buckets('networks'));
      return wrapped(inner.buckets(name), of, (own, wide) => new NetworkBucket(own, wide));
    },
    windows: (name, limit) => {
      const of = networkStates(name, inner.sums('minutes of networks', limit.windowMs));
      return wrapped(
        inner.windows(name, limit),
        of,
        (own, wide) => new NetworkWindow(own, wide, limit.limit),
      );
    },
    sums: (name, periodMs) => {
      const of = networkStates(name, inner.sums('days of networks', periodMs));
      return wrapped(
        inner.sums(name, periodMs),
        of,
        (own, wide) => new NetworkSum([{ state: own, times: 1 }, ...wide]),
      );
    },
  };
}

function networkStates<T extends object>(
  name: string,
  stateOf: StateOf<T>,
): (holder: string) => readonly OfNetwork<T>[] {
  const remembered = rememberedStates((network) => stateOf(`${name} ${network}`));
  return (holder) =>
    networksOf(holder).map((network) => ({
      state: remembered(network.name),
      times: network.times,
    }));
}

function rememberedStates<T extends object>(stateOf: StateOf<T>): StateOf<T> {
  const states = cacheByCount<T>(STATES_KEPT, 0);
  return (holder) => remember(states, holder, () => stateOf(holder));
}

function wrapped<T extends object, W>(
  own: StateOf<T>,
  networks: (holder: string) => readonly OfNetwork<W>[],
  wrap: (own: T, networks: readonly OfNetwork<W>[]) => T,
): StateOf<T> {
  return rememberedStates((holder) => {
    const wide = networks(holder);
    return wide.length === 0 ? own(holder) : wrap(own(holder), wide);
  });
}

/** One counter serves networks of all sizes: a client adds less to a network that may have more. */
const UNIT = 16;

class NetworkCounter implements Counter {
  readonly #own: Counter;
  readonly #networks: Counter;
  readonly #name: string;

  constructor(own: Counter, networks: Counter, name: string) {
    this.#own = own;
    this.#networks = networks;
    this.#name = name;
  }

  add(of: string, amount = 1): keyof CounterLimits | null {
    const passed = this.#own.add(of, amount);
    if (passed !== null) return passed;
    const networks = networksOf(of);
    const full = networks.findIndex(
      ({ name, times }) =>
        this.#networks.add(`${this.#name} ${name}`, (amount * UNIT) / times) !== null,
    );
    if (full < 0) return null;
    this.#own.remove(of, amount);
    this.#removeFrom(networks.slice(0, full), amount);
    return 'each';
  }

  remove(of: string, amount = 1): void {
    this.#own.remove(of, amount);
    this.#removeFrom(networksOf(of), amount);
  }

  countOf(of: string): number {
    return this.#own.countOf(of);
  }

  #removeFrom(networks: ReturnType<typeof networksOf>, amount: number): void {
    for (const { name, times } of networks) {
      this.#networks.remove(`${this.#name} ${name}`, (amount * UNIT) / times);
    }
  }
}

class NetworkBucket implements TokenBucket {
  readonly #all: readonly OfNetwork<TokenBucket>[];

  constructor(own: TokenBucket, networks: readonly OfNetwork<TokenBucket>[]) {
    this.#all = [{ state: own, times: 1 }, ...networks];
  }

  take(rate: Rate, share: Share, nowMs: number, amount = 1): number {
    for (const [at, { state, times }] of this.#all.entries()) {
      const waitMs = state.take(larger(rate, times), share, nowMs, amount);
      if (waitMs === 0) continue;
      for (let n = 0; n < amount; n += 1)
        for (const taken of this.#all.slice(0, at)) taken.state.give();
      return waitMs;
    }
    return 0;
  }

  give(): void {
    for (const { state } of this.#all) state.give();
  }

  level(rate: Rate, share: Share, nowMs: number): number {
    const levels = this.#all.map(({ state, times }) =>
      state.level(larger(rate, times), share, nowMs),
    );
    return Math.min(...levels);
  }
}

function larger({ size, perMs }: Rate, times: number): Rate {
  return { size: size * times, perMs: perMs * times };
}

class NetworkSum implements PeriodSum {
  readonly #all: readonly OfNetwork<PeriodSum>[];

  constructor(all: readonly OfNetwork<PeriodSum>[]) {
    this.#all = all;
  }

  take(units: number, most: number, nowMs: number): boolean {
    const full = this.#all.findIndex(({ state, times }) => !state.take(units, most * times, nowMs));
    for (const { state } of this.#all.slice(0, Math.max(0, full))) state.giveBack(units);
    return full < 0;
  }

  giveBack(units: number): void {
    for (const { state } of this.#all) state.giveBack(units);
  }

  left(most: number, nowMs: number): number {
    return Math.min(...this.#all.map(({ state, times }) => state.left(most * times, nowMs)));
  }

  leftMs(nowMs: number): number {
    return Math.max(...this.#all.map(({ state }) => state.leftMs(nowMs)));
  }
}

/** A window stores moments of few requests, so networks are summed per window length. */
class NetworkWindow implements RequestWindow {
  readonly #own: RequestWindow;
  readonly #networks: NetworkSum;
  readonly #limit: number;

  constructor(own: RequestWindow, networks: readonly OfNetwork<PeriodSum>[], limit: number) {
    this.#own = own;
    this.#networks = new NetworkSum(networks);
    this.#limit = limit;
  }

  remaining(share: Share, nowMs: number): number {
    return Math.min(
      this.#own.remaining(share, nowMs),
      this.#networks.left(this.#most(share), nowMs),
    );
  }

  take(share: Share, nowMs: number): number {
    if (!this.#networks.take(1, this.#most(share), nowMs)) return this.waitMs(share, nowMs);
    const waitMs = this.#own.take(share, nowMs);
    if (waitMs > 0) this.#networks.giveBack(1);
    return waitMs;
  }

  waitMs(share: Share, nowMs: number): number {
    if (this.#own.remaining(share, nowMs) === 0) return this.#own.waitMs(share, nowMs);
    return Math.max(1, this.#networks.leftMs(nowMs));
  }

  resetMs(nowMs: number): number {
    return this.#own.resetMs(nowMs);
  }

  #most({ fraction }: Share): number {
    return Math.floor(this.#limit * fraction);
  }
}
