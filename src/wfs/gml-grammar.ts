/**
 * What a GML geometry may contain, and its number of vertices. OpenLayers silently skips unknown elements;
 * here they are refused.
 */
import type { XmlElement } from './dom.ts';
import { sameCrs } from './crs.ts';

export class GeometryRefused extends Error {
  override readonly name = 'GeometryRefused';
}

export const GML_NAMESPACES = ['http://www.opengis.net/gml', 'http://www.opengis.net/gml/3.2'];

const COORDINATES = ['pos', 'posList', 'coordinates'];
const LINES = ['LineString', 'Curve', 'CompositeCurve'];
const SURFACES = ['Polygon', 'Surface'];
const RINGS = ['exterior', 'interior', 'outerBoundaryIs', 'innerBoundaryIs'];

/** Element -> allowed children. Others are refused. */
const GRAMMAR: Readonly<Record<string, readonly string[]>> = {
  Point: ['pos', 'coordinates'],
  MultiPoint: ['pointMember', 'pointMembers'],
  pointMember: ['Point'],
  pointMembers: ['Point'],
  LineString: COORDINATES,
  Curve: ['segments'],
  segments: ['LineStringSegment'],
  LineStringSegment: COORDINATES,
  CompositeCurve: ['curveMember'],
  MultiLineString: ['lineStringMember', 'lineStringMembers'],
  lineStringMember: ['LineString'],
  lineStringMembers: ['LineString'],
  MultiCurve: ['curveMember', 'curveMembers'],
  curveMember: LINES,
  curveMembers: LINES,
  Polygon: RINGS,
  exterior: ['LinearRing', 'Ring'],
  interior: ['LinearRing', 'Ring'],
  outerBoundaryIs: ['LinearRing'],
  innerBoundaryIs: ['LinearRing'],
  LinearRing: COORDINATES,
  Ring: ['curveMember'],
  Surface: ['patches'],
  patches: ['PolygonPatch', 'Rectangle', 'Triangle'],
  PolygonPatch: RINGS,
  Rectangle: RINGS,
  Triangle: RINGS,
  MultiPolygon: ['polygonMember', 'polygonMembers'],
  polygonMember: ['Polygon'],
  polygonMembers: ['Polygon'],
  MultiSurface: ['surfaceMember', 'surfaceMembers'],
  CompositeSurface: ['surfaceMember'],
  surfaceMember: SURFACES,
  surfaceMembers: SURFACES,
};

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
  /** The one `srsName` of all coordinates; null: none. */
  readonly srsName: string | null;
}

interface Inherited {
  readonly srsName: string | null;
  readonly dimension: string | null;
}

/**
 * Checks a geometry element against the grammar and counts its vertices. Copies `srsDimension` to every
 * posList: OpenLayers looks only at its parent. Throws GeometryRefused.
 */
export function examine(element: XmlElement): GeometryFacts {
  const walk = new Walk();
  walk.enter(element, { srsName: null, dimension: null });
  if (walk.vertices === 0) throw new GeometryRefused(`an empty ${element.localName}`);
  return { vertices: walk.vertices, srsName: walk.srsName ?? null };
}

class Walk {
  vertices = 0;
  /** undefined until the first coordinates. */
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
    const allowed = GRAMMAR[element.localName];
    if (allowed === undefined) throw new GeometryRefused(`gml:${element.localName} is not read`);
    const interpolation = element.getAttribute('interpolation');
    if (interpolation !== null && !['linear', 'planar'].includes(interpolation)) {
      throw new GeometryRefused(`${interpolation} interpolation is not read`);
    }
    for (const child of element.children) {
      if (METADATA.includes(child.localName)) continue;
      if (child.namespaceURI !== element.namespaceURI || !allowed.includes(child.localName)) {
        throw new GeometryRefused(`${child.localName} in gml:${element.localName} is not read`);
      }
      this.enter(child, here);
    }
  }

  private count(element: XmlElement, here: Inherited): void {
    const text = element.textContent ?? '';
    this.sameSrs(here.srsName);
    if (element.localName === 'posList') {
      const dimension = here.dimension ?? element.getAttribute('dimension') ?? '2';
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

/**
 * Counts plain decimal numbers between white space (`groups` of them between commas, where commas
 * separate). Refuses anything else, which parseFloat would silently truncate.
 */
function countNumbers(text: string, commas: boolean): { numbers: number; groups: number } {
  let numbers = 0;
  let groups = 0;
  let state: NumberState = BETWEEN;
  let inGroup = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    const isSpace = code === 0x20 || (code >= 0x09 && code <= 0x0d);
    if (!isSpace && !(commas && code === 0x2c)) {
      if (state === BETWEEN && !inGroup) {
        groups += 1;
        inGroup = true;
      }
      state = step(state, code);
      if (state === BROKEN) throw unreadable('coordinates');
      continue;
    }
    if (state !== BETWEEN) {
      if (!WHOLE.includes(state)) throw unreadable('coordinates');
      numbers += 1;
      state = BETWEEN;
    }
    if (isSpace) inGroup = false;
  }
  return { numbers, groups };
}

type NumberState = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
const BETWEEN = 0;
const SIGN = 1;
const INTEGER = 2;
const POINT_FIRST = 3;
const FRACTION = 4;
const EXPONENT = 5;
const EXPONENT_SIGN = 6;
const EXPONENT_DIGITS = 7;
const BROKEN = 8;
/** States a number may end in. */
const WHOLE: readonly NumberState[] = [INTEGER, FRACTION, EXPONENT_DIGITS];

/** By the state before: the state after a digit, a point, a sign, an e. */
const NEXT: readonly (readonly [NumberState, NumberState, NumberState, NumberState])[] = [
  [INTEGER, POINT_FIRST, SIGN, BROKEN],
  [INTEGER, POINT_FIRST, BROKEN, BROKEN],
  [INTEGER, FRACTION, BROKEN, EXPONENT],
  [FRACTION, BROKEN, BROKEN, BROKEN],
  [FRACTION, BROKEN, BROKEN, EXPONENT],
  [EXPONENT_DIGITS, BROKEN, EXPONENT_SIGN, BROKEN],
  [EXPONENT_DIGITS, BROKEN, BROKEN, BROKEN],
  [EXPONENT_DIGITS, BROKEN, BROKEN, BROKEN],
];

function step(state: NumberState, code: number): NumberState {
  const next = NEXT[state];
  if (next === undefined) return BROKEN;
  if (code >= 0x30 && code <= 0x39) return next[0];
  if (code === 0x2e) return next[1];
  if (code === 0x2b || code === 0x2d) return next[2];
  return code === 0x45 || code === 0x65 ? next[3] : BROKEN;
}
