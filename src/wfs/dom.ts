/**
 * The one place that knows which DOM OpenLayers reads through. slimdom, not @xmldom/xmldom: with
 * that one OpenLayers finds no feature and reports no error, for want of `firstElementChild`.
 */
import * as slimdom from 'slimdom';
import { refuseUnsafeXml } from './xml-guard.ts';

export type { Element as XmlElement } from 'slimdom';

/**
 * Parses a whole document. Throws XmlRefused on what is not to be parsed at all, and on anything not
 * well-formed. OpenLayers compares node types with
 * the constants of a global `Node` when it reads text; it is set here, and nothing else is.
 */
export function parseXml(text: string): slimdom.Element {
  refuseUnsafeXml(text);
  installNode();
  const root = slimdom.parseXmlDocument(text).documentElement;
  if (root === null) throw new Error('XML without a root element');
  return root;
}

/** An element as it is written. */
export function textOfXml(element: slimdom.Element): string {
  return slimdom.serializeToWellFormedString(element);
}

/** Text of bytes, by the encoding the XML declaration names (UTF-8 without one). */
export function decodeXml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200));
  const label = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(
    head.toString('latin1'),
  )?.[1];
  return new TextDecoder(label ?? 'utf-8', { fatal: true }).decode(bytes);
}

function installNode(): void {
  const target = globalThis as { Node?: unknown };
  target.Node ??= slimdom.Node;
}
