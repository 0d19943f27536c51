/**
 * Writes JSON as bytes; constant parts are encoded once. Given texts must be JSON: nothing is
 * escaped or checked.
 */
import type { PointUtm32 } from '../geo/point.ts';
import { bodyBuffers } from '../kernel/buffer-pool.ts';
import { DEGREE_DECIMALS, roundedText } from './numbers.ts';

export function constant(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** Quotes, backslashes, control characters, and surrogates, which are escaped where they are lone. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need nothing but quotes. */
export function jsonText(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const FIRST_BYTES = 16 * 1024;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Up to this length a loop is faster than a native call. */
const SHORT = 24;

const MOST_WHOLE = 2 ** 30;
const MOST_DIGITS = 10;
const ZERO = 48;
const MINUS = 45;
const POINT = 46;

const DEGREE_SCALE = 10 ** DEGREE_DECIMALS;
const MOST_DEGREES = 1000;

const BYTES_PER_UNIT = 3;

/** One answer at a time: `begin`, write, `take`, without awaiting in between. */
export class JsonWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  begin(): this {
    this.#length = 0;
    return this;
  }

  bytes(piece: Uint8Array): this {
    this.#reserve(piece.length);
    this.#buffer.set(piece, this.#length);
    this.#length += piece.length;
    return this;
  }

  /** Characters below U+0080 only. */
  ascii(text: string): this {
    const { length } = text;
    this.#reserve(length);
    if (length > SHORT) {
      this.#length += this.#buffer.write(text, this.#length, 'latin1');
      return this;
    }
    const buffer = this.#buffer;
    let at = this.#length;
    for (let i = 0; i < length; i++) buffer[at++] = text.charCodeAt(i);
    this.#length = at;
    return this;
  }

  whole(value: number): this {
    if (value > MOST_WHOLE) return this.ascii(String(value));
    this.#reserve(MOST_DIGITS);
    this.#digits(value);
    return this;
  }

  /** As `roundedText`, without creating the text. */
  rounded(value: number, decimals: 1 | 2): this {
    const scale = decimals === 1 ? 10 : 100;
    const scaled = Math.round(Math.abs(value) * scale);
    if (!(scaled <= MOST_WHOLE)) return this.ascii(roundedText(value, decimals));
    this.#reserve(MOST_DIGITS + 3);
    if (value < 0 && scaled > 0) this.#buffer[this.#length++] = MINUS;
    const whole = (scaled / scale) | 0;
    this.#digits(whole);
    const rest = scaled - whole * scale;
    if (rest === 0) return this;
    this.#buffer[this.#length++] = POINT;
    if (decimals === 2 && rest < 10) this.#buffer[this.#length++] = ZERO;
    this.#digits(decimals === 2 && rest % 10 === 0 ? rest / 10 : rest);
    return this;
  }

  /** `epsg25832`: [x, y], 2 decimals (D46). */
  metres({ xUtm32, yUtm32 }: PointUtm32): this {
    return this.ascii('[').rounded(xUtm32, 2).ascii(',').rounded(yUtm32, 2).ascii(']');
  }

  /** 8 decimals (1 mm), equal to `String(roundTo(value, 8))` anywhere in Denmark. */
  degrees(value: number): this {
    const scaled = Math.round(Math.abs(value) * DEGREE_SCALE);
    this.#reserve(2 * MOST_DIGITS + 2);
    if (value < 0 && scaled > 0) this.#buffer[this.#length++] = MINUS;
    const whole = Math.floor(scaled / DEGREE_SCALE);
    let rest = scaled - whole * DEGREE_SCALE;
    this.#digits(whole);
    if (rest === 0) return this;
    let decimals = DEGREE_DECIMALS;
    for (; rest % 10 === 0; rest = (rest / 10) | 0) decimals -= 1;
    this.#buffer[this.#length++] = POINT;
    const end = this.#length + decimals;
    for (let at = end - 1; at >= this.#length; at--) {
      const next = (rest / 10) | 0;
      this.#buffer[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.#length = end;
    return this;
  }

  /** Up to 8 decimals without creating a text. */
  decimal(value: number): this {
    const scaled = Math.round(value * DEGREE_SCALE);
    // So few digits identify the number, and no shorter text does.
    const isShort = scaled / DEGREE_SCALE === value && Math.abs(value) < MOST_DEGREES;
    return isShort && value !== 0 ? this.degrees(value) : this.ascii(String(value));
  }

  #digits(value: number): void {
    let end = this.#length + 1;
    for (let left = value; left >= 10; left = (left / 10) | 0) end += 1;
    this.#length = end;
    let left = value;
    do {
      const next = (left / 10) | 0;
      this.#buffer[--end] = ZERO + left - 10 * next;
      left = next;
    } while (left > 0);
  }

  text(text: string): this {
    this.#reserve(BYTES_PER_UNIT * text.length);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
    return this;
  }

  /** A copy, in borrowed memory for `sendBytes`. */
  take(): Buffer {
    return bodyBuffers.lendCopy(this.written);
  }

  /** One character per byte: `response.end(text, 'latin1')` sends it in one write with the head. */
  takeBinary(): string {
    return this.#buffer.toString('latin1', 0, this.#length);
  }

  get written(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
