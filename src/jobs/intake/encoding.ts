/** Charsets, and how a whole file reveals its own. Runs in browsers too. */

export const CHARSETS = ['utf-8', 'windows-1252', 'iso-8859-1', 'utf-16'] as const;
export type Charset = (typeof CHARSETS)[number];

/** The UTF-16 variant a text begins in; null: other. Plain letters have a zero byte. */
export function utf16Of(head: Uint8Array, named: Charset | null): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (second === 0 || fourth === 0) return 'utf-16le';
  if (first === 0 || third === 0) return 'utf-16be';
  return named === 'utf-16' ? 'utf-16le' : null;
}

/** Takes all bytes of a file in pieces: UTF-8 if nothing contradicts it. */
export class EncodingGuess {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  /** The first bytes, which reveal UTF-16. */
  #head: readonly number[] = [];
  #isUtf8 = true;

  push(bytes: Uint8Array): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = [...this.#head, ...bytes.subarray(0, HEAD_BYTES - this.#head.length)];
    }
    this.#isUtf8 &&= this.#decodes(bytes);
  }

  end(): Exclude<Charset, 'iso-8859-1'> {
    this.#isUtf8 &&= this.#decodes(null);
    if (utf16Of(Uint8Array.from(this.#head), null) !== null) return 'utf-16';
    return this.#isUtf8 ? 'utf-8' : 'windows-1252';
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
