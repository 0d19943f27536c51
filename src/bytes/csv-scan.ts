/** RFC 4180, in chunks of any size. A quote opens a cell only at its beginning. */
const QUOTE = 0x22;

/** What `next` stopped at. The text before it is from `start` to `at`. */
export const STOP = {
  /** End of the chunk; the walk continues with the next `feed`. */
  end: 0,
  delimiter: 1,
  lineEnd: 2,
  open: 3,
  /** The end of a quoted cell, or the first of two quotes in it. */
  close: 4,
  /** A quote as text of its cell: doubled, or in a plain one. */
  letter: 5,
  /** A byte that the caller does not accept. The walk ends there. */
  unfit: 6,
} as const;
export type Stop = (typeof STOP)[keyof typeof STOP];

type Place = 'start' | 'plain' | 'quoted' | 'closing';

export interface CsvBytes {
  /** null: every line is one cell. */
  readonly delimiter: number | null;
  readonly lineEnds: readonly number[];
  readonly unfit?: readonly number[];
  /** null: nothing is copied. Needs room for every chunk. */
  readonly out?: Uint8Array | null;
}

export class CsvScan {
  /** Of the text before, and of the byte stopped at. */
  start = 0;
  at = 0;
  isBehindQuote = false;
  out: Uint8Array;
  to = 0;
  /** What each byte means outside quotes; 0: text. */
  readonly #stops = new Uint8Array(256);
  readonly #isCopied: boolean;
  #bytes: Uint8Array = new Uint8Array(0);
  #next = 0;
  #place: Place = 'start';

  constructor({ delimiter, lineEnds, unfit = [], out = null }: CsvBytes) {
    for (const byte of unfit) this.#stops[byte] = STOP.unfit;
    for (const byte of lineEnds) this.#stops[byte] = STOP.lineEnd;
    this.#stops[QUOTE] = STOP.open;
    if (delimiter !== null) this.#stops[delimiter] = STOP.delimiter;
    this.#isCopied = out !== null;
    this.out = out ?? new Uint8Array(0);
  }

  get isQuoted(): boolean {
    return this.#place === 'quoted';
  }

  get isInCell(): boolean {
    return this.#place !== 'start';
  }

  feed(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#next = 0;
  }

  next(): Stop {
    const start = this.#next;
    this.start = start;
    return this.#place === 'quoted' ? this.#inQuotes(start) : this.#outside(start);
  }

  #outside(start: number): Stop {
    const bytes = this.#bytes;
    const stops = this.#stops;
    let at = start;
    let stop = 0;
    if (this.#isCopied) {
      const { out } = this;
      let { to } = this;
      while (at < bytes.length) {
        const byte = bytes[at] as number;
        stop = stops[byte] as number;
        if (stop !== 0) break;
        out[to++] = byte;
        at += 1;
      }
      this.to = to;
    } else {
      while (at < bytes.length) {
        stop = stops[bytes[at] as number] as number;
        if (stop !== 0) break;
        at += 1;
      }
    }
    this.at = at;
    this.#next = at + 1;
    this.isBehindQuote = at > start && this.#place === 'closing';
    if (at > start) this.#place = 'plain';
    if (stop === STOP.open) return this.#quote();
    if (stop === 0) this.#next = at;
    else this.#place = 'start';
    return stop as Stop;
  }

  #quote(): Stop {
    if (this.#place === 'plain') return STOP.letter;
    const stop = this.#place === 'start' ? STOP.open : STOP.letter;
    this.#place = 'quoted';
    return stop;
  }

  #inQuotes(start: number): Stop {
    const bytes = this.#bytes;
    const found = bytes.indexOf(QUOTE, start);
    const end = found === -1 ? bytes.length : found;
    this.isBehindQuote = false;
    this.at = end;
    this.#next = end + 1;
    if (this.#isCopied) {
      for (let at = start; at < end; at += 1) {
        const byte = bytes[at] as number;
        if (this.#stops[byte] === STOP.unfit) return STOP.unfit;
        this.out[this.to++] = byte;
      }
    }
    if (found === -1) {
      this.#next = end;
      return STOP.end;
    }
    this.#place = 'closing';
    return STOP.close;
  }
}
