/** What is left of features that cannot be read, in each format, and the place that it tells (D143). */
import { describe, expect, test } from 'vitest';
import { remainsOfWkb, remainsOfWkt } from '../../src/downloads/remains.ts';
import { parseXml } from '../../src/wfs/dom.ts';
import { remainsOfGeoJson } from '../../src/wfs/geojson-remains.ts';
import { remainsOfGml } from '../../src/wfs/gml-remains.ts';
import { placeOf } from '../../src/wfs/remains.ts';
import type { Remains } from '../../src/wfs/remains.ts';
import { box, positionsOf } from '../support/layer-fixture.ts';

const UTM32 = 'EPSG:25832';
const [X, Y] = [650_000, 6_314_000];
const BOX = [X, Y, X + 60, Y + 60];
const WHOLE = { box: BOX, isWhole: true };
/** What is lost may lie anywhere: the box alone is no place. */
const PARTLY = { box: expect.any(Array) as number[], isWhole: false };

const place = (remains: Remains) => placeOf(remains, UTM32);
const holds = (remains: Remains) => {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = place(remains)?.box ?? [];
  return west <= X && south <= Y && east >= X + 60 && north >= Y + 60;
};

describe('WKT', () => {
  const of = (wkt: unknown) => remainsOfWkt(wkt);
  const open = `${X} ${Y}, ${X + 60} ${Y}, ${X + 60} ${Y + 60}, ${X} ${Y + 60}`;
  const corners = `${open}, ${X} ${Y}`;

  test.each([
    `POLYGON ((${corners}))`,
    `SRID=25832;POLYGON Z ((${corners.replaceAll(',', ' 7,')} 7))`,
    `GEOMETRYCOLLECTION (POLYGON ((${corners}, ${X} ${Y})))`,
    `LINESTRING (${corners})`,
    `polygon ((${corners}`,
  ])('%s', (wkt) => {
    expect(place(of(wkt))).toEqual(WHOLE);
  });

  test.each([
    `MULTIPOLYGON (((${corners})), EMPTY)`,
    `POLYGON ((${corners}, x 3))`,
    `POLYGON ((${corners}), ())`,
    `POLYGON ((${corners}, NaN NaN))`,
    `POLYGON ((${corners}, 0 0))`,
    `POLYGON ((${open}))`,
  ])('%s has gaps', (wkt) => {
    expect(place(of(wkt))).toEqual(PARTLY);
    expect(holds(of(wkt))).toBe(true);
  });

  test.each([`SRID=4711;POLYGON ((${corners}))`, 'POLYGON EMPTY', 17, '', `POINT (${X} ${Y})`])(
    '%s tells no place',
    (wkt) => {
      expect(place(of(wkt))?.isWhole ?? false).toBe(false);
    },
  );
});

describe('GML', () => {
  const GML = 'xmlns:gml="http://www.opengis.net/gml/3.2"';
  const list = `${X} ${Y} ${X + 60} ${Y} ${X + 60} ${Y + 60} ${X} ${Y + 60} ${X} ${Y}`;
  const ringOf = (positions: string) =>
    `<gml:exterior><gml:LinearRing><gml:posList>${positions}</gml:posList></gml:LinearRing></gml:exterior>`;
  const feature = (inner: string) => remainsOfGml(parseXml(`<f ${GML}>${inner}</f>`), 'shape');
  const polygon = (positions: string, srs = '') =>
    `<shape><gml:Polygon ${srs}>${ringOf(positions)}</gml:Polygon></shape>`;
  const envelope = (srs: string, low: string, high: string) =>
    `<gml:boundedBy><gml:Envelope srsName="${srs}"><gml:lowerCorner>${low}</gml:lowerCorner>` +
    `<gml:upperCorner>${high}</gml:upperCorner></gml:Envelope></gml:boundedBy>`;

  test.each([
    ['a ring', polygon(list)],
    ['three ordinates', polygon(list.replaceAll(/(\d+ \d{7})/g, '$1 3'), 'srsDimension="3"')],
    [
      'a collection',
      `<shape><gml:MultiGeometry><gml:geometryMember><gml:Polygon>${ringOf(list)}</gml:Polygon></gml:geometryMember></gml:MultiGeometry></shape>`,
    ],
    [
      'pairs with commas',
      `<shape><gml:LineString><gml:coordinates>${X},${Y} ${X + 60},${Y + 60}</gml:coordinates></gml:LineString></shape>`,
    ],
    [
      'a text that is no number beside its box',
      envelope(UTM32, `${X + 50} ${Y + 50}`, `${X + 10} ${Y + 10}`) + polygon(list),
    ],
  ])('%s', (_what, xml) => {
    expect(place(feature(xml))).toEqual(WHOLE);
  });

  test('the box that the document tells holds what cannot be read', () => {
    const box = envelope(UTM32, `${X} ${Y}`, `${X + 60} ${Y + 60}`);
    for (const shape of ['', '<shape/>', polygon('x y'), polygon(list, 'srsName="EPSG:4711"')]) {
      expect(holds(feature(box + shape)), shape).toBe(true);
      expect(place(feature(box + shape))?.isWhole).toBe(true);
    }
    const degrees = envelope('EPSG:4326', '11.45 56.94', '11.48 56.95');
    expect(place(feature(degrees))?.box[0]).toBeGreaterThan(600_000);
  });

  test('arcs are bounded by their circles, an empty part is a gap', () => {
    const arc = (name: string, positions: string) =>
      feature(
        `<shape><gml:Curve><gml:segments><gml:${name}><gml:posList>${positions}</gml:posList></gml:${name}></gml:segments></gml:Curve></shape>`,
      );
    const half = `${X} ${Y + 30} ${X + 30} ${Y + 60} ${X + 60} ${Y + 30}`;
    expect(place(arc('Arc', half))).toEqual(WHOLE);
    expect(place(arc('Circle', `${half} ${X + 30} ${Y} ${X} ${Y + 30}`))).toEqual(WHOLE);
    expect(place(arc('ArcString', `${half} ${X + 90} ${Y + 30}`))?.isWhole).toBe(false);
    expect(place(arc('Bezier', half))?.isWhole).toBe(false);
    const part = `<gml:surfaceMember><gml:Polygon>${ringOf(list)}</gml:Polygon></gml:surfaceMember>`;
    const empty = '<gml:surfaceMember><gml:Polygon/></gml:surfaceMember>';
    const several = feature(`<shape><gml:MultiSurface>${part}${empty}</gml:MultiSurface></shape>`);
    expect(place(several)).toEqual(PARTLY);
    expect(several.raw).toContain('MultiSurface');
    expect(place(feature(polygon(list, 'srsName="EPSG:4711"')))).toBeNull();
  });
});

