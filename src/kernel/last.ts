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

/** The value of the reading that began last. */
export class Latest<T> {
  #known: { readonly value: T; readonly begunMs: number } | null = null;

  get known() {
    return this.#known;
  }

  /** `begunMs`: by a monotonic clock. */
  note(value: T, begunMs: number): void {
    if (begunMs >= (this.#known?.begunMs ?? begunMs)) this.#known = { value, begunMs };
  }
}
