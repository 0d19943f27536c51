/** Features are counted by braces. JSON.parse, later in a thread, must agree. */
import { END, JsonScan, TEXT, stopsOf } from '../bytes/json-scan.ts';
import type { ByteRange, Envelope, Scanner } from './envelope.ts';
import { countOf } from './envelope.ts';

const QUOTE = 0x22;
const TOKEN_CHARS = 200;

export class JsonScanner implements Scanner {
  private offset: number;
  /** Below the top level only brackets count: coordinates are skipped. */
  private readonly scan = new JsonScan(stopsOf(''), 1);
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
    const { scan } = this;
    scan.feed(chunk);
    for (let byte = scan.next(); byte !== END; byte = scan.next()) {
      if (byte !== TEXT) this.plain(byte, this.offset + scan.at);
      else if (scan.depth === 1) this.keep(chunk.subarray(scan.start, scan.at));
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

  private plain(byte: number, at: number): void {
    const { depth } = this.scan;
    switch (byte) {
      case QUOTE:
        if (depth === 1) this.token = '';
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
        if (depth === 1) this.startValue();
        break;
      case 0x2c: // ,
        if (depth === 1) this.endValue();
        break;
      default:
        if (byte > 0x20) this.stray(byte);
    }
  }

  private open(byte: number, at: number): void {
    const { depth } = this.scan;
    if (this.closed) this.trailing = true;
    if (depth === 2 && byte === 0x5b && this.key === 'features') {
      this.inFeatures = true;
      this.bodyStart = at;
    }
    if (depth === 3 && byte === 0x7b && this.inFeatures) {
      this.members += 1;
      this.featureStart = at;
    }
  }

  private close(at: number): void {
    const { depth } = this.scan;
    if (depth === 0) this.endValue();
    if (depth === 2 && this.featureStart !== -1) {
      this.last = { start: this.featureStart, end: at + 1 };
      this.first ??= this.last;
      this.featureStart = -1;
    }
    if (depth === 1 && this.inFeatures) {
      this.inFeatures = false;
      this.bodyEnd = at + 1;
    }
    if (depth === 0) this.closed = true;
    if (depth < 0) this.trailing = true;
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
    if (this.scan.depth === 1) this.keep([byte]);
    else this.trailing = true;
  }

  private keep(bytes: Iterable<number>): void {
    for (const byte of bytes) {
      if (this.token.length === TOKEN_CHARS) return;
      this.token += String.fromCharCode(byte);
    }
  }
}
