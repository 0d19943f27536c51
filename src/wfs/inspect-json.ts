/**
 * A scanner over JSON bytes: the top-level members, the features counted by their braces, the end.
 * Not a parser: JSON.parse reads the page later, in a thread, and must agree with the count.
 */
import type { ByteRange, Envelope, Scanner } from './envelope.ts';
import { countOf } from './envelope.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters kept of one top-level key or plain value. */
const TOKEN_CHARS = 200;

/** 1 for quote, brackets and braces. */
const IS_STRUCTURE = new Uint8Array(256);
for (const character of '"[]{}') IS_STRUCTURE[character.charCodeAt(0)] = 1;

export function createJsonScanner(startOffset: number): Scanner {
  return new JsonScanner(startOffset);
}

class JsonScanner implements Scanner {
  private offset: number;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private token = '';
  private key = '';
  private readonly top = new Map<string, string>();
  private inFeatures = false;
  private members = 0;
  private bodyStart = -1;
  private bodyEnd = -1;
  private featureStart = -1;
  private first: ByteRange | null = null;
  private last: ByteRange | null = null;
  private closed = false;
  private trailing = false;

  constructor(startOffset: number) {
    this.offset = startOffset;
  }

  settled(): Envelope | null {
    return this.trailing ? this.end() : null;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.inString) this.string(byte);
      // Below the top level only quotes and brackets count: coordinates are passed over here.
      else if (this.depth <= 1 || IS_STRUCTURE[byte] === 1) this.plain(byte, this.offset + at);
    }
    this.offset += chunk.length;
  }

  end(): Envelope {
    if (this.trailing) return { kind: 'other', what: 'JSON with text after its end' };
    if (this.top.has('exceptions') || this.top.has('ExceptionReport')) {
      return { kind: 'exception', text: 'an exception report in JSON' };
    }
    const type = this.top.get('type');
    if (!this.closed) {
      if (type !== 'FeatureCollection') return { kind: 'other', what: 'unfinished JSON' };
      return { kind: 'truncated', format: 'geojson', members: this.members };
    }
    if (type !== 'FeatureCollection' || this.bodyStart === -1) {
      return { kind: 'other', what: 'JSON that is no FeatureCollection' };
    }
    return {
      kind: 'features',
      format: 'geojson',
      members: this.members,
      numberMatched: countOf(this.top.get('numberMatched') ?? this.top.get('totalFeatures')),
      numberReturned: countOf(this.top.get('numberReturned')),
      body:
        this.members === 0
          ? { start: 0, end: 0 }
          : { start: this.bodyStart, end: Math.max(this.bodyEnd, 0) },
      first: this.first,
      last: this.last,
    };
  }

  private string(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) {
      this.inString = false;
      return;
    }
    if (this.depth === 1) this.keep(byte);
  }

  private plain(byte: number, at: number): void {
    switch (byte) {
      case QUOTE:
        this.inString = true;
        if (this.depth === 1) this.token = '';
        break;
      case 0x7b: // {
      case 0x5b: // [
        this.open(byte, at);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        this.close(at);
        break;
      case 0x3a: // :
        if (this.depth === 1) this.startValue();
        break;
      case 0x2c: // ,
        if (this.depth === 1) this.endValue();
        break;
      default:
        if (this.depth <= 1 && byte > 0x20) this.stray(byte);
    }
  }

  private open(byte: number, at: number): void {
    if (this.closed) this.trailing = true;
    if (this.depth === 1 && byte === 0x5b && this.key === 'features') {
      this.inFeatures = true;
      this.bodyStart = at;
    }
    this.depth += 1;
    if (this.depth === 3 && byte === 0x7b && this.inFeatures) {
      this.members += 1;
      this.featureStart = at;
    }
  }

  private close(at: number): void {
    if (this.depth === 1) this.endValue();
    this.depth -= 1;
    if (this.depth === 2 && this.featureStart !== -1) {
      this.last = { start: this.featureStart, end: at + 1 };
      this.first ??= this.last;
      this.featureStart = -1;
    }
    if (this.depth === 1 && this.inFeatures) {
      this.inFeatures = false;
      this.bodyEnd = at + 1;
    }
    if (this.depth === 0) this.closed = true;
    if (this.depth < 0) this.trailing = true;
  }

  private startValue(): void {
    this.key = this.token;
    this.token = '';
    this.top.set(this.key, '');
  }

  private endValue(): void {
    if (this.key !== '') this.top.set(this.key, this.token);
    this.key = '';
    this.token = '';
  }

  private stray(byte: number): void {
    if (this.depth === 0) this.trailing = true;
    else this.keep(byte);
  }

  private keep(byte: number): void {
    if (this.token.length < TOKEN_CHARS) this.token += String.fromCharCode(byte);
  }
}
