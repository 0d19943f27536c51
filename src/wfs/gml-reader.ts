/**
 * OpenLayers' reader with one table for GML 2, 3.1 and 3.2, extended where it drops content:
 * composite curves, patches, positions.
 */
import type Feature from 'ol/Feature.js';
import GML2 from 'ol/format/GML2.js';
import GML3 from 'ol/format/GML3.js';
import type Geometry from 'ol/geom/Geometry.js';
import GeometryCollection from 'ol/geom/GeometryCollection.js';
import LineString from 'ol/geom/LineString.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import Polygon from 'ol/geom/Polygon.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import { makeArrayExtender, makeArrayPusher, makeReplacer, pushParseAndPop } from 'ol/xml.js';
import { chordsOf } from './arcs.ts';
import type { XmlElement } from './dom.ts';
import { examine, GeometryRefused, GML_NAMESPACES, isGeometryElement } from './gml-grammar.ts';

/** Axis order as written, x y z per vertex. */
export interface RawGeometry {
  readonly geometry: SimpleGeometry;
  readonly srsName: string | null;
}

type Rings = (number[] | null)[];
type Parser = (node: unknown, stack: unknown[]) => void;
type Reader = (node: unknown, stack: unknown[]) => unknown;
type Entry = readonly ['call' | 'replace' | 'push' | 'extend', string];
type Table = Readonly<Record<string, Entry>>;

const SRS_NAME = 'srsName';
const REFUSED = 'refused';

const PATCH: Entry = ['push', 'readPatchPolygon'];

const TABLES: Readonly<Record<string, Table>> = {
  GEOMETRY_FLAT_COORDINATES_PARSERS: {
    pos: ['extend', 'readFlatPos'],
    posList: ['extend', 'readFlatPosList'],
    coordinates: ['extend', 'readTuples'],
  },
  FLAT_LINEAR_RINGS_PARSERS: {
    exterior: ['call', 'exteriorParser'],
    interior: ['call', 'interiorParser'],
    outerBoundaryIs: ['call', 'exteriorParser'],
    innerBoundaryIs: ['call', 'interiorParser'],
  },
  RING_PARSERS: {
    LinearRing: ['replace', 'readFlatLinearRing'],
    Ring: ['replace', 'readFlatCurveRing'],
  },
  GEOMETRY_PARSERS: {
    Point: ['replace', 'readPoint'],
    MultiPoint: ['replace', 'readMultiPoint'],
    LineString: ['replace', 'readLineString'],
    MultiLineString: ['replace', 'readMultiLineString'],
    Polygon: ['replace', 'readPolygon'],
    MultiPolygon: ['replace', 'readMultiPolygon'],
    Surface: ['replace', 'readSurface'],
    CompositeSurface: ['replace', 'readMultiSurface'],
    MultiSurface: ['replace', 'readMultiSurface'],
    Curve: ['replace', 'readCurve'],
    CompositeCurve: ['replace', 'readCompositeCurve'],
    MultiCurve: ['replace', 'readMultiCurve'],
  },
  MULTIPOINT_PARSERS: members('pointMember', 'pointMemberParser'),
  POINTMEMBER_PARSERS: { Point: ['push', 'readFlatCoordinatesFromNode'] },
  MULTILINESTRING_PARSERS: members('lineStringMember', 'lineStringMemberParser'),
  LINESTRINGMEMBER_PARSERS: { LineString: ['push', 'readLineString'] },
  MULTICURVE_PARSERS: members('curveMember', 'curveMemberParser'),
  CURVEMEMBER_PARSERS: {
    LineString: ['push', 'readLineString'],
    Curve: ['push', 'readCurve'],
    CompositeCurve: ['push', 'readCompositeCurve'],
  },
  MULTIPOLYGON_PARSERS: members('polygonMember', 'polygonMemberParser'),
  POLYGONMEMBER_PARSERS: { Polygon: ['push', 'readPolygon'] },
  MULTISURFACE_PARSERS: members('surfaceMember', 'surfaceMemberParser'),
  SURFACEMEMBER_PARSERS: { Polygon: ['push', 'readPolygon'], Surface: ['extend', 'readPatches'] },
  SURFACE_PARSERS: { patches: ['extend', 'readPatch'] },
  PATCHES_PARSERS: { PolygonPatch: PATCH, Rectangle: PATCH, Triangle: PATCH },
  CURVE_PARSERS: { segments: ['extend', 'readSegment'] },
  SEGMENTS_PARSERS: {
    LineStringSegment: ['push', 'readFlatCoordinatesFromNode'],
    Arc: ['push', 'readArcs'],
    ArcString: ['push', 'readArcs'],
    Circle: ['push', 'readArcs'],
  },
};

function members(member: string, method: string): Table {
  return { [member]: ['call', method], [`${member}s`]: ['call', method] };
}

export class GmlReader extends GML3 {
  /** Vertices of chords that the geometry being read does not have. */
  private added = { count: 0 };

  constructor() {
    super();
    const methods = this as unknown as Readonly<Record<string, Reader>>;
    const parserOf = ([becomes, name]: Entry): Parser => {
      const method = methods[name];
      if (method === undefined) throw new Error(`OpenLayers has no ${name}`);
      const read = method.bind(this) as () => unknown[];
      switch (becomes) {
        case 'call':
          return read;
        case 'replace':
          return makeReplacer(read) as Parser;
        case 'push':
          return makeArrayPusher(read) as Parser;
        case 'extend':
          return makeArrayExtender(read) as Parser;
      }
    };
    for (const [name, table] of Object.entries(TABLES)) {
      const parsers = Object.fromEntries(
        Object.entries(table).map(([element, entry]) => [element, parserOf(entry)]),
      );
      const forBoth = Object.fromEntries(GML_NAMESPACES.map((namespace) => [namespace, parsers]));
      Object.assign(this, { [name]: forBoth });
    }
  }

