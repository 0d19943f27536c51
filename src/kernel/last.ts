/** Remembers one value: of the keys that it was last made for, compared by identity. */
export class Last<V> {
  #last: { readonly keys: readonly unknown[]; readonly value: V } | null = null;

  of(keys: readonly unknown[], make: () => V): V {
    const known = this.#last;
    if (known !== null && keys.every((key, i) => key === known.keys[i])) return known.value;
    const value = make();
    this.#last = { keys, value };
    return value;
  }
}
