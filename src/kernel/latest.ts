/** Keeps the value of the reading that began last: one that was overtaken replaces nothing. */
export class Latest<T> {
  #known: { readonly value: T; readonly begunMs: number } | null = null;

  get known() {
    return this.#known;
  }

  /** `begunMs`: when the reading began, by a clock that is never set. */
  note(value: T, begunMs: number): void {
    if (begunMs >= (this.#known?.begunMs ?? begunMs)) this.#known = { value, begunMs };
  }
}
