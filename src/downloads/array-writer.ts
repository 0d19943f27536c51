/** PostgreSQL's binary array format, written while parsing: millions of rows become no objects. */

/** Object ids, fixed in every PostgreSQL. */
const OID = {
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  float8: 701,
  date: 1082,
  timestamptz: 1184,
  uuid: 2950,
} as const;
export type ElementType = keyof typeof OID;

const HEAD_BYTES = 20;
const FIRST_BYTES = 64 * 1024;
/** PostgreSQL counts microseconds, and days, from 2000. */
const EPOCH_US = Date.UTC(2000, 0, 1) * 1000;
const EPOCH_DAY = Date.UTC(2000, 0, 1) / (24 * 3600 * 1000);

/** Call `finish` once. */
export class ArrayWriter {
  readonly #type: ElementType;
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #at = HEAD_BYTES;
  #count = 0;
  #nulls = false;

  constructor(type: ElementType) {
    this.#type = type;
  }

  null(): void {
    const at = this.#take(4);
    this.#bytes.writeInt32BE(-1, at);
    this.#nulls = true;
    this.#count += 1;
  }

  int2(value: number): void {
    const at = this.#element(2);
    this.#bytes.writeInt16BE(value, at);
  }

  int4(value: number): void {
    const at = this.#element(4);
    this.#bytes.writeInt32BE(value, at);
  }

  /** Days since 1970. */
  date(day: number): void {
    this.int4(day - EPOCH_DAY);
  }

  /** Within 53 bits. */
  int8(value: number): void {
    const high = Math.floor(value / 4_294_967_296);
    const at = this.#element(8);
    this.#bytes.writeInt32BE(high, at);
    this.#bytes.writeUInt32BE(value - high * 4_294_967_296, at + 4);
  }

  float8(value: number): void {
    const at = this.#element(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  /** Microseconds UTC since 1970. */
  time(microseconds: number): void {
    this.int8(microseconds - EPOCH_US);
  }

  /** UTF-8 of a text, 16 bytes of a UUID, any of a bytea. */
  raw(source: Uint8Array, start: number, end: number): void {
    const at = this.#element(end - start);
    const bytes = this.#bytes;
    for (let i = start, to = at; i < end; i += 1, to += 1) bytes[to] = source[i] as number;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#at);
    bytes.set(this.#bytes.subarray(0, this.#at));
    const head = new DataView(bytes.buffer);
    head.setInt32(0, this.#count === 0 ? 0 : 1);
    head.setInt32(4, this.#nulls ? 1 : 0);
    head.setInt32(8, OID[this.#type]);
    // An empty array has no dimension.
    if (this.#count === 0) return bytes.slice(0, 12);
    head.setInt32(12, this.#count);
    head.setInt32(16, 1);
    return bytes;
  }

  #element(length: number): number {
    const at = this.#take(4 + length);
    this.#bytes.writeInt32BE(length, at);
    this.#count += 1;
    return at + 4;
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}
