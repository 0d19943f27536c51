/**
 * Every element of every geometry emptied, referred to, nil, filled or cut: what is read is all of it, or it is
 * unread (D143). The judge is the length of all rings and lines, by a count of its own.
 */
import { expect, test } from 'vitest';
import { parseXml } from '../../src/wfs/dom.ts';
import type { XmlElement } from '../../src/wfs/dom.ts';
import { curve, line, many, readGmlGeometry, ring, surface } from '../support/gml-geometry.ts';

const GML = 'http://www.opengis.net/gml/3.2';
const HEAD = `xmlns:gml="${GML}" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" srsName="EPSG:25832"`;
const square = (x: number, m: number): string =>
  `${x} 6100000 ${x + m} 6100000 ${x + m} ${6_100_000 + m} ${x} ${6_100_000 + m} ${x} 6100000`;
const curveRing = (x: number): string =>
  many(
    ...(['Ring', 'curveMember'] as const),
    line(`${x} 6100000 ${x + 9} 6100000 ${x + 9} 6100009`),
    line(`${x + 9} 6100009 ${x} 6100000`),
  );
const polygon = (x: number): string =>
  `<gml:Polygon><gml:exterior>${ring(square(x, 60))}</gml:exterior><gml:interior>${ring(square(x + 5, 9))}</gml:interior></gml:Polygon>`;
const patches = (x: number): string => surface(square(x, 60), square(x + 100, 60));
const bent = (x: number): string => line(`${x} 6100000 ${x + 9} 6100009 ${x + 20} 6100000`);
const straight = (x: number): string =>
  curve(`${x} 6100000 ${x + 9} 6100000`, `${x + 9} 6100000 ${x + 20} 6100000`);
const composite = (x: number): string =>
  many('CompositeCurve', 'curveMember', straight(x), straight(x + 20));
const positions = `<gml:LinearRing>${['600000 6100000', '600060 6100000', '600060 6100060', '600000 6100000'].map((pos) => `<gml:pos>${pos}</gml:pos>`).join('')}</gml:LinearRing>`;

const GEOMETRIES: readonly string[] = [
  polygon(600_000),
  patches(600_000),
  bent(600_000),
  straight(600_000),
  composite(600_000),
  `<gml:Polygon><gml:exterior>${curveRing(600_000)}</gml:exterior></gml:Polygon>`,
  `<gml:Polygon><gml:exterior>${positions}</gml:exterior></gml:Polygon>`,
  many('MultiSurface', 'surfaceMember', polygon(600_000), patches(601_000), polygon(602_000)),
  many('MultiSurface', 'surfaceMembers', polygon(600_000) + polygon(602_000)),
  many('MultiPolygon', 'polygonMember', polygon(600_000), polygon(601_000)),
  many('MultiCurve', 'curveMember', bent(600_000), straight(601_000), composite(602_000)),
  many('MultiCurve', 'curveMembers', bent(600_000) + straight(601_000)),
  many('MultiLineString', 'lineStringMember', bent(600_000), bent(601_000)),
  many('CompositeSurface', 'surfaceMember', polygon(600_000), polygon(601_000)),
];

/** What is done to one element. The content, where it has any, is lost. */
const MUTATIONS: Readonly<Record<string, (element: XmlElement) => void>> = {
  emptied: (element) => empty(element),
  'referred to': (element) => {
    empty(element);
    element.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '#elsewhere');
  },
  'referred to beside its content': (element) =>
    element.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '#elsewhere'),
  nil: (element) => {
    empty(element);
    element.setAttributeNS('http://www.w3.org/2001/XMLSchema-instance', 'xsi:nil', 'true');
  },
  'nil for a reason': (element) => {
    empty(element);
    element.setAttribute('nilReason', 'withheld');
  },
  'text instead': (element) => {
    element.textContent = 'utilgængelig';
  },
  'text beside its content': (element) => {
    element.append('600 610');
  },
  'a comment instead': (element) => {
    empty(element);
    element.append(element.ownerDocument!.createComment('600000 6100000'));
  },
  'metadata instead': (element) => {
    empty(element);
    element.append(element.ownerDocument!.createElementNS(GML, 'gml:description'));
  },
  'another namespace instead': (element) => {
    for (const child of element.children) {
      child.replaceWith(
        element.ownerDocument!.createElementNS('urn:other', `o:${child.localName}`),
      );
    }
    if (element.children.length === 0) empty(element);
  },
  'the last child lost': (element) => element.lastElementChild?.remove() ?? empty(element),
  'one ordinate lost': (element) => changeWords(element, (words) => words.slice(0, -1)),
  'no number': (element) => changeWords(element, (words) => ['NaN', ...words.slice(1)]),
};

function empty(element: XmlElement): void {
  while (element.firstChild !== null) element.removeChild(element.firstChild);
}

function changeWords(
  element: XmlElement,
  change: (words: readonly string[]) => readonly string[],
): void {
  if (element.children.length > 0) return;
  element.textContent = change((element.textContent ?? '').trim().split(/\s+/)).join(' ');
}

function elementsOf(root: XmlElement): XmlElement[] {
  return [root, ...root.children.flatMap(elementsOf)];
}

const rootOf = (geometry: string): XmlElement =>
  parseXml(geometry.replace(/^<gml:\w+/, (tag) => `${tag} ${HEAD}`));

/** Vertices that are written, by their numbers alone. */
function verticesOf(root: XmlElement): number {
  return elementsOf(root)
    .filter(({ localName }) => /^pos(List)?$/.test(localName))
    .reduce((sum, { textContent }) => sum + (textContent ?? '').trim().split(/\s+/).length / 2, 0);
}

test.each(GEOMETRIES.map((xml, n) => [n, /\w+:(\w+)/.exec(xml)![1]!, xml] as const))(
  'geometry %i, a %s, loses no part silently',
  (_n, _name, xml) => {
    const untouched = rootOf(xml);
    const whole = verticesOf(untouched);
    expect(tried(untouched.outerHTML)).toBe(whole);
    const lost: string[] = [];
    for (const [what, mutate] of Object.entries(MUTATIONS)) {
      for (const index of elementsOf(untouched).keys()) {
        const root = rootOf(xml);
        const element = elementsOf(root)[index]!;
        mutate(element);
        const text = root.outerHTML;
        if (text === untouched.outerHTML) continue;
        const read = tried(text);
        // A part taken out whole leaves nothing to see it by.
        const isTrace = what !== 'the last child lost';
        if (read !== null && (isTrace || read !== verticesOf(root)) && read !== whole) {
          lost.push(`${what}: ${element.nodeName} ${index}`);
        }
      }
    }
    expect(lost).toEqual([]);
  },
);

/** null: refused. */
function tried(xml: string): number | null {
  try {
    const { geometry } = readGmlGeometry(xml);
    return geometry.getFlatCoordinates().length / geometry.getStride();
  } catch {
    return null;
  }
}
