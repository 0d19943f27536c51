/** A GML geometry alone, as the files of the OGC suite have it. */
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
