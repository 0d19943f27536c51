/**
 * GML 3.2 in a WFS 2.0 collection, as GeoServer writes it: dotted element names, `srsDimension` on
 * the geometry (not on its position lists), nulls left out.
 */
import type { SampleFeature } from '../data/feature.ts';
import { valueText } from '../data/feature.ts';
import type { Ring, SampleGeometry } from '../data/geometry.ts';
import { linesOf } from '../data/geometry.ts';
import { loseInGml } from '../data/lost-member.ts';
import { hashText } from '../data/random.ts';
import { localName } from '../hosts.ts';
import type { Collection } from './collection.ts';
import { TIME_STAMP } from './collection.ts';
import { escapeXml } from './xml.ts';

export function writeGml(collection: Collection): string {
  const { host, numberMatched, numberReturned, nextUrl } = collection;
  const next = nextUrl === null ? '' : ` next="${escapeXml(nextUrl)}"`;
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<wfs:FeatureCollection xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    ' xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"',
    ` xmlns:${host.prefix}="${host.namespace}"`,
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    ` numberMatched="${numberMatched}" numberReturned="${numberReturned}"`,
    ` timeStamp="${TIME_STAMP}"${next}`,
    ' xsi:schemaLocation="http://www.opengis.net/wfs/2.0',
    ' http://schemas.opengis.net/wfs/2.0/wfs.xsd http://www.opengis.net/gml/3.2',
    ' http://schemas.opengis.net/gml/3.2.1/gml.xsd">\n',
  ];
  const members = collection.features.map((feature) => writeMember(feature, collection));
  return [...head, ...members, '</wfs:FeatureCollection>\n'].join('');
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

/**
 * Registers mix encodings of one shape; so does the sample: every fifth area is a Surface with
 * patches, every fifth line a Curve with segments. Which ones depends on the identifier alone.
 */
function writeShape(id: string, geometry: SampleGeometry, collection: Collection): string {
  const element = `${collection.host.prefix}:${collection.geometryProperty}`;
  const writer: ShapeWriter = {
    id,
    patched: hashText(id) % 5 === 0,
    attributes: (path) => {
      const height = (linesOf(geometry)[0]?.[0]?.length ?? 2) > 2 ? 3 : 2;
      const srs = escapeXml(collection.srsName);
      return ` srsName="${srs}" srsDimension="${height}" gml:id="${escapeXml(`${id}.${path}`)}"`;
    },
  };
  return `<${element}>${shapeText(geometry, writer)}</${element}>`;
}

interface ShapeWriter {
  readonly id: string;
  readonly patched: boolean;
  readonly attributes: (path: string) => string;
}

function shapeText(geometry: SampleGeometry, writer: ShapeWriter): string {
  const many = (kind: string, parts: readonly string[]): string => {
    const members = parts.map((part) => `<gml:${kind}Member>${part}</gml:${kind}Member>`);
    const name = `gml:Multi${kind === 'surface' ? 'Surface' : 'Curve'}`;
    return `<${name}${writer.attributes('shape')}>${members.join('')}</${name}>`;
  };
  const path = (i: number): string => `shape.${i + 1}`;
  switch (geometry.type) {
    case 'Polygon':
      return polygonText(geometry.coordinates, writer, 'shape');
    case 'MultiPolygon':
      return many(
        'surface',
        geometry.coordinates.map((rings, i) => polygonText(rings, writer, path(i))),
      );
    case 'LineString':
      return lineText(geometry.coordinates, writer, 'shape');
    case 'MultiLineString':
      return many(
        'curve',
        geometry.coordinates.map((line, i) => lineText(line, writer, path(i))),
      );
  }
}

function polygonText(rings: readonly Ring[], writer: ShapeWriter, path: string): string {
  const sides = rings.map((line, i) => {
    const side = i === 0 ? 'exterior' : 'interior';
    const list = `<gml:posList>${positionsOf(line)}</gml:posList>`;
    return `<gml:${side}><gml:LinearRing>${list}</gml:LinearRing></gml:${side}>`;
  });
  const attributes = writer.attributes(path);
  return writer.patched
    ? `<gml:Surface${attributes}><gml:patches><gml:PolygonPatch>${sides.join('')}` +
        '</gml:PolygonPatch></gml:patches></gml:Surface>'
    : `<gml:Polygon${attributes}>${sides.join('')}</gml:Polygon>`;
}

function lineText(line: Ring, writer: ShapeWriter, path: string): string {
  const list = `<gml:posList>${positionsOf(line)}</gml:posList>`;
  const attributes = writer.attributes(path);
  return writer.patched
    ? `<gml:Curve${attributes}><gml:segments><gml:LineStringSegment>${list}` +
        '</gml:LineStringSegment></gml:segments></gml:Curve>'
    : `<gml:LineString${attributes}>${list}</gml:LineString>`;
}

function positionsOf(line: Ring): string {
  return line.map((pos) => pos.join(' ')).join(' ');
}
