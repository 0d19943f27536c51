/**
 * Every position in a feature's geometry, whatever elements contain it, and its `boundedBy` box.
 */
import { LIMITS } from '../kernel/limits.ts';
import { dimensionOf } from './crs.ts';
import { textOfXml } from './dom.ts';
import type { XmlElement } from './dom.ts';
import { ARCS, isGeometryElement } from './gml-grammar.ts';
import { Remains } from './remains.ts';

const POSITIONS = ['pos', 'posList', 'coordinates', 'coord'];
/** Curves other than ARCS may lie anywhere near their positions. */
const CURVED = /Arc|Circle|Clothoid|Spline|Bezier|Geodesic|Offset/;
const HOLES = ['interior', 'innerBoundaryIs'];
const STRAIGHT = [null, '', 'linear', 'planar'];

export function remainsOfGml(feature: XmlElement, geometryProperty: string | undefined): Remains {
  const remains = new Remains();
  const properties = feature.children.filter(({ localName }) => localName !== 'boundedBy');
  const wanted = geometryProperty?.toLowerCase();
  const named = properties.filter(({ localName }) => localName.toLowerCase() === wanted);
  const shapes = named.length > 0 ? named : properties.filter(holdsGeometry);
  if (shapes.length === 0) remains.leaveOut();
  for (const shape of shapes) {
    if (remains.raw === '') remains.raw = textOfXml(shape).slice(0, LIMITS.unreadRawChars);
    if (readShape(shape, { remains, crs: null, dimension: null }) === 0) remains.leaveOut();
  }
  for (const box of feature.children) if (box.localName === 'boundedBy') readBox(box, remains);
  return remains;
}

function holdsGeometry({ children }: XmlElement): boolean {
  return children.some(isGeometryElement);
}

interface Inherited {
  readonly remains: Remains;
  readonly crs: string | null;
  readonly dimension: string | null;
}

/** Returns the element's number of positions; an element without any is a gap. */
function readShape(element: XmlElement, above: Inherited): number {
  const { localName, children } = element;
  const here = inheritedBy(element, above);
  const { remains, crs } = here;
  if (ARCS.includes(localName)) {
    return readPositions(children, here, (positions) => remains.arcs(crs, positions));
  }
  if (isUnbounded(element)) remains.leaveOut();
  // A hole lies inside its shell.
  if (HOLES.includes(localName) || localName === 'boundedBy') return 1;
  if (localName === 'LinearRing') {
    return readPositions(children, here, (positions) => remains.checkClosed(positions));
  }
  if (POSITIONS.includes(localName)) {
    return readPositions([element], here, ({ length }) => {
      if (length === 0) remains.leaveOut();
    });
  }
  let found = 0;
  for (const child of children) found += readShape(child, here);
  const isPart = isGeometryElement(element) || /Member|exterior|outerBoundaryIs/.test(localName);
  if (found === 0 && isPart) remains.leaveOut();
  return found;
}

function inheritedBy(element: XmlElement, { remains, ...above }: Inherited): Inherited {
  const crs = element.getAttribute('srsName') ?? above.crs;
  const own = element.getAttribute('srsDimension') ?? element.getAttribute('dimension');
  const usual = crs === null ? null : String(dimensionOf(crs));
  return { remains, crs, dimension: own ?? above.dimension ?? usual };
}

/**
 * Curves that positions do not bound; points, which are no line or area and give one position at
 * most.
 */
function isUnbounded(element: XmlElement): boolean {
  const { localName } = element;
  const isCurved =
    CURVED.test(localName) || !STRAIGHT.includes(element.getAttribute('interpolation'));
  return isCurved || localName === 'Point' || localName === 'MultiPoint';
}

type Positions = readonly (readonly [unknown, unknown])[];

function readPositions(
  parts: readonly XmlElement[],
  { remains, crs, dimension }: Inherited,
  check: (positions: Positions) => void,
): number {
  const positions = parts
    .filter(({ localName }) => POSITIONS.includes(localName))
    .flatMap((part) => tuplesOf(part, part.getAttribute('srsDimension') ?? dimension))
    .map(([first, second]) => [first, second] as const);
  for (const [first, second] of positions) remains.position(crs, first, second);
  check(positions);
  return positions.length;
}

type Tuple = readonly (string | undefined)[];

function tuplesOf(element: XmlElement, dimension: string | null): Tuple[] {
  const text = element.textContent ?? '';
  switch (element.localName) {
    case 'coordinates': {
      const between = element.getAttribute('ts') ?? /\s/;
      const within = element.getAttribute('cs') ?? ',';
      const decimal = element.getAttribute('decimal') ?? '.';
      const tuples = text.split(between).filter((tuple) => tuple.trim() !== '');
      return tuples.map((tuple) => tuple.split(within).map((n) => n.replace(decimal, '.')));
    }
    case 'coord':
      return [element.children.map((axis) => axis.textContent ?? '')];
    case 'pos':
      return [wordsOf(text)];
    default:
      return inTuples(wordsOf(text), dimension === '3' ? 3 : 2);
  }
}

function inTuples(words: readonly string[], size: number): Tuple[] {
  const tuples: Tuple[] = [];
  for (let at = 0; at < words.length; at += size) tuples.push(words.slice(at, at + size));
  return tuples;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** An Envelope of GML 3 or a Box of GML 2. */
function readBox(element: XmlElement, remains: Remains): void {
  for (const envelope of element.children) {
    const corners = envelope.children.flatMap((child) =>
      POSITIONS.includes(child.localName)
        ? tuplesOf(child, null)
        : [wordsOf(child.textContent ?? '')],
    );
    const [low, high] = corners;
    if (low === undefined || high === undefined) continue;
    remains.box(envelope.getAttribute('srsName'), [low[0], low[1], high[0], high[1]]);
  }
}