  /** Throws GeometryRefused. */
  readChecked(element: XmlElement): RawGeometry {
    const facts = examine(element);
    this.added = { count: 0 };
    const parser = this.GEOMETRY_PARSERS[element.namespaceURI ?? '']?.[element.localName];
    if (parser === undefined) throw new GeometryRefused(`gml:${element.localName} is not read`);
    const stack: unknown[] = [{}, undefined];
    parser.call(this as never, element as never, stack);
    const geometry = stack[1] as SimpleGeometry | undefined;
    if (geometry === undefined) {
      throw new GeometryRefused(`a gml:${element.localName} without shape`);
    }
    const { count } = this.added;
    const read = geometry.getFlatCoordinates().length / geometry.getStride() - count;
    if (read !== facts.vertices) {
      throw new GeometryRefused(`${read} vertices read of ${facts.vertices} written`);
    }
    return { geometry, srsName: facts.srsName };
  }

  override readGeometryElement(node: unknown): Geometry | undefined {
    const objects = (node as XmlElement).children.filter(isGeometryElement);
    const [first] = objects;
    if (first === undefined) return undefined;
    if (objects.length > 1) return refused('several geometries in one property');
    try {
      const { geometry, srsName } = this.readChecked(first);
      geometry.set(SRS_NAME, srsName, true);
      return geometry;
    } catch (error) {
      if (error instanceof GeometryRefused) return refused(error.message);
      throw error;
    }
  }

  /** `boundedBy` is not used. */
  override readExtentElement(): undefined {
    return undefined;
  }

  /** OpenLayers reads no text beside a comment or CDATA. */
  readMember(element: XmlElement): Feature {
    const leaves = element.children.filter(({ children }) => children.length === 0);
    for (const leaf of leaves) leaf.textContent = String(leaf.textContent);
    return this.readFeatureElement(element, [{}]);
  }

  override readFlatCoordinatesFromNode(node: unknown, stack: unknown[]): number[] {
    return this.collect<number>('GEOMETRY_FLAT_COORDINATES_PARSERS', node, stack);
  }

  readTuples(node: unknown, stack: unknown[]): number[] {
    return GML2.prototype.readFlatCoordinates.call(this as never, node as never, stack) ?? [];
  }

  override readFlatLinearRing(node: unknown, stack: unknown[]): number[] {
    return this.readFlatCoordinatesFromNode(node, stack);
  }

  override readFlatCurveRing(node: unknown, stack: unknown[]): number[] {
    const curves = this.collect<LineString>('MULTICURVE_PARSERS', node, stack);
    return joined(curves.map((curve) => curve.getFlatCoordinates()));
  }

  readArcs(node: unknown, stack: unknown[]): number[] {
    const isCircle = (node as XmlElement).localName === 'Circle';
    return chordsOf(this.readFlatCoordinatesFromNode(node, stack), isCircle, this.added);
  }

  override readSegment(node: unknown, stack: unknown[]): number[] {
    return joined(this.collect<number[]>('SEGMENTS_PARSERS', node, stack));
  }

  override readCurve(node: unknown, stack: unknown[]): LineString {
    return new LineString(this.collect<number>('CURVE_PARSERS', node, stack), 'XYZ');
  }

  readCompositeCurve(node: unknown, stack: unknown[]): LineString {
    return new LineString(this.readFlatCurveRing(node, stack), 'XYZ');
  }

  override readSurface(node: unknown, stack: unknown[]): never {
    const polygons = this.readPatches(node, stack);
    const [only] = polygons;
    return (polygons.length === 1 ? only : new MultiPolygon(polygons)) as never;
  }

  readPatches(node: unknown, stack: unknown[]): Polygon[] {
    return this.collect<Polygon>('SURFACE_PARSERS', node, stack);
  }

  override readPatch(node: unknown, stack: unknown[]): never {
    return this.collect<Polygon>('PATCHES_PARSERS', node, stack) as never;
  }

  readPatchPolygon(node: unknown, stack: unknown[]): Polygon {
    const rings = pushParseAndPop<Rings>([null], this.FLAT_LINEAR_RINGS_PARSERS, node, stack, this);
    if (rings[0] === null) throw new GeometryRefused('a patch without exterior');
    const flat: number[] = [];
    const ends: number[] = [];
    for (const ring of rings) {
      for (const value of ring ?? []) flat.push(value);
      ends.push(flat.length);
    }
    return new Polygon(flat, 'XYZ', ends);
  }

  private collect<T>(table: string, node: unknown, stack: unknown[]): T[] {
    const parsers = (this as unknown as Record<string, never>)[table];
    return pushParseAndPop<T[]>([], parsers as never, node, stack, this);
  }
}

export function notesOf(geometry: Geometry): { srsName: string | null; refused: string | null } {
  return {
    srsName: (geometry.get(SRS_NAME) as string | undefined) ?? null,
    refused: (geometry.get(REFUSED) as string | undefined) ?? null,
  };
}

/** A placeholder, so that the properties are still read. */
function refused(reason: string): Geometry {
  const placeholder = new GeometryCollection([]);
  placeholder.set(REFUSED, reason, true);
  return placeholder;
}

/** Pieces of x y z; each must begin where the previous one ends. */
function joined(pieces: readonly number[][]): number[] {
  const flat: number[] = [];
  for (const piece of pieces) {
    const end = flat.length - 3;
    if (end >= 0 && (flat[end] !== piece[0] || flat[end + 1] !== piece[1])) {
      throw new GeometryRefused('curve pieces that do not meet');
    }
    for (const value of piece) flat.push(value);
  }
  return flat;
}
