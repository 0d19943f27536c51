/** A GML geometry alone, as the files of the OGC suite have it, and the parts to write one of. */
import { parseXml } from '../../src/wfs/dom.ts';
import { GeometryRefused, isGeometryElement } from '../../src/wfs/gml-grammar.ts';
import type { RawGeometry } from '../../src/wfs/gml-reader.ts';
import { GmlReader } from '../../src/wfs/gml-reader.ts';
import { checkShape, closeRings } from '../../src/wfs/shape.ts';

/** One bare GML geometry element, as a document of its own. Throws GeometryRefused. */
export function readGmlGeometry(xml: string): RawGeometry {
  const element = parseXml(xml);
  if (!isGeometryElement(element)) {
    throw new GeometryRefused(`${element.nodeName} is no GML geometry`);
  }
  const raw = new GmlReader().readChecked(element);
  const fault = checkShape(raw.geometry) ?? closeRings(raw.geometry);
  if (fault !== null) throw new GeometryRefused(fault);
  return raw;
}

const posList = (numbers: string, attributes = ''): string =>
  `<gml:posList ${attributes}>${numbers}</gml:posList>`;
export const ring = (numbers: string, attributes = ''): string =>
  `<gml:LinearRing>${posList(numbers, attributes)}</gml:LinearRing>`;
export const many = (name: string, member: string, ...parts: readonly string[]): string =>
  `<gml:${name}>${parts.map((part) => `<gml:${member}>${part}</gml:${member}>`).join('')}</gml:${name}>`;
export const line = (numbers: string): string =>
  `<gml:LineString>${posList(numbers)}</gml:LineString>`;
export const curve = (...segments: readonly string[]): string =>
  `<gml:Curve>${many('segments', 'LineStringSegment', ...segments.map((each) => posList(each)))}</gml:Curve>`;
export const surface = (...patches: readonly string[]): string =>
  `<gml:Surface>${many('patches', 'PolygonPatch', ...patches.map((each) => `<gml:exterior>${ring(each)}</gml:exterior>`))}</gml:Surface>`;
