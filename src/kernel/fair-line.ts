/** A queue in which holders (accounts, visitors) take turns, limited per holder and in total. */
import { turnOf } from './client-address.ts';
import type { CounterLimits } from './limited-counter.ts';

export class FairLine<T> {
  readonly #limits: CounterLimits;
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  constructor(limits: CounterLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  push(holder: string, item: T): keyof CounterLimits | null {
    const { name, times } = turnOf(holder);
    const own = this.#waiting.get(name);
    if ((own?.length ?? 0) >= this.#limits.each * times) return 'each';
    if (this.#size >= this.#limits.total) return 'total';
    if (own === undefined) this.#waiting.set(name, [item]);
    else own.push(item);
    this.#size += 1;
    return null;
  }

  shift(mayGo: (holder: string) => boolean = () => true): T | undefined {
    for (const [holder, own] of this.#waiting) {
      if (!mayGo(holder)) continue;
      const item = own.shift();
      this.#waiting.delete(holder);
      if (own.length > 0) this.#waiting.set(holder, own);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** false: not in the queue. */
  remove(holder: string, item: T): boolean {
    const { name } = turnOf(holder);
    const own = this.#waiting.get(name) ?? [];
    const at = own.indexOf(item);
    if (at < 0) return false;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(name);
    this.#size -= 1;
    return true;
  }

  clear(): T[] {
    const all: T[] = [];
    while (this.#size > 0) all.push(this.shift() as T);
    return all;
  }
}
