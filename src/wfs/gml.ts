/**
 * WFS 1.0 to 2.0, GML 2 to 3.2. Unless the number of features equals the members counted in the
 * bytes, the page is refused.
 */
import { beat } from '../kernel/pulse.ts';
import type Feature from 'ol/Feature.js';
import Geometry from 'ol/geom/Geometry.js';
import SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import type { XmlElement } from './dom.ts';
import { charsetOf } from './charset.ts';
import { parseXml } from './dom.ts';
import { GML_NAMESPACES } from './gml-grammar.ts';
import { GmlReader, notesOf } from './gml-reader.ts';
import { remainsOfGml } from './gml-remains.ts';
import type { Envelope } from './envelope.ts';
import { inspect } from './inspect.ts';
import type { ReadFeature } from './read-feature.ts';
import { PageRefused } from './read-feature.ts';
import { checkShape } from './shape.ts';

const MEMBERS = ['member', 'featureMember', 'featureMembers'];

export interface GmlOptions {
  /** Without prefix; needed only where a feature has several geometries. */
  readonly geometryProperty?: string;
  readonly envelope?: Envelope;
}

/** Throws PageRefused. */
export function readGml(bytes: Uint8Array, options: GmlOptions = {}): ReadFeature[] {
  const envelope = options.envelope ?? inspect(bytes);
  if (envelope.kind !== 'features' || envelope.format !== 'gml') {
    const what = 'what' in envelope ? envelope.what : envelope.kind;
    throw new PageRefused(`not a GML feature collection but ${what}`);
  }
  const root = parse(bytes);
  const reader = new GmlReader();
  const features = memberElements(root).map((element) => {
    beat();
    return {
      id: identifierOf(element),
      ...featureOf(reader.readMember(element), options),
      remains: () => remainsOfGml(element, options.geometryProperty),
    };
  });
  if (features.length !== envelope.members) {
    throw new PageRefused(`${features.length} features read of ${envelope.members} members`);
  }
  return features;
}

function parse(bytes: Uint8Array): XmlElement {
  try {
    return parseXml(new TextDecoder(charsetOf(bytes), { fatal: true }).decode(bytes));
  } catch (error) {
    throw new PageRefused(`not well-formed: ${error instanceof Error ? error.message : 'XML'}`);
  }
}

function memberElements(root: XmlElement): XmlElement[] {
  return root.children
    .filter((child) => MEMBERS.includes(child.localName))
    .flatMap((member) => member.children);
}

/** gml:id of GML 3, fid of GML 2; null: none. */
function identifierOf(element: XmlElement): string | null {
  for (const namespace of GML_NAMESPACES) {
    const id = element.getAttributeNS(namespace, 'id');
    if (id) return id;
  }
  return element.getAttribute('fid');
}

function featureOf(feature: Feature, { geometryProperty }: GmlOptions): Omit<ReadFeature, 'id'> {
  const properties: Record<string, unknown> = {};
  const geometries: [string, Geometry][] = [];
  for (const [name, value] of Object.entries(feature.getProperties())) {
    const found = [value].flat().filter((one): one is Geometry => one instanceof Geometry);
    for (const geometry of found) geometries.push([name, geometry]);
    if (found.length === 0 && name !== 'boundedBy') properties[name] = plain(value);
  }
  return { properties, ...chosen(geometries, geometryProperty) };
}

function chosen(
  geometries: readonly [string, Geometry][],
  wanted: string | undefined,
): Omit<ReadFeature, 'id' | 'properties'> {
  const named = geometries.filter(([name]) => name.toLowerCase() === wanted?.toLowerCase());
  const candidates = named.length > 0 ? named : geometries;
  const [first] = candidates;
  if (first === undefined) return { geometry: null, crs: null, refused: null };
  if (candidates.length > 1) {
    const names = candidates.map(([name]) => name).join(', ');
    return { geometry: null, crs: null, refused: `several geometries: ${names}` };
  }
  const [, geometry] = first;
  const { srsName: crs, refused } = notesOf(geometry);
  if (refused !== null) return { geometry: null, crs, refused };
  const isSimple = geometry instanceof SimpleGeometry;
  const fault = isSimple ? checkShape(geometry) : `a ${geometry.getType()} is not read`;
  return isSimple && fault === null
    ? { geometry, crs, refused: null }
    : { geometry: null, crs, refused: fault };
}

/** A value elsewhere (xlink:href) is unread, not empty. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (!('_content_' in value)) return value;
  const { _content_: content = null, ...attributes } = value;
  const isElsewhere = content === null && Object.keys(attributes).some((name) => HREF.test(name));
  return isElsewhere ? attributes : plain(content);
}

const HREF = /(?:^|:)href$/;
