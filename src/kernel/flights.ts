import { remember } from './remember.ts';

/** Work by key: callers of a key share the promise that is under way. */
export class Flights<K, V> {
  readonly #underWay = new Map<K, Promise<V>>();

  of(key: K, work: () => Promise<V>): Promise<V> {
    return remember(this.#underWay, key, () => work().finally(() => this.#underWay.delete(key)));
  }
}
