import type Polygon from 'ol/geom/Polygon.js';
import { describe, expect, test } from 'vitest';
import { signedRingArea } from '../../src/geo/ring-area.ts';
import { PageRefused } from '../../src/wfs/read-feature.ts';
import type { ReadFeature } from '../../src/wfs/read-feature.ts';
import { readGml } from '../../src/wfs/gml.ts';
import { curve, line, many, readGmlGeometry, ring, surface } from '../support/gml-geometry.ts';

const GML32 = 'http://www.opengis.net/gml/3.2';
const UTM32 = 'urn:ogc:def:crs:EPSG::25832';
const RING = '0 0 10 0 10 10 0 10 0 0';
const HOLE = '2 2 2 4 4 4 4 2 2 2';
const [LOW, HIGH] = ['0 0 10 0 10 10 0 0', '0 0 1 10 0 1 10 10 1 0 0 1'];
const THREE = 'srsDimension="3"';

const polygon = (inner: string, attributes = ''): string =>
  `<gml:Polygon ${attributes}><gml:exterior>${inner}</gml:exterior></gml:Polygon>`;
const flat = (numbers: string): string => polygon(ring(numbers));
const surfaces = (...parts: string[]): string => many('MultiSurface', 'surfaceMember', ...parts);
const arc = (name: string, numbers = '0 0 1 1 2 0', interpolation?: string): string => {
  const given = interpolation === undefined ? '' : ` interpolation="${interpolation}"`;
  return `<gml:Curve><gml:segments><gml:${name}${given}><gml:posList>${numbers}</gml:posList></gml:${name}></gml:segments></gml:Curve>`;
};
/** A geometry element with namespace and CRS put on its outermost tag. */
const declared = (xml: string, srsName = UTM32): string =>
  xml.replace(/^<gml:\w+/, (tag) => `${tag} xmlns:gml="${GML32}" srsName="${srsName}"`);
const shape = (xml: string) => {
  const { geometry } = readGmlGeometry(declared(xml));
  const flat = geometry.getFlatCoordinates();
  const xy = flat.filter((_, at) => at % geometry.getStride() < 2);
  return `${geometry.getType()} ${xy.join(' ')}`;
};

