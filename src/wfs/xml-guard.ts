/**
 * A parser would expand document types and entities, and descend into any nesting: they are refused
 * before parsing.
 */
import { LIMITS } from '../kernel/limits.ts';

export class XmlRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'XmlRefused';
  }
}

/** Throws XmlRefused. The parser reports other faults. */
export function refuseUnsafeXml(text: string): void {
  let depth = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const next = text.charCodeAt(at + 1);
    if (next === BANG) {
      if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
      else if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at + 9);
      else throw new XmlRefused(DECLARED);
    } else if (next === QUESTION) at = after(text, '?>', at + 2);
    else {
      const end = tagEnd(text, at + 1);
      if (next === SLASH) depth -= 1;
      else if (text.charCodeAt(end - 2) !== SLASH) depth += 1;
      if (depth > LIMITS.upstreamXmlDepth) throw new XmlRefused(TOO_DEEP);
      at = end;
    }
  }
}

/** `<!DOCTYPE`, and `<!ENTITY` where it is not allowed. */
export const DECLARED = 'XML with a document type or an entity declaration';
export const TOO_DEEP = `XML with more than ${LIMITS.upstreamXmlDepth} elements inside one another`;

const BANG = 0x21;
const QUESTION = 0x3f;
const SLASH = 0x2f;
const QUOTES: readonly number[] = [0x22, 0x27];

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? text.length : at + end.length;
}

function tagEnd(text: string, from: number): number {
  let quote = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (QUOTES.includes(code)) quote = code;
    else if (code === 0x3e) return at + 1;
  }
  return text.length;
}
