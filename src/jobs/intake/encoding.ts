import type { Charset } from '../../core/rows/job-types.ts';

/** By zero bytes in ASCII letters; null: not UTF-16. */
export function utf16Of(head: Uint8Array, named: Charset | null): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (second === 0 || fourth === 0) return 'utf-16le';
  if (first === 0 || third === 0) return 'utf-16be';
  return named === 'utf-16' ? 'utf-16le' : null;
}

/** Letters of Danish, German and Swedish. */
const LETTERS = {
  windows: [0xc4, 0xc5, 0xc6, 0xc9, 0xd6, 0xd8, 0xdc, 0xe4, 0xe5, 0xe6, 0xe9, 0xf6, 0xf8, 0xfc],
  macintosh: [0x80, 0x81, 0x85, 0x8a, 0x8c, 0x8e, 0x9a, 0x9f, 0xae, 0xaf, 0xbe, 0xbf],
  dos: [0x81, 0x84, 0x86, 0x8f, 0x91, 0x94, 0x9b, 0x9d],
} as const;
const isAsciiLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** Chooses the charset that gives letters within words. */
export class OldCharset {
  readonly #counts = { windows: 0, macintosh: 0, dos: 0 };
  #before = 0;
  #last = 0;

  push(bytes: Uint8Array, isLast = false): this {
    for (const byte of bytes) this.#next(byte);
    if (isLast) this.#next(0);
    return this;
  }

  /** As `push`, for ASCII bytes only. */
  pass(bytes: Uint8Array): this {
    this.#next(bytes[0] ?? 0);
    this.#last = bytes.at(-1) ?? 0;
    return this;
  }

  get likely(): 'windows-1252' | 'macintosh' | 'dos' {
    const { windows, macintosh, dos } = this.#counts;
    if (macintosh > windows && macintosh >= dos) return 'macintosh';
    return dos > windows ? 'dos' : 'windows-1252';
  }

  /** In Windows-1252 these are signs next to words: an opening quote, a dash, `½`. */
  #isInWord(next: number): boolean {
    return isAsciiLetter(this.#before) || (isAsciiLetter(next) && this.#last !== 0x91);
  }

  #next(byte: number): void {
    if (this.#last > 0x7f && this.#isInWord(byte)) this.#count(this.#last);
    this.#before = this.#last;
    this.#last = byte;
  }

  #count(byte: number): void {
    for (const name of ['windows', 'macintosh', 'dos'] as const)
      if ((LETTERS[name] as readonly number[]).includes(byte)) this.#counts[name]++;
  }
}

/** Takes all bytes in pieces; UTF-8 if nothing contradicts it. */
export class EncodingGuess {
  readonly #old = new OldCharset();
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  /** The first bytes, which reveal UTF-16. */
  #head: readonly number[] = [];
  #isUtf8 = true;

  push(bytes: Uint8Array): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = [...this.#head, ...bytes.subarray(0, HEAD_BYTES - this.#head.length)];
    }
    this.#isUtf8 &&= this.#decodes(bytes);
    this.#old.push(bytes);
  }

  end(): Exclude<Charset, 'iso-8859-1'> {
    this.#isUtf8 &&= this.#decodes(null);
    if (utf16Of(Uint8Array.from(this.#head), null) !== null) return 'utf-16';
    const { likely } = this.#old.push(new Uint8Array(), true);
    // DOS code pages are not supported: as UTF-8 the file is refused.
    return this.#isUtf8 || likely === 'dos' ? 'utf-8' : likely;
  }

  #decodes(bytes: Uint8Array | null): boolean {
    try {
      if (bytes === null) this.#utf8.decode();
      else this.#utf8.decode(bytes, { stream: true });
      return true;
    } catch {
      return false;
    }
  }
}

const HEAD_BYTES = 4;
