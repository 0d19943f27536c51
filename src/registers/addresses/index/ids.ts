/** Sorted UUIDs of 16 bytes, for binary search. */

const BYTES = 16;
const HEX = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  HEX[value.toString(16).charCodeAt(0)] = value;
  HEX[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}
const HYPHEN = 0x2d;

export function uuidInto(text: string, bytes: Uint8Array, at: number): boolean {
  if (text.length !== 36) return false;
  let next = at;
  for (let i = 0; i < 36; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (text.charCodeAt(i) !== HYPHEN) return false;
      i += 1;
    }
    const high = HEX[text.charCodeAt(i) & 127]!;
    const low = HEX[text.charCodeAt(i + 1) & 127]!;
    if (high < 0 || low < 0 || (text.charCodeAt(i) | text.charCodeAt(i + 1)) > 127) return false;
    bytes[next++] = (high << 4) | low;
  }
  return true;
}

export function compareIds(
  bytes: Uint8Array,
  a: number,
  other: { readonly bytes: Uint8Array; readonly at: number },
): number {
  for (let i = 0; i < BYTES; i++) {
    const difference = bytes[BYTES * a + i]! - other.bytes[BYTES * other.at + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

export class IdList {
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #text: Buffer;
  readonly #asked = new Uint8Array(BYTES);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.count = bytes.length / BYTES;
  }

  at(index: number): string {
    const hex = this.#text.toString('hex', BYTES * index, BYTES * index + BYTES);
    const start = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}`;
    return `${start}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  find(id: string): number {
    if (!uuidInto(id, this.#asked, 0)) return -1;
    const other = { bytes: this.#asked, at: 0 };
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = compareIds(this.#bytes, middle, other);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
