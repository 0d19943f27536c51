/**
 * Decodes to UTF-8 in pieces. The charset is the request's, else the byte order mark's, else that
 * of the first non-ASCII bytes.
 */
import { invalidRequest } from '../../kernel/failures.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import { OldCharset, utf16Of } from './encoding.ts';
import type { Charset } from '../../core/rows/job-types.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
/** Zip archives (.xlsx, .ods) and older compound files (.xls). */
const WORKBOOKS = [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const HEAD_BYTES = 4;
/** Undefined in Windows-1252, used by Danish texts of DOS and Macs. */
const NOT_WINDOWS = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const NOTHING = Buffer.alloc(0);

export class Utf8Pieces {
  /** null: only ASCII so far. */
  #charset: Charset | null;
  #held: Buffer = NOTHING;
  #isBegun = false;
  /** null: not UTF-16. */
  #utf16: InstanceType<typeof TextDecoder> | null = null;
  readonly #old = new OldCharset();
  /** Windows-1252 is a guess. */
  #isGuess = false;

  /** `charset`: the request's; null: not stated. */
  constructor(charset: Charset | null) {
    this.#charset = charset;
  }

  /** Whole characters so far. Throws on invalid text. */
  push(piece: Buffer): Buffer {
    let bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    this.#held = NOTHING;
    if (!this.#isBegun) {
      if (bytes.length < HEAD_BYTES) {
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
    if (WORKBOOKS.some((head) => bytes.subarray(0, head.length).equals(head))) throw workbook();
    const utf16 = utf16Of(bytes, this.#charset);
    if (utf16 !== null) {
      // The decoder removes the mark.
      this.#utf16 = new TextDecoder(utf16, { fatal: true });
      return bytes;
    }
    if (!bytes.subarray(0, BOM.length).equals(BOM)) return bytes;
    // The mark overrides the request.
    this.#charset = 'utf-8';
    return bytes.subarray(BOM.length);
  }

  #converted(bytes: Buffer, isLast: boolean): Buffer {
    if (this.#utf16 !== null) return fromUtf16(this.#utf16, bytes, isLast);
    if (isAscii(bytes)) {
      if (bytes.length > 0 && this.#charset !== 'utf-8') this.#judge(this.#old.pass(bytes));
      return bytes;
    }
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
      this.#isGuess = true;
    }
    if (this.#charset === 'macintosh') return decoded(bytes, 'macintosh');
    this.#judge(this.#old.push(bytes, isLast));
    if (NOT_WINDOWS.some((byte) => bytes.includes(byte))) throw unknownCharset();
    // Browsers and TextDecoder treat iso-8859-1 alike.
    return decoded(bytes, 'windows-1252');
  }

  #judge({ likely }: OldCharset): void {
    if (this.#isGuess && likely !== 'windows-1252') throw unknownCharset();
  }
}

function decoded(bytes: Buffer, charset: 'macintosh' | 'windows-1252'): Buffer {
  return Buffer.from(new TextDecoder(charset).decode(bytes));
}

function fromUtf16(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Buffer,
  isLast: boolean,
): Buffer {
  try {
    return Buffer.from(decoder.decode(bytes, { stream: !isLast }));
  } catch {
    throw invalidRequest(
      'The text is not valid UTF-16; save it as CSV UTF-8.',
      'Teksten er ikke gyldig UTF-16; gem den som CSV UTF-8.',
    );
  }
}

function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** More UTF-8 letters than faults: damaged UTF-8, which Windows-1252 would garble. */
function looksLikeUtf8(bytes: Buffer): boolean {
  let letters = 0;
  let faults = 0;
  for (const char of new TextDecoder().decode(bytes)) {
    if (char === '\ufffd') faults++;
    else if (char > '\u007f') letters++;
  }
  return letters > faults;
}

function workbook() {
  return invalidRequest(
    'This is an Excel workbook (or another zip or Office file), not a CSV; send an .xlsx with the Content-Type of one, or save it as CSV UTF-8.',
    'Dette er en Excel-projektmappe (eller en anden zip- eller Office-fil), ikke CSV; send .xlsx med dens Content-Type, eller gem den som CSV UTF-8.',
  );
}

function notUtf8() {
  return invalidRequest(
    'The text is not valid UTF-8; save it as CSV UTF-8, or say charset=windows-1252 if it is that.',
    'Teksten er ikke gyldig UTF-8; gem den som CSV UTF-8, eller skriv charset=windows-1252, hvis den er det.',
  );
}

function unknownCharset() {
  return invalidRequest(
    'The text is neither UTF-8 nor Windows-1252; save it as CSV UTF-8, or say charset=macintosh if it is Mac Roman.',
    'Teksten er hverken UTF-8 eller Windows-1252; gem den som CSV UTF-8, eller skriv charset=macintosh, hvis den er Mac Roman.',
  );
}
