/**
 * Holds the beginning of a CSV until the delimiter is known: a header's names may contain more
 * commas than there are columns. Runs in browsers too.
 */
import { JOB_LIMITS } from '../limits.ts';
import { delimiterOf, isBlankLine, namedDelimiter } from './csv-head.ts';
import { refusal } from './refusals.ts';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** The header is examined whole; no sensible one is longer. */
const HEADER_BYTES = JOB_LIMITS.columns * (JOB_LIMITS.columnChars.max * 4 + 3) + 2;
/** Rows examined after the header, and their bytes. */
const SAMPLE_ROWS = 50;
const SAMPLE_BYTES = 64 * 1024;

export class CsvSample {
  #bytes = new Uint8Array(4 * 1024);
  #length = 0;
  #isQuoted = false;
  /** Start of the current line. */
  #lineStart = 0;
  #header: { readonly from: number; readonly to: number } | null = null;
  /** Whole rows after the header. */
  readonly #rows: Uint8Array[] = [];
  named: number | null = null;

  /** Enough to determine the delimiter. */
  get isFull(): boolean {
    if (this.#header === null) return false;
    const sampled = this.#length - this.#header.to;
    return this.named !== null || this.#rows.length >= SAMPLE_ROWS || sampled >= SAMPLE_BYTES;
  }

  get hasHeader(): boolean {
    return this.#header !== null;
  }

  push(text: Uint8Array): void {
    this.#grow(text.length);
    const from = this.#length;
    this.#bytes.set(text, from);
    this.#length += text.length;
    for (let at = from; at < this.#length && !this.isFull; at++) this.#meet(at);
    if (this.#header === null && this.#length - this.#lineStart > HEADER_BYTES) {
      throw headerTooLong();
    }
  }

  /** End of input: a last line without a line end counts. */
  end(): void {
    if (this.#length > this.#lineStart) this.#endLine(this.#length);
  }

  /** The header's line, without its end. */
  get header(): Uint8Array {
    const { from, to } = this.#header ?? { from: 0, to: 0 };
    return this.#bytes.subarray(from, to);
  }

  /** Everything after the header's text, starting with its line end. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#header?.to ?? 0, this.#length);
  }

  /** null: every line is one cell. */
  get delimiter(): number | null {
    return this.named ?? delimiterOf(this.header, this.#rows);
  }

  #meet(at: number): void {
    const byte = this.#bytes[at];
    if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
    else if (!this.#isQuoted && (byte === LF || byte === CR)) this.#endLine(at);
  }

  #endLine(at: number): void {
    const line = this.#bytes.slice(this.#lineStart, at);
    const isBehindCr = line.length === 0 && at > 0 && this.#bytes[at - 1] === CR;
    const from = this.#lineStart;
    this.#lineStart = at + 1;
    // The LF of a CR LF.
    if (isBehindCr && this.#bytes[at] === LF) return;
    if (this.#header !== null) {
      if (line.length > 0) this.#rows.push(line);
      return;
    }
    // Blank lines before the header are skipped.
    if (isBlankLine(line)) return;
    if (line.length > HEADER_BYTES) throw headerTooLong();
    const named = this.named === null ? namedDelimiter(line) : null;
    if (named === null) this.#header = { from, to: at };
    else this.named = named;
  }

  #grow(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + bytes, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function headerTooLong() {
  return refusal(
    'The header, the first line, is too long or its quotes are not closed.',
    'Overskriften, den første linje, er for lang, eller dens citationstegn er ikke lukket.',
  );
}
