/**
 * GML 3.2 in a WFS 2.0 collection, as GeoServer writes it: dotted element names, `srsDimension` on
 * the geometry (not on its position lists), nulls left out.
 */
import type { SampleFeature } from '../data/feature.ts';
import { valueText } from '../data/feature.ts';
import type { Ring, SampleGeometry } from '../data/geometry.ts';
import { linesOf, partsOf } from '../data/geometry.ts';
import { loseInGml } from '../data/lost-member.ts';
import { hashText } from '../data/random.ts';
import { localName } from '../hosts.ts';
import type { Collection } from './collection.ts';
import { TIME_STAMP } from './collection.ts';
import { documentOf, escapeXml } from './xml.ts';

const COLLECTION = documentOf('collection');

export function writeGml(collection: Collection): string {
  const { host, numberMatched, numberReturned, nextUrl } = collection;
  return COLLECTION({
    ...{ prefix: host.prefix, namespace: host.namespace, timeStamp: TIME_STAMP },
    ...{ numberMatched, numberReturned },
    next: nextUrl === null ? '' : ` next="${escapeXml(nextUrl)}"`,
    members: collection.features.map((feature) => writeMember(feature, collection)).join(''),
  });
}

function writeMember(feature: SampleFeature, collection: Collection): string {
  const { host, layer } = collection;
  const name = `${host.prefix}:${localName(layer)}`;
  const attributes = Object.entries(feature.properties).map(([key, value]) => {
    const text = valueText(value);
    const element = `${host.prefix}:${key}`;
    return text === null ? '' : `<${element}>${escapeXml(text)}</${element}>`;
  });
  const { id, geometry, loses } = feature;
  const whole = geometry === null ? '' : writeShape(id, geometry, collection);
  const shape = loses === undefined ? whole : loseInGml(whole, loses, id);
  return [
    `<wfs:member><${name} gml:id="${escapeXml(feature.id)}">`,
    ...attributes,
    shape,
    `</${name}></wfs:member>\n`,
  ].join('');
}

const NAMES = {
  area: {
    ...{ many: 'MultiSurface', member: 'surfaceMember', one: 'Polygon' },
    ...{ patched: 'Surface', patches: 'patches', patch: 'PolygonPatch' },
  },
  line: {
    ...{ many: 'MultiCurve', member: 'curveMember', one: 'LineString' },
    ...{ patched: 'Curve', patches: 'segments', patch: 'LineStringSegment' },
  },
} as const;

/**
 * Registers mix encodings of one shape; so does the sample: every fifth area is a Surface with
 * patches, every fifth line a Curve with segments. Which ones depends on the identifier alone.
 */
function writeShape(id: string, geometry: SampleGeometry, collection: Collection): string {
  const isArea = geometry.type.endsWith('Polygon');
  const { many, member, one, patched, patches, patch } = NAMES[isArea ? 'area' : 'line'];
  const lines = linesOf(geometry);
  const height = (lines[0]?.[0]?.length ?? 2) > 2 ? 3 : 2;
  const srs = `srsName="${escapeXml(collection.srsName)}" srsDimension="${height}"`;
  const element = (name: string, path: string, within: string): string =>
    `<gml:${name} ${srs} gml:id="${escapeXml(`${id}.${path}`)}">${within}</gml:${name}>`;
  const part = (rings: readonly Ring[], path: string): string => {
    const text = rings.map(isArea ? sideText : listText).join('');
    if (hashText(id) % 5 !== 0) return element(one, path, text);
    const within = `<gml:${patches}><gml:${patch}>${text}</gml:${patch}></gml:${patches}>`;
    return element(patched, path, within);
  };
  const parts = isArea ? partsOf(geometry) : lines.map((line) => [line]);
  const members = parts.map(
    (rings, i) => `<gml:${member}>${part(rings, `shape.${i + 1}`)}</gml:${member}>`,
  );
  const isOne = geometry.type === 'Polygon' || geometry.type === 'LineString';
  const shape = isOne ? part(parts[0] ?? [], 'shape') : element(many, 'shape', members.join(''));
  const property = `${collection.host.prefix}:${collection.geometryProperty}`;
  return `<${property}>${shape}</${property}>`;
}

function sideText(line: Ring, i: number): string {
  const side = i === 0 ? 'exterior' : 'interior';
  return `<gml:${side}><gml:LinearRing>${listText(line)}</gml:LinearRing></gml:${side}>`;
}

function listText(line: Ring): string {
  return `<gml:posList>${line.map((pos) => pos.join(' ')).join(' ')}</gml:posList>`;
}
