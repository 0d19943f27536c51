/**
 * A tag scanner over XML bytes: root, depth, members, announced counts, exception reports. Skips
 * text.
 */
import { LIMITS } from '../kernel/limits.ts';
import type { ByteRange, Envelope, Scanner } from './envelope.ts';
import { countOf } from './envelope.ts';
import { DECLARED, TOO_DEEP } from './xml-guard.ts';

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;

const CARRY_BYTES = 1024 * 1024;
const EXCEPTION_BYTES = 4_096;
const MEMBER_ELEMENTS = new Set(['member', 'featureMember', 'featureMembers']);

export class XmlScanner implements Scanner {
  private carry: Uint8Array | null = null;
  private base: number;
  private depth = 0;
  private root: string | null = null;
  private rootClosed = false;
  private inMember = false;
  private members = 0;
  private matched: number | null = null;
  private returned: number | null = null;
  private counted: number | null = null;
  private bodyStart = -1;
  private bodyEnd = -1;
  private featureStart = -1;
  private first: ByteRange | null = null;
  private last: ByteRange | null = null;
  private exception: string | null = null;
  private verdict: Envelope | null = null;

  constructor(startOffset: number) {
    this.base = startOffset;
  }

  settled(): Envelope | null {
    return this.verdict;
  }

  push(chunk: Uint8Array): void {
    if (this.verdict !== null) return;
    if (this.exception !== null) {
      this.keepException(chunk);
      return;
    }
    const data = asBuffer(this.carry === null ? chunk : Buffer.concat([this.carry, chunk]));
    this.carry = null;
    const consumed = this.scan(data);
    if (consumed < data.length) {
      if (data.length - consumed > CARRY_BYTES) this.give('a tag without end');
      this.carry = Buffer.from(data.subarray(consumed));
    }
    this.base += consumed;
  }

  end(): Envelope {
    if (this.exception !== null) return { kind: 'exception', text: plainText(this.exception) };
    if (this.verdict !== null) return this.verdict;
    if (this.root === null) return { kind: 'other', what: 'XML without a root element' };
    if (!this.rootClosed || this.carry !== null) {
      return { kind: 'truncated', format: 'gml', members: this.members };
    }
    return {
      kind: 'features',
      format: 'gml',
      members: this.members,
      // WFS 1.1 gives the hits in numberOfFeatures; with members it is the number returned.
      numberMatched: this.matched ?? (this.members === 0 ? this.counted : null),
      numberReturned: this.returned ?? this.counted,
      body: { start: Math.max(this.bodyStart, 0), end: Math.max(this.bodyEnd, 0) },
      first: this.first,
      last: this.last,
    };
  }

  /** Bytes processed; the rest is an unfinished tag. */
  private scan(data: Buffer): number {
    let at = 0;
    while (this.verdict === null) {
      const open = data.indexOf(LT, at);
      if (open === -1) return data.length;
      const close = this.construct(data, open);
      if (close === -1) return open;
      at = close;
      if (this.exception !== null) {
        this.keepException(data.subarray(at));
        return data.length;
      }
    }
    return data.length;
  }

  /** Returns the end of the construct at `open`, or -1 when the bytes stop before. */
  private construct(data: Buffer, open: number): number {
    if (data.length - open < 2) return -1;
    const next = data[open + 1];
    if (next === QUESTION) return after(data, '?>', open + 2);
    if (next === BANG) return this.declaration(data, open);
    const close = tagEnd(data, open + 1);
    if (close === -1) return -1;
    if (next === SLASH) this.closeTag(open, close);
    else this.openTag(data, open, close);
    return close;
  }

  private declaration(data: Buffer, open: number): number {
    const head = data.toString('latin1', open, open + 9);
    if (head.startsWith('<!--')) return after(data, '-->', open + 4);
    if (head === '<![CDATA[') return after(data, ']]>', open + 9);
    if ('<!--'.startsWith(head) || '<![CDATA['.startsWith(head)) return -1;
    const close = tagEnd(data, open + 2);
    if (close === -1) return -1;
    const doctype = data.toString('latin1', open, Math.min(close, open + 64));
    if (/^<!doctype\s+html/i.test(doctype)) this.verdict = { kind: 'html' };
    // Entities could be declared here: no register does, so it is refused.
    else this.verdict = { kind: 'unsafe', what: DECLARED };
    return close;
  }

