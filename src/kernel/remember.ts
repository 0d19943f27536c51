interface Known<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of `known`, made at its first use. */
// `make` is handed the key, so that hot paths pass one function, not a closure per call.
export function remember<K, V>(known: Known<K, V>, key: K, make: (key: K) => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make(key);
  known.set(key, made);
  return made;
}

/** Callers of a key share the promise under way. */
export class Flights<K, V> {
  readonly #underWay = new Map<K, Promise<V>>();

  of(key: K, work: () => Promise<V>): Promise<V> {
    return remember(this.#underWay, key, () => work().finally(() => this.#underWay.delete(key)));
  }
}
