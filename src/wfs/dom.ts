/**
 * OpenLayers' DOM. Not @xmldom/xmldom: it lacks `firstElementChild`, so OpenLayers silently finds
 * no feature.
 */
import * as slimdom from 'slimdom';
import { refuseUnsafeXml } from './xml-guard.ts';

export type { Element as XmlElement } from 'slimdom';

/**
 * Throws XmlRefused for forbidden or malformed XML. Sets the global `Node`, with which OpenLayers
 * compares node types.
 */
export function parseXml(text: string): slimdom.Element {
  refuseUnsafeXml(text);
  installNode();
  const root = slimdom.parseXmlDocument(text).documentElement;
  if (root === null) throw new Error('XML without a root element');
  return root;
}

export function textOfXml(element: slimdom.Element): string {
  return slimdom.serializeToWellFormedString(element);
}

function installNode(): void {
  const target = globalThis as { Node?: unknown };
  target.Node ??= slimdom.Node;
}
