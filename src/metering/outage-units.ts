/**
 * Units beyond grants: a small part of the account's month, at most what was left at the last
 * reading.
 */
import type { Principal } from '../account/principal.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Limiters } from '../kernel/limiters.ts';
import type { StateOf } from '../kernel/network-limiters.ts';
import type { PeriodSum } from '../kernel/period-sum.ts';
import { METERING_LIMITS } from './limits.ts';

export function mostInOutage({
  monthUnits,
  left,
  share,
}: {
  readonly monthUnits: number;
  /** At the last reading before this outage. */
  readonly left: number;
  readonly share: number;
}): number {
  const { share: part, least } = METERING_LIMITS.outageUnits;
  const most = Math.max(least, Math.floor(part * monthUnits));
  return Math.max(0, Math.min(most, Math.floor(share * left)));
}

interface OutageUnitsOptions {
  readonly limiters: Limiters;
  readonly monotonicMs: () => number;
  readonly outages: Pick<StoreOutages, 'count'>;
}

/** Counts the present outage, in all threads of the process. */
export class OutageUnits {
  readonly #options: OutageUnitsOptions;
  readonly #sumOf: StateOf<PeriodSum>;

  constructor(options: OutageUnitsOptions) {
    this.#options = options;
    const { periodMs } = METERING_LIMITS.outageUnits;
    this.#sumOf = options.limiters.sums('units in outages', periodMs);
  }

  /** False: it would exceed `most`; takes nothing. */
  take(account: Account, units: number, most: number): boolean {
    return this.#sum(account).take(units, most, this.#options.monotonicMs());
  }

  left(account: Account, most: number): number {
    return this.#sum(account).left(most, this.#options.monotonicMs());
  }

  /** Call when the store is available. */
  over(): void {
    this.#options.limiters.outages.over();
  }

  #sum({ environment, accountId }: Account): PeriodSum {
    const outage = this.#options.limiters.outages.during(this.#options.outages.count);
    return this.#sumOf(`${outage} ${environment} ${accountId}`);
  }
}

type Account = Pick<Principal, 'environment' | 'accountId'>;
