type Numbers = Float64Array | Uint32Array | Uint8Array;

export class Growing<A extends Numbers> {
  items: A;
  length = 0;
  readonly #make: (capacity: number) => A;

  constructor(make: (capacity: number) => A, capacity = 1024) {
    this.#make = make;
    this.items = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) this.reserve(1);
    this.items[this.length++] = value;
  }

  append(values: ArrayLike<number>): void {
    this.reserve(values.length);
    this.items.set(values, this.length);
    this.length += values.length;
  }

  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.items.length) return;
    const larger = this.#make(Math.max(needed, this.items.length * 2));
    larger.set(this.items.subarray(0, this.length));
    this.items = larger;
  }

  view(): A {
    return this.items.subarray(0, this.length) as A;
  }
}

export function growingFloats(capacity?: number): Growing<Float64Array> {
  return new Growing((size) => new Float64Array(size), capacity);
}

export function growingWords(capacity?: number): Growing<Uint32Array> {
  return new Growing((size) => new Uint32Array(size), capacity);
}

export function growingBytes(capacity?: number): Growing<Uint8Array> {
  return new Growing((size) => new Uint8Array(size), capacity);
}