  private openTag(data: Buffer, open: number, close: number): void {
    const selfClosing = data[close - 2] === SLASH;
    if (this.depth <= 2 || isExceptionInitial(data, open)) this.look(data, open, close);
    if (!selfClosing) this.depth += 1;
    if (this.depth > LIMITS.upstreamXmlDepth) this.verdict = { kind: 'unsafe', what: TOO_DEEP };
    else if (this.depth === 0) this.rootClosed = true;
    else this.leave(close, this.depth);
  }

  private closeTag(open: number, close: number): void {
    this.depth -= 1;
    if (this.depth < 0) {
      this.give(`XML with a closing tag too many at byte ${this.base + open}`);
    } else if (this.depth === 0) this.rootClosed = true;
    else this.leave(close, this.depth);
  }

  private leave(close: number, depth: number): void {
    if (depth === 2 && this.featureStart !== -1) {
      this.last = { start: this.featureStart, end: this.base + close };
      this.first ??= this.last;
      this.featureStart = -1;
    }
    if (depth !== 1 || !this.inMember) return;
    this.bodyEnd = this.base + close;
    this.inMember = false;
  }

  private look(data: Buffer, open: number, close: number): void {
    const tag = data.toString('utf8', open + 1, close - 1);
    const name = localName(tag);
    if (name === 'ExceptionReport' || name === 'ServiceExceptionReport') {
      this.exception = '';
      return;
    }
    if (this.depth === 0) this.enterRoot(name, tag);
    else if (this.depth === 1) {
      this.inMember = MEMBER_ELEMENTS.has(name);
      if (this.inMember && this.bodyStart === -1) this.bodyStart = this.base + open;
    } else if (this.depth === 2 && this.inMember) {
      if (name === 'FeatureCollection') this.give('a collection of collections');
      this.members += 1;
      this.featureStart = this.base + open;
    }
  }

  private enterRoot(name: string, tag: string): void {
    if (this.root !== null) {
      this.give('XML with more than one root element');
      return;
    }
    this.root = name;
    if (name.toLowerCase() === 'html') this.verdict = { kind: 'html' };
    else if (name !== 'FeatureCollection') this.give(`a document of type ${name.slice(0, 60)}`);
    this.matched = countOf(attribute(tag, 'numberMatched'));
    this.returned = countOf(attribute(tag, 'numberReturned'));
    this.counted = countOf(attribute(tag, 'numberOfFeatures'));
  }

  private keepException(chunk: Uint8Array): void {
    const kept = this.exception ?? '';
    if (kept.length >= EXCEPTION_BYTES) {
      this.verdict = { kind: 'exception', text: plainText(kept) };
      return;
    }
    this.exception = kept + asBuffer(chunk).toString('utf8', 0, EXCEPTION_BYTES - kept.length);
  }

  private give(what: string): void {
    this.verdict = { kind: 'other', what };
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function after(data: Buffer, end: string, from: number): number {
  const at = data.indexOf(end, from, 'latin1');
  return at === -1 ? -1 : at + end.length;
}

/** Index after the `>` of a tag, ignoring quoted ones. -1: not there yet. */
function tagEnd(data: Buffer, from: number): number {
  let quote = 0;
  for (let at = from; at < data.length; at += 1) {
    const byte = data[at] ?? 0;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === 0x22 || byte === 0x27) quote = byte;
    else if (byte === GT) return at + 1;
  }
  return -1;
}

/** Fast pre-check: both kinds of exception report begin with E or S. */
function isExceptionInitial(data: Buffer, open: number): boolean {
  for (let at = open + 1; at < Math.min(open + 24, data.length); at += 1) {
    const byte = data[at] ?? 0;
    if (byte === 0x3a) return isInitial(data[at + 1]);
    if (byte === GT || byte === SLASH || byte <= 0x20) break;
  }
  return isInitial(data[open + 1]);
}

function isInitial(byte: number | undefined): boolean {
  return byte === 0x45 || byte === 0x53;
}

function localName(tag: string): string {
  const name = /^[^\s/>]+/.exec(tag)?.[0] ?? '';
  return name.slice(name.lastIndexOf(':') + 1);
}

function attribute(tag: string, name: string): string | null {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? null;
}

function plainText(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[|\]\]>/g, ' ')
    .replace(/<[^>]*>?/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