describe('the binary form', () => {
  const pairs = [X, Y, X + 60, Y, X + 60, Y + 60, X, Y + 60, X, Y];
  const half = [X, Y + 30, X + 30, Y + 60, X + 60, Y + 30];
  const points = (xy: readonly number[]) => {
    const bytes = Buffer.alloc(4 + 8 * xy.length);
    bytes.writeUInt32LE(xy.length / 2);
    for (const [i, n] of xy.entries()) bytes.writeDoubleLE(n, 4 + 8 * i);
    return bytes;
  };
  const of = (type: number, ...parts: readonly Buffer[]) => {
    const head = Buffer.alloc(9);
    head.writeUInt8(1);
    head.writeUInt32LE(type, 1);
    head.writeUInt32LE(parts.length, 5);
    return Buffer.concat([head, ...parts]);
  };
  const read = (wkb: Uint8Array, box: readonly number[] | null = null) =>
    place(remainsOfWkb(wkb, UTM32, box));

  test('is read as far as it goes', () => {
    expect(read(of(3, points(pairs)))).toEqual(WHOLE);
    expect(read(of(7, of(3, points(pairs))))).toEqual(WHOLE);
    expect(read(of(6, of(3, points(pairs)), of(3)))).toEqual(PARTLY);
    expect(read(of(3, points(pairs)).subarray(0, -3))).toEqual(PARTLY);
    expect(read(of(3, points([...pairs, NaN, NaN])))).toEqual(PARTLY);
    expect(read(of(3, points(pairs.slice(0, -2))))).toEqual(PARTLY);
    const string = Buffer.concat([Buffer.from([1, 8, 0, 0, 0]), points(half)]);
    expect(read(of(10, string))).toEqual(WHOLE);
    expect(read(Buffer.from('no geometry at all'))).toBeNull();
  });

  test('has its box in the header of a GeoPackage', () => {
    const header = [X, X + 60, Y, Y + 60];
    expect(read(of(3), header)?.isWhole).toBe(true);
    expect(read(of(10, of(8, points(pairs))), header)?.box[0]).toBeLessThanOrEqual(X);
    expect(read(of(3), [NaN, NaN, NaN, NaN])).toBeNull();
  });
});

test('GeoJSON is walked at any depth, but not without end', () => {
  const crs = () => UTM32;
  let coordinates: unknown = [X, Y];
  for (let depth = 0; depth < 50; depth++) coordinates = [coordinates];
  const deep = remainsOfGeoJson({ geometry: { type: 'Polygon', coordinates } }, crs);
  expect(place(deep)).toBeNull();
  const ring = positionsOf(box(X, Y, 60));
  const told = remainsOfGeoJson({ geometry: { type: 'Polygon', coordinates: [[ring]] } }, crs);
  expect(place(told)).toEqual(WHOLE);
});
