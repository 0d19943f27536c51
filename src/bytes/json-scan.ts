/** In chunks of any size. Not a parser: JSON.parse decides. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** End of the chunk; the walk continues with the next `feed`. */
export const END = -1;
/** A part of a string, from `start` to `at`, without quotes. */
export const TEXT = -2;

export function stopsOf(characters: string): Uint8Array {
  const stops = new Uint8Array(256);
  for (const character of `"{}[]${characters}`) stops[character.charCodeAt(0)] = 1;
  return stops;
}

/** Longer strings are left to the engine's search. */
const SHORT = 128;

export class JsonScan {
  /** Open brackets after the returned byte; negative when more were closed. */
  depth = 0;
  at = 0;
  start = 0;
  readonly #stops: Uint8Array;
  readonly #everythingTo: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #next = 0;
  /** The first backslash from `#next` on, once searched for. */
  #backslash = -1;
  #isInText = false;
  #isEscaped = false;

  /**
   * Down to depth `everythingTo`, every byte outside strings and the strings (opening quote, then
   * TEXT per part) are returned. Deeper, only `stops` outside strings.
   */
  constructor(stops: Uint8Array, everythingTo = -1) {
    this.#stops = stops;
    this.#everythingTo = everythingTo;
  }

  get isInText(): boolean {
    return this.#isInText;
  }

  restart(): void {
    this.depth = 0;
    this.#isInText = false;
    this.#isEscaped = false;
  }

  feed(bytes: Uint8Array, length = bytes.length): void {
    this.#bytes = bytes;
    this.#end = length;
    this.#next = 0;
    this.#backslash = -1;
  }

  next(): number {
    const bytes = this.#bytes;
    const end = this.#end;
    const stops = this.#stops;
    const isShallow = this.depth <= this.#everythingTo;
    let at = this.#next;
    for (;;) {
      if (this.#isInText) {
        if (at === end) break;
        this.start = at;
        at = this.#passText(at);
        if (isShallow) return this.#text(at);
      }
      if (!isShallow) while (at < end && stops[bytes[at] as number] === 0) at += 1;
      if (at >= end) break;
      const byte = bytes[at] as number;
      at += 1;
      if (byte === QUOTE) {
        this.#isInText = true;
        if (!isShallow) continue;
      }
      // `{` and `[`, `}` and `]` differ in one bit.
      else if ((byte | 0x20) === 0x7b) this.depth += 1;
      else if ((byte | 0x20) === 0x7d) this.depth -= 1;
      this.at = at - 1;
      this.#next = at;
      return byte;
    }
    this.#next = at;
    return END;
  }

  #text(next: number): number {
    this.#next = next;
    this.at = this.#isInText ? next : next - 1;
    return TEXT;
  }

  #passText(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (const short = Math.min(at + SHORT, this.#end); at < short; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#isInText = false;
        return at + 1;
      }
      if (byte === BACKSLASH) at += 1;
    }
    return this.#passLong(at);
  }

  /** Geometry is most of a file, and the engine's search is many times faster. */
  #passLong(from: number): number {
    const end = this.#end;
    let at = from;
    while (at < end) {
      const quote = this.#find(QUOTE, at);
      if (this.#backslash < at) this.#backslash = this.#find(BACKSLASH, at);
      if (this.#backslash >= quote) {
        this.#isInText = quote === end;
        return quote === end ? end : quote + 1;
      }
      at = this.#backslash + 2;
    }
    // Beyond the end if the last byte was a backslash.
    this.#isEscaped = at > end;
    return end;
  }

  #find(byte: number, from: number): number {
    const found = this.#bytes.indexOf(byte, from);
    return found === -1 || found > this.#end ? this.#end : found;
  }
}

const COUNTING = new JsonScan(stopsOf(':'));

/**
 * Colons outside strings; Infinity when nested deeper than `mostDepth`. Meaningless for invalid
 * JSON; linear time.
 */
export function countJsonKeys(bytes: Uint8Array, mostDepth: number, length?: number): number {
  COUNTING.restart();
  COUNTING.feed(bytes, length);
  let keys = 0;
  for (let byte = COUNTING.next(); byte !== END; byte = COUNTING.next()) {
    if (byte === COLON) keys += 1;
    else if (COUNTING.depth > mostDepth) return Infinity;
  }
  return keys;
}

/** `JSON.parse`, but `refusedKey` is a SyntaxError. */
export function parseUniqueKeys(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const key = refusedKey(Buffer.from(text));
  if (key === '__proto__') throw new SyntaxError(`${key} is no key`);
  if (key !== null) throw new SyntaxError(`${key.slice(0, 40)} is given twice`);
  return value;
}

/** Of valid JSON: a key given again, or `__proto__`. */
export function refusedKey(bytes: Uint8Array): string | null {
  // Keys per open bracket.
  const open: Set<string>[] = [];
  const scan = new JsonScan(stopsOf(''), Infinity);
  let text: Uint8Array = bytes;
  scan.feed(bytes);
  for (let byte = scan.next(); byte !== END; byte = scan.next()) {
    if (byte === TEXT) text = bytes.subarray(scan.start, scan.at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) open.push(new Set());
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open.pop();
    else if (byte === COLON) {
      const key = JSON.parse(`"${Buffer.from(text).toString()}"`) as string;
      if (key === '__proto__' || open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    }
  }
  return null;
}
