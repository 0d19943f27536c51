/** Probes the store every second on its own connection. */
import { DB_LIMITS } from './limits.ts';
import { without } from '../kernel/log.ts';
import type { TroubleLog } from '../kernel/log.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { Rounds } from '../kernel/rounds.ts';
import type { Store } from './connect.ts';

export interface StoreOutages {
  readonly isUnavailable: boolean;
  /** During an outage, its number. */
  readonly count: number;
  /** A failed statement starts an outage if the server is unavailable. */
  failed(error: unknown): void;
}

export const NO_OUTAGES: StoreOutages = { isUnavailable: false, count: 0, failed: () => undefined };

export interface StoreWatchOptions {
  readonly store: Pick<Store, 'probe'>;
  readonly log: TroubleLog;
  readonly missing?: () => readonly string[];
}

export class StoreWatch implements StoreOutages {
  readonly #options: StoreWatchOptions;
  readonly #rounds = new Rounds();
  #count = 0;
  #sinceMs: number | null = null;
  #goodInARow = 0;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  get isUnavailable(): boolean {
    return this.#sinceMs !== null;
  }

  get count(): number {
    return this.#count;
  }

  /** null: the store answers. */
  get unavailableS(): number | null {
    return this.#sinceMs === null ? null : (performance.now() - this.#sinceMs) / 1000;
  }

  failed(error: unknown): void {
    if (!isServerUnavailable(error)) return;
    this.#goodInARow = 0;
    if (this.isUnavailable) return;
    this.#begin(error);
    this.#rounds.wake();
  }

  async start(): Promise<void> {
    this.#rounds.start(async () => {
      await this.look();
      return DB_LIMITS.storeProbeEveryMs;
    });
    await this.#rounds.first;
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Never rejects. */
  async look(): Promise<void> {
    try {
      // It may answer on an open connection and refuse new ones.
      await this.#options.store.probe(this.isUnavailable);
    } catch (error) {
      this.#goodInARow = 0;
      if (!this.#rounds.signal.aborted) this.#begin(error);
      return;
    }
    this.#goodInARow += 1;
    if (this.#goodInARow >= DB_LIMITS.storeProbesGood) this.#end();
  }

  #begin(error: unknown): void {
    if (this.#sinceMs !== null) return;
    this.#sinceMs = performance.now();
    this.#count += 1;
    const { log, missing } = this.#options;
    const from = `answering from memory meanwhile${without(missing?.() ?? [])}`;
    log.error(`The store does not answer (${reasonOf(error)}): ${from}.`);
  }

  #end(): void {
    const lastedS = this.unavailableS;
    if (lastedS === null) return;
    this.#sinceMs = null;
    this.#options.log.warn(`The store answers again, after ${lastedS.toFixed(1)} s.`);
  }
}

function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error && first.message !== '' ? first.message : String(first);
}