function collection(...members: string[]): Uint8Array {
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="${GML32}" xmlns:d="urn:d" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xlink="http://www.w3.org/1999/xlink">${members
      .map((inner) => `<wfs:member><d:Ting gml:id="t.1">${inner}</d:Ting></wfs:member>`)
      .join('')}</wfs:FeatureCollection>`,
  );
}
function one(inner: string, geometryProperty?: string): ReadFeature {
  const [feature] = readGml(collection(inner), geometryProperty ? { geometryProperty } : {});
  if (feature === undefined) throw new Error('no feature');
  return feature;
}
const geometryOf = (xml: string): string => `<d:geometri>${declared(xml)}</d:geometri>`;

describe('reading GML geometries', () => {
  test.each([
    ['3 dimensions of the posList', polygon(ring(HIGH, THREE)), `Polygon ${LOW}`],
    [
      '3 dimensions of the geometry above',
      surfaces(flat(HIGH)).replace('MultiSurface', `MultiSurface ${THREE}`),
      `MultiPolygon ${LOW}`,
    ],
    // Where OpenLayers does not look.
    ['3 dimensions in between', surfaces(polygon(ring(HIGH), THREE)), `MultiPolygon ${LOW}`],
    ['a surface of two patches, none lost', surface(RING, HOLE), `MultiPolygon ${RING} ${HOLE}`],
    [
      'surfaces of many patches among polygons',
      surfaces(surface(RING, HOLE), flat(RING)),
      `MultiPolygon ${RING} ${HOLE} ${RING}`,
    ],
    [
      'surfaceMembers',
      many('MultiSurface', 'surfaceMembers', flat(RING) + flat(HOLE)),
      `MultiPolygon ${RING} ${HOLE}`,
    ],
    [
      'a ring of curves',
      polygon(many('Ring', 'curveMember', line('0 0 10 0 10 10'), curve('10 10 0 10', '0 10 0 0'))),
      'Polygon 0 0 10 0 10 10 10 10 0 10 0 10 0 0',
    ],
    [
      'a composite curve',
      many('CompositeCurve', 'curveMember', line('0 0 1 1'), line('1 1 2 0')),
      'LineString 0 0 1 1 1 1 2 0',
    ],
    [
      'a multicurve of lines and curves',
      many('MultiCurve', 'curveMember', line('0 0 1 1'), curve('5 5 6 6')),
      'MultiLineString 0 0 1 1 5 5 6 6',
    ],
    [
      'numbers with sign, point and exponent',
      line('+1.5 -.5 1.e2 2E+1 -3e-1 0'),
      'LineString 1.5 -0.5 100 20 -0.3 0',
    ],
  ])('reads %s', (_, xml, expected) => {
    expect(shape(xml)).toBe(expected);
  });

  test('leaves the axis order as written, whatever OpenLayers knows of the CRS', () => {
    for (const name of ['EPSG:4326', 'urn:ogc:def:crs:EPSG::4326', UTM32]) {
      const { geometry, srsName } = readGmlGeometry(declared(line('55 12 56 13'), name));
      expect(geometry.getFlatCoordinates()).toEqual([55, 12, 0, 56, 13, 0]);
      expect(srsName).toBe(name);
    }
  });

  test.each([
    ['Arc', [1_050, 50, 1_000, 100, 950, 50], Math.PI * 2_500 * 0.5],
    ['ArcString', [1_050, 50, 1_000, 0, 950, 50, 1_000, 100, 1_050, 50], Math.PI * 2_500],
    ['ArcString', [1_050, 50, 950, 50, 1_050, 50], Math.PI * 2_500],
    ['Circle', [1_050, 50, 1_000, 100, 950, 50], Math.PI * 2_500],
    ['Arc', [1_050, 50, 1_060, 50, 1_070, 50], 0],
  ])('reads an %s through %j as chords within a millimetre', (name, through, areaM2) => {
    const xml = arc(name, through.join(' '), 'circularArc3Points');
    const flat = readGmlGeometry(declared(xml)).geometry.getFlatCoordinates();
    const xy = Array.from({ length: flat.length / 3 }, (_, n) => [flat[3 * n]!, flat[3 * n + 1]!]);
    for (let n = 0; n < through.length; n += 2) expect(xy).toContainEqual(through.slice(n, n + 2));
    const closed = [...xy, xy[0]!].flat();
    const area = Math.abs(signedRingArea(Float64Array.from(closed), 0, closed.length / 2));
    expect(area).toBeGreaterThan(areaM2 - 0.4);
    expect(area).toBeLessThan(areaM2 + 1e-6);
    for (const [n, [x, y]] of xy.entries()) {
      const [px, py] = xy[Math.max(0, n - 1)]!;
      const middle = Math.hypot((x! + px!) / 2 - 1_000, (y! + py!) / 2 - 50);
      if (areaM2 > 0) expect(50 - middle).toBeLessThan(0.001_001);
    }
  });

  test('reads a ring of arcs and lines, as GeoServer writes a curved polygon', () => {
    const half = arc('ArcString', '1000 0 1050 50 1000 100', 'circularArc3Points');
    const curved = many('Ring', 'curveMember', half, line('1000 100 900 100 900 0 1000 0'));
    const { geometry } = readGmlGeometry(declared(polygon(curved)));
    expect(geometry.getType()).toBe('Polygon');
    expect((geometry as Polygon).getArea()).toBeCloseTo(10_000 + (Math.PI * 2_500) / 2, 0);
  });

  test.each([
    ['arcs in degrees', arc('Arc'), /arcs in degrees are not read/],
    ['an arc string of four vertices', arc('ArcString', '0 0 1 1 2 0 2 1'), /arcs of 4 vertices/],
    ['a circle on one line', arc('Circle', '900 0 901 0 902 0'), /a circle on one line/],
    ['arcs of a spline', arc('Arc', '900 0 901 1 902 0', 'cubicSpline'), /cubicSpline/],
    ['an arc by centre', arc('ArcByCenterPoint'), /ArcByCenterPoint/],
    [
      'an arc among straight segments',
      curve('0 0 1 1').replace('</gml:segments>', '<gml:Arc/></gml:segments>'),
      /Arc/,
    ],
    [
      'a spline by its interpolation',
      curve('0 0 1 1').replace('<gml:LineStringSegment', '$& interpolation="cubicSpline"'),
      /cubicSpline/,
    ],
    ['pieces that do not meet', curve('0 0 1 1', '2 2 3 3'), /do not meet/],
    ['an open ring', flat('0 0 10 0 10 10 0 10'), /not closed/],
    ['a ring of three points', flat('0 0 10 0 0 0'), /3 vertices, of at least 4/],
    ['a line of one point', line('0 0'), /1 vertices, of at least 2/],
    ['words among numbers', line('0 0 1 x'), /unreadable/],
    ['a number cut by a unit', line('0 0 1 12m'), /unreadable/],
    ['two numbers run together', line('0 0 1 2-3'), /unreadable/],
    ['a number too large', line('0 0 1e999 1'), /no finite number/],
    [
      'a comma for a decimal point',
      '<gml:LineString><gml:coordinates decimal="," cs=" ">0 0</gml:coordinates></gml:LineString>',
      /cs=" "|decimal=","/,
    ],
    [
      'tuples of uneven length',
      '<gml:LineString><gml:coordinates>0,0 1,1,1</gml:coordinates></gml:LineString>',
      /unreadable/,
    ],
    ['four dimensions', polygon(ring(RING, 'srsDimension="4"')), /srsDimension 4/],
    ['a solid', '<gml:Solid/>', /gml:Solid is not read/],
    ['a collection', many('MultiGeometry', 'geometryMember', ''), /MultiGeometry/],
    [
      'two CRS in one geometry',
      many('MultiCurve', 'curveMember', declared(line('0 0 1 1'), 'EPSG:4326'), line('0 0 1 1')),
      /two CRS/,
    ],
    [
      'an interior without an exterior',
      `<gml:Polygon><gml:interior>${ring(RING)}</gml:interior></gml:Polygon>`,
      /0 outer rings/,
    ],
  ])('refuses %s with a reason', (_, xml, reason) => {
    expect(() => shape(xml)).toThrow(reason);
  });
});

describe('reading GML features', () => {
  test('gives properties by name without prefix, dots kept, and the geometry apart', () => {
    const feature = one(
      `<d:id.lokalId>17</d:id.lokalId><d:navn>Ærø &amp; Ås</d:navn><d:tom/><d:nul xsi:nil="true"/><d:enhed uom="m">4.5</d:enhed>${geometryOf(flat(RING))}<gml:boundedBy><gml:Envelope><gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>1 1</gml:upperCorner></gml:Envelope></gml:boundedBy>`,
    );
    expect(feature.properties).toEqual({
      ...{ 'id.lokalId': '17', navn: 'Ærø & Ås', tom: null, nul: null, enhed: '4.5' },
    });
    expect(feature).toMatchObject({ crs: UTM32, refused: null });
    expect(feature.geometry?.getType()).toBe('Polygon');
  });

  test.each<[xml: string, value: unknown]>([
    ['<d:a>1<!-- of 2 -->2</d:a>', '12'],
    ['<d:a>1<?of 2?>2</d:a>', '12'],
    ['<d:a>Å<![CDATA[ & ]]>Ø</d:a>', 'Å & Ø'],
    ['<d:a><![CDATA[<b>]]></d:a>', '<b>'],
    ['<d:a><!-- none --></d:a>', null],
    ['<d:a xsi:nil="true" nilReason="unknown"/>', null],
    ['<d:a>1</d:a><d:a>2</d:a>', ['1', '2']],
    ['<d:a xlink:href="#x">1</d:a>', '1'],
    // Elsewhere is neither a text nor nothing.
    ['<d:a xlink:href="#x"/>', { 'xlink:href': '#x' }],
    ['<d:a><d:B><d:c>1</d:c></d:B></d:a>', { B: { c: '1' } }],
  ])('reads the property %s', (xml, a) => {
    expect(one(xml).properties).toEqual({ a });
  });

  test('keeps the properties of a feature whose geometry is refused', () => {
    const feature = one(
      `<d:id>1</d:id><d:geometri>${many('Curve', 'segments', '<gml:Arc/>')}</d:geometri>`,
    );
    expect(feature).toMatchObject({ properties: { id: '1' }, geometry: null });
    expect(feature.refused).toMatch(/Arc/);
  });

  test('tells a feature without geometry from one that was refused', () => {
    expect(one('<d:id>1</d:id>')).toMatchObject({ geometry: null, refused: null });
    expect(one('<d:geometri/>')).toMatchObject({ geometry: null, refused: null });
  });

  test('takes the named geometry of several, and refuses to guess', () => {
    const two = `<d:midte>${declared(line('0 0 1 1'))}</d:midte>${geometryOf(flat(RING))}`;
    expect(one(two, 'Geometri').geometry?.getType()).toBe('Polygon');
    expect(one(two).refused).toMatch(/several geometries: midte, geometri/);
    const pair = geometryOf(line('0 0 1 1')).replace(
      '</d:geometri>',
      `${declared(line('5 5 6 6'))}</d:geometri>`,
    );
    expect(one(pair).refused).toMatch(/several geometries/);
  });

  test('reads as many features as members, one after the other', () => {
    const page = collection('<d:id>1</d:id>', '<d:id>2</d:id>', '<d:id>3</d:id>');
    expect(readGml(page).map(({ properties }) => properties['id'])).toEqual(['1', '2', '3']);
    expect(readGml(collection())).toEqual([]);
  });

  test.each([
    ['an exception report', '<ows:ExceptionReport xmlns:ows="urn:o"/>'],
    ['bytes that are no text', Buffer.from('<w:FeatureCollection a="\xff\xfe"/>', 'latin1')],
    ['tags that do not match', '<w:FeatureCollection><a></b></w:FeatureCollection>'],
    ['an unbound prefix', '<w:FeatureCollection/>'],
    ['JSON', '{"type":"FeatureCollection","features":[]}'],
  ])('refuses %s as a page', (_, content) => {
    expect(() => readGml(Buffer.from(content))).toThrow(PageRefused);
  });
});
