const CLEAR = 256;
const END = 257;
const MOST_CODES = 4096;
const FIRST_WIDTH = 9;
const LAST_WIDTH = 12;

/** Decodes TIFF's LZW into at most `size` bytes; fewer where the data ends or is corrupt. */
export function decodeLzw(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const text = new LzwText(size);
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xff_ffff;
    bits += 8;
    if (bits < text.width) continue;
    bits -= text.width;
    if (!text.take((held >> bits) & ((1 << text.width) - 1))) break;
  }
  return text.written;
}

class LzwText {
  width = FIRST_WIDTH;
  readonly #out: Uint8Array<ArrayBuffer>;
  // A code's text is a stretch of the output: that of the previous code plus one byte.
  readonly #starts = new Int32Array(MOST_CODES);
  readonly #lengths = new Int32Array(MOST_CODES);
  #next = END + 1;
  #at = 0;
  #before = -1;

  constructor(size: number) {
    this.#out = new Uint8Array(size);
  }

  get written(): Uint8Array<ArrayBuffer> {
    return this.#out.subarray(0, this.#at);
  }

  /** False after the end, an invalid code, or the last byte. */
  take(code: number): boolean {
    if (code === END) return false;
    if (code === CLEAR) {
      [this.#next, this.width, this.#before] = [END + 1, FIRST_WIDTH, -1];
      return true;
    }
    this.#learn();
    if (code >= this.#next || (code > END && this.#before < 0)) return false;
    this.#before = this.#at;
    this.#write(code);
    // TIFF widens one code early.
    if (this.#next >= (1 << this.width) - 1 && this.width < LAST_WIDTH) this.width += 1;
    return this.#at < this.#out.length;
  }

  #learn(): void {
    if (this.#before < 0 || this.#next >= MOST_CODES) return;
    this.#starts[this.#next] = this.#before;
    this.#lengths[this.#next] = this.#at - this.#before + 1;
    this.#next += 1;
  }

  /** A code may overlap its own output, so copy byte by byte from the front. */
  #write(code: number): void {
    const out = this.#out;
    if (code < CLEAR) {
      out[this.#at++] = code;
      return;
    }
    const end = Math.min(out.length, this.#at + (this.#lengths[code] ?? 0));
    let from = this.#starts[code] ?? 0;
    while (this.#at < end) out[this.#at++] = out[from++] ?? 0;
  }
}
