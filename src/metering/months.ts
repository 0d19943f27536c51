/**
 * What is left of the months as last read: for RateLimit headers without a lease, and to bound
 * outages.
 */
import type { Environment } from '../account/plans.ts';
import { METERING_LIMITS } from './limits.ts';
import type { GrantKey, MonthRow, MonthTaken } from './store-grants.ts';

export interface MonthReading extends MonthTaken {
  /** When requested, in the meter's time: excludes later usage. */
  readonly atMs: number;
}

interface ReadMonths {
  readonly month: string;
  readonly rows: readonly MonthRow[];
}

export interface MonthsOptions {
  readonly read: (month: string, most: number) => Promise<readonly MonthRow[]>;
  readonly monotonicMs: () => number;
  readonly most: number;
}

export class Months {
  readonly #options: MonthsOptions;
  #byAccount: Readonly<Record<Environment, ReadonlyMap<string, MonthReading>>> | null = null;
  #month = '';
  #unnamed: MonthReading = { taken: 0, others: 0, atMs: -Infinity };

  constructor(options: MonthsOptions) {
    this.#options = options;
  }

  /** Since the last reading. */
  get ageMs(): number {
    return this.#options.monotonicMs() - this.#unnamed.atMs;
  }

  /** On failure the last reading stays. */
  async refresh(month: string): Promise<readonly MonthRow[]> {
    const { read, monotonicMs, most } = this.#options;
    const atMs = monotonicMs();
    const rows = await read(month, most);
    this.#learn({ month, rows, atMs, most });
    return rows;
  }

  /** From an earlier run, `ageMs` ago. */
  recall({ month, rows, ageMs }: ReadMonths & { readonly ageMs: number }): void {
    if (this.#byAccount !== null) return;
    const atMs = this.#options.monotonicMs() - ageMs;
    this.#learn({ month, rows, atMs, most: METERING_LIMITS.monthsLastKnown });
  }

  #learn({ month, rows, atMs, most }: ReadMonths & Record<'atMs' | 'most', number>): void {
    const byAccount = {
      live: new Map<string, MonthReading>(),
      test: new Map<string, MonthReading>(),
    };
    for (const { accountId, environment, taken, others } of rows) {
      byAccount[environment].set(accountId, { taken, others, atMs });
    }
    // Highest first: a missing account has taken no more than the last.
    const taken = rows.length < most ? 0 : (rows.at(-1)?.taken ?? 0);
    this.#byAccount = byAccount;
    this.#month = month;
    this.#unnamed = { taken, others: 0, atMs };
  }

  /** null: nothing was read yet. */
  takenBy({ accountId, environment, month }: GrantKey): MonthReading | null {
    // Date texts sort by time.
    if (this.#byAccount === null || month < this.#month) return null;
    // The month has changed since: nothing of it was used then.
    if (month > this.#month) return { taken: 0, others: 0, atMs: this.#unnamed.atMs };
    return this.#byAccount[environment].get(accountId) ?? this.#unnamed;
  }
}
