/** OpenLayers silently skips unknown elements; here they are refused. */
import type { XmlElement } from './dom.ts';
import { dimensionOf, sameCrs } from './crs.ts';

export class GeometryRefused extends Error {
  override readonly name = 'GeometryRefused';
}

export const GML_NAMESPACES = ['http://www.opengis.net/gml', 'http://www.opengis.net/gml/3.2'];

const COORDINATES = ['pos', 'posList', 'coordinates'];
const LINES = ['LineString', 'Curve', 'CompositeCurve'];
const SURFACES = ['Polygon', 'Surface'];
/** Segments through three vertices and more (`circularArc3Points`). */
export const ARCS = ['Arc', 'ArcString', 'Circle'];

/** At least one child is needed, or exactly one. */
interface Content {
  readonly children: readonly string[];
  readonly isSingle: boolean;
}

const one = (...children: readonly string[]): Content => ({ children, isSingle: true });
const some = (...children: readonly string[]): Content => ({ children, isSingle: false });
const RINGS = some('exterior', 'interior', 'outerBoundaryIs', 'innerBoundaryIs');
const SHELLS = ['exterior', 'outerBoundaryIs'];

/**
 * By the schemas of GML 2.1.2, 3.1.1 and 3.2.1. Other children are refused, and so is an element
 * without its content.
 */
const GRAMMAR: Readonly<Record<string, Content>> = {
  Point: one('pos', 'coordinates'),
  MultiPoint: some('pointMember', 'pointMembers'),
  pointMember: one('Point'),
  pointMembers: some('Point'),
  LineString: some(...COORDINATES),
  Curve: one('segments'),
  segments: some('LineStringSegment', ...ARCS),
  LineStringSegment: some(...COORDINATES),
  ...Object.fromEntries(ARCS.map((name) => [name, some(...COORDINATES)])),
  CompositeCurve: some('curveMember'),
  MultiLineString: some('lineStringMember', 'lineStringMembers'),
  lineStringMember: one('LineString'),
  lineStringMembers: some('LineString'),
  MultiCurve: some('curveMember', 'curveMembers'),
  curveMember: one(...LINES),
  curveMembers: some(...LINES),
  Polygon: RINGS,
  exterior: one('LinearRing', 'Ring'),
  interior: one('LinearRing', 'Ring'),
  outerBoundaryIs: one('LinearRing'),
  innerBoundaryIs: one('LinearRing'),
  LinearRing: some(...COORDINATES),
  Ring: some('curveMember'),
  Surface: one('patches'),
  patches: some('PolygonPatch', 'Rectangle', 'Triangle'),
  PolygonPatch: RINGS,
  Rectangle: RINGS,
  Triangle: RINGS,
  MultiPolygon: some('polygonMember', 'polygonMembers'),
  polygonMember: one('Polygon'),
  polygonMembers: some('Polygon'),
  MultiSurface: some('surfaceMember', 'surfaceMembers'),
  CompositeSurface: some('surfaceMember'),
  surfaceMember: one(...SURFACES),
  surfaceMembers: some(...SURFACES),
};

/** For the elements whose coordinates are their own. */
const LEAST_VERTICES: Readonly<Record<string, number>> = {
  Point: 1,
  LineString: 2,
  LineStringSegment: 2,
  LinearRing: 4,
  ...Object.fromEntries(ARCS.map((name) => [name, 3])),
};

const XLINK = 'http://www.w3.org/1999/xlink';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

const METADATA = [
  'metaDataProperty',
  'description',
  'descriptionReference',
  'identifier',
  'name',
  'boundedBy',
];

const NO_GEOMETRY = ['Envelope', 'Box', 'Null', 'TimeInstant', 'TimePeriod', 'TimePosition'];

export function isGeometryElement(element: XmlElement): boolean {
  return (
    GML_NAMESPACES.includes(element.namespaceURI ?? '') &&
    /^[A-Z]/.test(element.localName) &&
    !NO_GEOMETRY.includes(element.localName)
  );
}

export interface GeometryFacts {
  readonly vertices: number;
  /** The CRS of all coordinates; null: none. */
  readonly srsName: string | null;
}

interface Inherited {
  readonly srsName: string | null;
  readonly dimension: string | null;
}

/**
 * Copies `srsDimension` to every posList: OpenLayers looks only at its parent. Throws
 * GeometryRefused.
 */
export function examine(element: XmlElement): GeometryFacts {
  const walk = new Walk();
  walk.enter(element, { srsName: null, dimension: null });
  if (walk.vertices === 0) throw new GeometryRefused(`an empty ${element.localName}`);
  return { vertices: walk.vertices, srsName: walk.srsName ?? null };
}

class Walk {
  vertices = 0;
  srsName: string | null | undefined = undefined;

