/**
 * Whether the store answers: asked every second on a connection of its own, with little deadline, and
 * told by whoever meets a server that is unavailable. The one home of an outage: its number, its age and its
 * two lines in the log. A store that answers too late counts as unavailable until it answers in time again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DB_LIMITS } from './limits.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import type { Store } from './connect.ts';

/** What others need to know of it. */
export interface StoreOutages {
  /** The store is unavailable, or was a moment ago. */
  readonly isUnavailable: boolean;
  /** Outages begun so far: while the store is unavailable, the number of this one. */
  readonly count: number;
  /** Told of a statement that failed: the beginning of an outage when the server is unavailable. */
  failed(error: unknown): void;
}

/** For what has no store to lose: tests and tools. */
export const NO_OUTAGES: StoreOutages = { isUnavailable: false, count: 0, failed: () => undefined };

export interface StoreWatchOptions {
  readonly store: Pick<Store, 'probe'>;
  readonly log: (message: string) => void;
  /** Milliseconds that never go back; tests turn it. */
  readonly monotonicMs?: () => number;
}

export class StoreWatch implements StoreOutages {
  readonly #store: StoreWatchOptions['store'];
  readonly #log: StoreWatchOptions['log'];
  readonly #monotonicMs: () => number;
  readonly #stop = new AbortController();
  #wake = Promise.withResolvers<undefined>();
  #loop: Promise<void> | null = null;
  #count = 0;
  #sinceMs: number | null = null;
  /** Answers in time, one after the other, since the last that was not. */
  #goodInARow = 0;

  constructor({ store, log, monotonicMs = () => performance.now() }: StoreWatchOptions) {
    this.#store = store;
    this.#log = log;
    this.#monotonicMs = monotonicMs;
  }

  get isUnavailable(): boolean {
    return this.#sinceMs !== null;
  }

  get count(): number {
    return this.#count;
  }

  /** Seconds that the outage has lasted; null: the store answers. */
  get unavailableS(): number | null {
    return this.#sinceMs === null ? null : (this.#monotonicMs() - this.#sinceMs) / 1000;
  }

  failed(error: unknown): void {
    if (!isServerUnavailable(error)) return;
    this.#goodInARow = 0;
    this.#begin(error);
  }

  /** Resolves when it has asked once, so that what starts after it knows. */
  async start(): Promise<void> {
    if (this.#loop !== null) return;
    const first = this.look();
    this.#loop = this.#run(first);
    await first;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Asks once. Never rejects. */
  async look(): Promise<void> {
    try {
      await this.#store.probe();
    } catch (error) {
      this.#goodInARow = 0;
      if (!this.#stop.signal.aborted) this.#begin(error);
      return;
    }
    this.#goodInARow += 1;
    if (this.#goodInARow >= DB_LIMITS.storeProbesGood) this.#end();
  }

  async #run(first: Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    await first;
    for (;;) {
      this.#wake = Promise.withResolvers();
      await Promise.race([
        sleep(DB_LIMITS.storeProbeEveryMs, undefined, { signal, ref: false }).catch(
          () => undefined,
        ),
        this.#wake.promise,
      ]);
      if (signal.aborted) return;
      await this.look();
    }
  }

  #begin(error: unknown): void {
    if (this.#sinceMs !== null) return;
    this.#sinceMs = this.#monotonicMs();
    this.#count += 1;
    this.#log(`The store does not answer (${reasonOf(error)}): answering from memory meanwhile.`);
    // How it goes on is of interest now.
    this.#wake.resolve(undefined);
  }

  #end(): void {
    const lastedS = this.unavailableS;
    if (lastedS === null) return;
    this.#sinceMs = null;
    this.#log(`The store answers again, after ${lastedS.toFixed(1)} s.`);
  }
}

function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error && first.message !== '' ? first.message : String(first);
}
