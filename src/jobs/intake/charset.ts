/**
 * The text of a CSV as UTF-8, piece by piece. What it was written in is what its head says, else its
 * byte order mark, else its first letters beyond ASCII: UTF-8, or Windows-1252 as older Danish
 * spreadsheets write.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { refusal } from './terms.ts';

export const CHARSETS = ['utf-8', 'windows-1252', 'iso-8859-1'] as const;
export type Charset = (typeof CHARSETS)[number];

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NOTHING = Buffer.alloc(0);

export class Utf8Pieces {
  /** null: nothing beyond ASCII has come. */
  #charset: Charset | null;
  /** The first bytes, or those of a character whose rest is in the next piece. */
  #held: Buffer = NOTHING;
  #isBegun = false;

  /** `charset`: as the head of the request says; null: it does not. */
  constructor(charset: Charset | null) {
    this.#charset = charset;
  }

  /** What is certain so far, in whole characters. Throws on bytes that are no text. */
  push(piece: Buffer): Buffer {
    let bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    this.#held = NOTHING;
    if (!this.#isBegun) {
      if (bytes.length < BOM.length) {
        this.#held = bytes;
        return NOTHING;
      }
      this.#isBegun = true;
      bytes = this.#withoutMark(bytes);
    }
    return this.#converted(bytes, false);
  }

  end(): Buffer {
    const bytes = this.#held;
    this.#held = NOTHING;
    return this.#converted(this.#isBegun ? bytes : this.#withoutMark(bytes), true);
  }

  #withoutMark(bytes: Buffer): Buffer {
    const [first, second] = bytes;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
      throw refusal(
        'The text is UTF-16; save it as CSV UTF-8.',
        'Teksten er UTF-16; gem den som CSV UTF-8.',
      );
    }
    if (!bytes.subarray(0, BOM.length).equals(BOM)) return bytes;
    // It says so itself, whatever the head says.
    this.#charset = 'utf-8';
    return bytes.subarray(BOM.length);
  }

  #converted(bytes: Buffer, isLast: boolean): Buffer {
    if (isAscii(bytes)) return bytes;
    if (this.#charset === null || this.#charset === 'utf-8') {
      const whole = isLast ? bytes.length : wholeCharacters(bytes);
      const text = bytes.subarray(0, whole);
      if (isUtf8(text)) {
        if (!isAscii(text)) this.#charset = 'utf-8';
        this.#held = bytes.subarray(whole);
        return text;
      }
      if (this.#charset === 'utf-8' || looksLikeUtf8(bytes)) throw notUtf8();
      this.#charset = 'windows-1252';
    }
    // The label iso-8859-1 means the same to every browser, and to TextDecoder.
    return Buffer.from(new TextDecoder('windows-1252').decode(bytes));
  }
}

/** How many bytes there are before a last character that is not whole. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** More letters of UTF-8 than faults: a damaged UTF-8, which read as Windows-1252 would be mush. */
function looksLikeUtf8(bytes: Buffer): boolean {
  let letters = 0;
  let faults = 0;
  for (const char of new TextDecoder().decode(bytes)) {
    if (char === '\ufffd') faults++;
    else if (char > '\u007f') letters++;
  }
  return letters > faults;
}

function notUtf8() {
  return refusal('The text is not valid UTF-8.', 'Teksten er ikke gyldig UTF-8.');
}
