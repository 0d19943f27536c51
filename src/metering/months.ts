/**
 * What is left of everybody's month, as the store last said: read now and then for all accounts
 * together. What the RateLimit header tells of a key that holds no units, and the end of what an
 * account may use while the store is unavailable.
 */
import type { Environment } from '../account/plans.ts';
import type { MonthRow, MonthTaken } from './store-grants.ts';

export interface MonthsKnown {
  /** null: nothing was read of this month, nor of an earlier one. */
  takenBy(account: {
    readonly accountId: string;
    readonly environment: Environment;
    /** The month's first day. */
    readonly month: string;
  }): MonthReading | null;
}

export interface MonthReading extends MonthTaken {
  /** When it was asked for, in the meter's own time: it knows of nothing later. */
  readonly atMs: number;
}

export interface MonthsOptions {
  /** Throws when the store does not answer. */
  readonly read: (month: string, most: number) => Promise<readonly MonthRow[]>;
  readonly monotonicMs: () => number;
  /** Accounts kept of a reading. */
  readonly most: number;
}

export class Months implements MonthsKnown {
  readonly #options: MonthsOptions;
  #byAccount: Readonly<Record<Environment, ReadonlyMap<string, MonthReading>>> | null = null;
  #month = '';
  /** Of an account that the reading does not name. */
  #unnamed: MonthReading = { taken: 0, others: 0, atMs: -Infinity };

  constructor(options: MonthsOptions) {
    this.#options = options;
  }

  /** Since the last reading, milliseconds. */
  get ageMs(): number {
    return this.#options.monotonicMs() - this.#unnamed.atMs;
  }

  /** Reads them anew. Throws when the store does not answer: then what is known stays. */
  async refresh(month: string): Promise<void> {
    const { read, monotonicMs, most } = this.#options;
    const atMs = monotonicMs();
    const rows = await read(month, most);
    const byAccount = {
      live: new Map<string, MonthReading>(),
      test: new Map<string, MonthReading>(),
    };
    for (const { accountId, environment, taken, others } of rows) {
      byAccount[environment].set(accountId, { taken, others, atMs });
    }
    // The most come first: who was left out has taken no more than the last of them.
    const taken = rows.length < most ? 0 : (rows.at(-1)?.taken ?? 0);
    this.#byAccount = byAccount;
    this.#month = month;
    this.#unnamed = { taken, others: 0, atMs };
  }

  takenBy({
    accountId,
    environment,
    month,
  }: Parameters<MonthsKnown['takenBy']>[0]): MonthReading | null {
    // Dates as text are in the order of time.
    if (this.#byAccount === null || month < this.#month) return null;
    // The month has turned since: nobody had used anything of this one then.
    if (month > this.#month) return { taken: 0, others: 0, atMs: this.#unnamed.atMs };
    return this.#byAccount[environment].get(accountId) ?? this.#unnamed;
  }
}
