import type { LimitedCounter } from './limited-counter.ts';

interface PermitParts {
  readonly part: string;
  readonly thread: number;
  readonly threads: number;
  readonly atATime: number;
}

/** Words of a table's head: waiting threads sleep on the first; then which wait. */
const GIVEN = 1;
const WAITING = 2;

/** All waiting threads wake; the first to take gets the permit. */
export class Permits {
  readonly #counter: LimitedCounter;
  readonly #head: Int32Array;
  readonly #parts: PermitParts;

  constructor(counter: LimitedCounter, head: Int32Array, parts: PermitParts) {
    this.#counter = counter;
    this.#head = head;
    this.#parts = parts;
  }

  get taken(): number {
    return this.#counter.countOf(this.#parts.part);
  }

  take(): boolean {
    return this.#counter.add(this.#parts.part) === null;
  }

  /** True: no other thread waits, so this thread's next may take it at once. */
  give(): boolean {
    const { part, thread, threads } = this.#parts;
    this.#counter.remove(part);
    // Before the others' words are read: a thread that begins to wait sees one or the other.
    Atomics.add(this.#head, GIVEN, 1);
    for (let other = 0; other < threads; other += 1) {
      if (other === thread || Atomics.load(this.#head, WAITING + other) === 0) continue;
      Atomics.notify(this.#head, GIVEN);
      return false;
    }
    return true;
  }

  /** Calls `again` once another thread may have freed one. */
  whenGiven(again: () => void): void {
    const { thread, threads, atATime } = this.#parts;
    if (threads === 1 || Atomics.exchange(this.#head, WAITING + thread, 1) === 1) return;
    const done = (): void => {
      Atomics.store(this.#head, WAITING + thread, 0);
      again();
    };
    const seen = Atomics.load(this.#head, GIVEN);
    // What is given back from here on changes the word.
    const woken = this.taken < atATime ? null : Atomics.waitAsync(this.#head, GIVEN, seen);
    if (woken?.async) void woken.value.then(done);
    else setImmediate(done);
  }
}

export function forgetWaiting(head: Int32Array, thread: number): void {
  Atomics.store(head, WAITING + thread, 0);
  Atomics.add(head, GIVEN, 1);
  Atomics.notify(head, GIVEN);
}