  enter(element: XmlElement, above: Inherited): void {
    const here = {
      srsName: element.getAttribute('srsName') ?? above.srsName,
      dimension: element.getAttribute('srsDimension') ?? above.dimension,
    };
    if (COORDINATES.includes(element.localName)) {
      this.count(element, here);
      return;
    }
    const content = GRAMMAR[element.localName];
    if (content === undefined) throw new GeometryRefused(`gml:${element.localName} is not read`);
    const interpolation = element.getAttribute('interpolation');
    const usual = ARCS.includes(element.localName) ? ['circularArc3Points'] : ['linear', 'planar'];
    if (interpolation !== null && !usual.includes(interpolation)) {
      throw new GeometryRefused(`${interpolation} interpolation is not read`);
    }
    refuseAbsent(element);
    const before = this.vertices;
    this.enterChildren(element, content, here);
    const least = LEAST_VERTICES[element.localName] ?? 0;
    if (this.vertices - before < least) {
      throw new GeometryRefused(
        `a gml:${element.localName} of ${this.vertices - before} vertices, of at least ${least}`,
      );
    }
  }

  private enterChildren(element: XmlElement, content: Content, here: Inherited): void {
    let held = 0;
    let shells = 0;
    for (const child of element.children) {
      if (METADATA.includes(child.localName)) continue;
      const isAllowed =
        child.namespaceURI === element.namespaceURI && content.children.includes(child.localName);
      if (!isAllowed) {
        throw new GeometryRefused(`${child.localName} in gml:${element.localName} is not read`);
      }
      held += 1;
      if (SHELLS.includes(child.localName)) shells += 1;
      this.enter(child, here);
    }
    if (held === 0) throw new GeometryRefused(`an empty gml:${element.localName}`);
    if (content.isSingle && held > 1) {
      throw new GeometryRefused(`${held} elements in gml:${element.localName}`);
    }
    if (content === RINGS && shells !== 1) {
      throw new GeometryRefused(`a gml:${element.localName} with ${shells} outer rings`);
    }
  }

  private count(element: XmlElement, here: Inherited): void {
    refuseAbsent(element);
    if (element.children.length > 0) throw unreadable(element.localName);
    const text = element.textContent ?? '';
    this.sameSrs(here.srsName);
    if (element.localName === 'posList') {
      const dimension =
        here.dimension ?? element.getAttribute('dimension') ?? String(dimensionOf(here.srsName));
      this.vertices += verticesOfList(text, dimension);
      element.setAttribute('srsDimension', dimension);
    } else if (element.localName === 'pos') {
      const ordinates = countNumbers(text, false).numbers;
      if (ordinates !== 2 && ordinates !== 3) throw unreadable('pos');
      this.vertices += 1;
    } else {
      this.vertices += verticesOfTuples(element, text);
    }
  }

  private sameSrs(srsName: string | null): void {
    if (this.srsName === undefined) this.srsName = srsName;
    else if (!sameCrs(this.srsName, srsName)) {
      throw new GeometryRefused(
        `coordinates in two CRS: ${this.srsName ?? 'none'} and ${srsName ?? 'none'}`,
      );
    }
  }
}

/** Throws for content that is elsewhere, absent for a reason, or text where elements belong. */
function refuseAbsent(element: XmlElement): void {
  const { localName } = element;
  if (element.getAttributeNS(XLINK, 'href') !== null) {
    throw new GeometryRefused(`gml:${localName} refers to content elsewhere`);
  }
  const isNil =
    element.hasAttribute('nilReason') ||
    /^\s*(true|1)\s*$/.test(element.getAttributeNS(XSI, 'nil') ?? '');
  if (isNil) throw new GeometryRefused(`gml:${localName} is nil`);
  if (COORDINATES.includes(localName)) return;
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    const isText = node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE;
    if (isText && /\S/.test(node.nodeValue ?? '')) {
      throw new GeometryRefused(`text in gml:${localName}`);
    }
  }
}

function verticesOfList(text: string, dimension: string): number {
  if (dimension !== '2' && dimension !== '3') {
    throw new GeometryRefused(`srsDimension ${dimension} is not read`);
  }
  const { numbers } = countNumbers(text, false);
  const vertices = numbers / Number(dimension);
  if (!Number.isInteger(vertices)) throw unreadable('posList');
  return vertices;
}

function verticesOfTuples(element: XmlElement, text: string): number {
  for (const [name, usual] of [
    ['cs', ','],
    ['ts', ' '],
    ['decimal', '.'],
  ] as const) {
    const written = element.getAttribute(name);
    if (written !== null && written !== usual) {
      throw new GeometryRefused(`coordinates with ${name}="${written}" are not read`);
    }
  }
  const { numbers, groups } = countNumbers(text, true);
  if (groups > 0 && numbers !== groups * 2 && numbers !== groups * 3)
    throw unreadable('coordinates');
  return groups;
}

function unreadable(what: string): GeometryRefused {
  return new GeometryRefused(`unreadable numbers in ${what}`);
}

const SPACES = /[\t-\r ]+/;

/** Plain decimals. parseFloat silently truncates anything else. */
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** `groups` of numbers between commas, where commas separate. */
function countNumbers(text: string, commas: boolean): { numbers: number; groups: number } {
  let numbers = 0;
  let groups = 0;
  for (const word of text.split(SPACES)) {
    const before = numbers;
    for (const number of commas ? word.split(',') : [word]) {
      if (number === '') continue;
      if (!NUMBER.test(number)) throw unreadable('coordinates');
      numbers += 1;
    }
    if (numbers > before) groups += 1;
  }
  return { numbers, groups };
}
