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

const floats = (size: number) => new Float64Array(size);
/** A list with its own allocation takes a microsecond to create. */
const POOL = 8_192;
let pool = new Float64Array(POOL);
let used = 0;

function pooledFloats(size: number): Float64Array {
  if (size > POOL / 16) return floats(size);
  if (used + size > POOL) {
    pool = new Float64Array(POOL);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

const words = (size: number) => new Uint32Array(size);
const bytes = (size: number) => new Uint8Array(size);

export function growingFloats(capacity?: number): Growing<Float64Array> {
  return new Growing(floats, capacity);
}

/** For short-lived lists: a retained one retains its neighbours. */
export function smallFloats(capacity: number): Growing<Float64Array> {
  return new Growing(pooledFloats, capacity);
}

export function growingWords(capacity?: number): Growing<Uint32Array> {
  return new Growing(words, capacity);
}

export function growingBytes(capacity?: number): Growing<Uint8Array> {
  return new Growing(bytes, capacity);
}
