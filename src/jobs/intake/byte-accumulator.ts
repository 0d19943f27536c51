/** Collects pieces of bytes without copying the earlier ones each time. */
const FIRST_BYTES = 256;

export class ByteAccumulator {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length, FIRST_BYTES));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  /** Valid until the next `add`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Returns everything with `more` appended, and empties the accumulator. */
  takeWith(more: Buffer): Buffer {
    if (this.#length === 0) return more;
    this.add(more);
    const taken = this.bytes;
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
    return taken;
  }
}
