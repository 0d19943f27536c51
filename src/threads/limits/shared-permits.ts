import type { Permits } from '../../kernel/permits.ts';
import type { SharedCounter } from './counters.ts';

export interface PermitMemory {
  /** Waiting threads sleep on it. */
  readonly given: Int32Array;
  readonly waiting: Int32Array;
}

/** All waiting threads wake; the first to take gets the permit. */
export class SharedPermits implements Permits {
  readonly #counter: SharedCounter;
  readonly #memory: PermitMemory;
  readonly #part: string;
  readonly #thread: number;
  readonly #atATime: number;

  constructor(
    counter: SharedCounter,
    memory: PermitMemory,
    { part, thread, atATime }: { part: string; thread: number; atATime: number },
  ) {
    this.#counter = counter;
    this.#memory = memory;
    this.#part = part;
    this.#thread = thread;
    this.#atATime = atATime;
  }

  get taken(): number {
    return this.#counter.countOf(this.#part);
  }

  take(): boolean {
    return this.#counter.add(this.#part) === null;
  }

  give(): boolean {
    this.#counter.remove(this.#part);
    const others = this.#memory.waiting.some(
      (waits, thread) => waits > 0 && thread !== this.#thread,
    );
    if (!others) return true;
    wakeAll(this.#memory);
    return false;
  }

  whenGiven(again: () => void): void {
    const { given, waiting } = this.#memory;
    if (Atomics.exchange(waiting, this.#thread, 1) === 1) return;
    const done = (): void => {
      Atomics.store(waiting, this.#thread, 0);
      again();
    };
    const seen = Atomics.load(given, 0);
    // What is given back from here on changes `given`.
    if (this.taken < this.#atATime) {
      setImmediate(done);
      return;
    }
    const woken = Atomics.waitAsync(given, 0, seen);
    if (woken.async) void woken.value.then(done);
    else setImmediate(done);
  }
}

export function wakeAll({ given }: PermitMemory): void {
  Atomics.add(given, 0, 1);
  Atomics.notify(given, 0);
}
