import LineString from 'ol/geom/LineString.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import Point from 'ol/geom/Point.js';
import Polygon from 'ol/geom/Polygon.js';
import { describe, expect, test } from 'vitest';
import { toUtm32 } from '../../src/geo/project.ts';
import { bringToUtm32, crsOf, sameCrs } from '../../src/wfs/crs.ts';
import { readGeoJson } from '../../src/wfs/geojson.ts';
import { PageRefused } from '../../src/wfs/read-feature.ts';
import { encodeWkb } from '../../src/wfs/wkb.ts';

describe('naming coordinate systems', () => {
  test.each([
    ...['EPSG:25832', 'epsg:25832', '25832', 'urn:ogc:def:crs:EPSG::25832'],
    ...['urn:ogc:def:crs:EPSG:6.9:25832', 'urn:x-ogc:def:crs:EPSG:25832'],
    'http://www.opengis.net/def/crs/EPSG/0/25832',
    'https://www.opengis.net/def/crs/EPSG/0/25832',
    'http://www.opengis.net/gml/srs/epsg.xml#25832',
  ])('knows 25832 as %s, east first', (name) => {
    expect(crsOf(name)).toEqual({ plane: 'utm32', swapped: false });
    expect(sameCrs(name, 'EPSG:25832')).toBe(true);
  });

  test.each([
    ['EPSG:4326', false],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', false],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', false],
    ['CRS:84', false],
    ['urn:ogc:def:crs:EPSG::4326', true],
    ['urn:x-ogc:def:crs:EPSG:4326', true],
    ['http://www.opengis.net/def/crs/EPSG/0/4326', true],
    ['urn:ogc:def:crs:EPSG::4258', true],
    ['EPSG:4258', false],
  ])('takes %s as degrees, latitude first: %s', (name, latFirst) => {
    expect(crsOf(name)).toEqual({ plane: 'degrees', swapped: latFirst });
  });

  test.each([
    'EPSG:3857',
    'EPSG:25834',
    'EPSG:23032',
    'urn:ogc:def:crs:EPSG::32632',
    '',
    'Denmark',
  ])('does not know %s', (name) => {
    expect(crsOf(name)).toBeNull();
  });
});

describe('bringing a geometry to EPSG:25832', () => {
  const { xUtm32, yUtm32 } = toUtm32({ lon: 12.5, lat: 55.7 });
  test.each([
    ['EPSG:25832', [725000, 6175000, 3], [725000, 6175000]],
    ['EPSG:3044', [6175000, 725000, 3], [725000, 6175000]],
    ['urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5799', [725000, 6175000, 3], [725000, 6175000]],
    ['EPSG:7416', [725000, 6175000, 3], [725000, 6175000]],
    ['EPSG:4326', [12.5, 55.7, 3], [xUtm32, yUtm32]],
    ['urn:ogc:def:crs:EPSG::4326', [55.7, 12.5, 3], [xUtm32, yUtm32]],
  ])('reads %s', (name, written, expected) => {
    const point = new Point(written, 'XYZ');
    expect(bringToUtm32(point, name)).toBeNull();
    expect(point.getCoordinates().slice(0, 2)).toEqual(expected);
  });

  test.each([
    ['axes turned in metres', 'EPSG:25832', [6175000, 725000]],
    ['axes turned in degrees', 'EPSG:4326', [55.7, 12.5]],
    ['degrees called metres', 'EPSG:25832', [12.5, 55.7]],
    ['metres called degrees', 'EPSG:4326', [725000, 6175000]],
    ['another country', 'EPSG:4326', [2.35, 48.85]],
    ['null island', 'EPSG:25832', [0, 0]],
    ['no number', 'EPSG:25832', [NaN, 6175000]],
  ])('refuses %s', (_, name, written) => {
    expect(bringToUtm32(new Point(written), name)).toMatch(/not in or near Denmark/);
  });

  test('refuses a CRS it cannot project, by name', () => {
    expect(bringToUtm32(new Point([1, 2]), 'EPSG:3857')).toMatch(/EPSG:3857 is not one/);
  });
});

describe('reading GeoJSON', () => {
  const first = (geometry: string, { more = '', srsName = '' } = {}) => {
    const feature = `{"type":"Feature","properties":{"geometry":"trap","id":1},"geometry":${geometry}}`;
    const page = `{"type":"FeatureCollection",${more}"features":[${feature}]}`;
    return readGeoJson(Buffer.from(page), srsName === '' ? {} : { srsName })[0];
  };
  const crs = (name: string) => `"crs":{"type":"name","properties":{"name":${name}}},`;
  const LINE = '{"type":"LineString","coordinates":[[1,2],[3,4,5],[6,7]]}';
  const METRES = '{"type":"Point","coordinates":[725000,6175000]}';
  const DEGREES = '{"type":"Point","coordinates":[12,55]}';

  test('drops a third ordinate, also where only some positions have one', () => {
    expect(first(LINE)?.geometry?.getFlatCoordinates()).toEqual([1, 2, 3, 4, 6, 7]);
    expect(first(LINE)?.geometry?.getStride()).toBe(2);
  });

  test('keeps properties as they are, one called geometry included', () => {
    expect(first(LINE)?.properties).toEqual({ geometry: 'trap', id: 1 });
  });

  test('takes the CRS from the crs member, else degrees, else what was asked for', () => {
    const utm = 'urn:ogc:def:crs:EPSG::25832';
    expect(first(METRES, { more: crs(`"${utm}"`) })?.crs).toBe(utm);
    expect(first(DEGREES)?.crs).toMatch(/CRS84/);
    expect(first(METRES, { srsName: 'EPSG:25832' })?.crs).toBe('EPSG:25832');
    expect(first(DEGREES, { srsName: 'EPSG:25832' })?.crs).toMatch(/CRS84/);
    expect(crsOf(first(METRES, { more: crs('{"odd":true}') })?.crs ?? '')).toBeNull();
  });

  test('takes the CRS of a feature or geometry for its own, not for that of the collection', () => {
    const own = METRES.replace('{', `{${crs('"EPSG:25833"')}`);
    const more = crs('"EPSG:25832"');
    expect(first(own, { more })?.crs).toBe('EPSG:25833');
    expect(first(`${METRES},${crs('"EPSG:25833"').slice(0, -1)}`, { more })?.crs).toBe(
      'EPSG:25833',
    );
  });

  test('tells no geometry from one it cannot read', () => {
    expect(first('null')).toMatchObject({ geometry: null, refused: null });
    for (const [geometry, reason] of [
      ['{"type":"GeometryCollection","geometries":[]}', /GeometryCollection is not read/],
      ['{"type":"Polygon","coordinates":[]}', /empty/],
      ['{"type":"Polygon","coordinates":[[]]}', /./],
      ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}', /fewer than four/],
      ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0],null]]}', /./],
      ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[]]}', /./],
      ['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],null]}', /./],
      ['{"type":"Polygon","coordinates":[[0,0]]}', /no array/],
      ['{"type":"Polygon","coordinates":null}', /./],
      ['{"type":"Polygon","coordinates":"x"}', /./],
      ['{"type":"Point","coordinates":["1",2]}', /not two numbers/],
      ['{"type":"Point","coordinates":[1]}', /not two numbers/],
      ['{"type":"Point","coordinates":[1e999,1]}', /no finite number/],
      ['{"type":"Point"}', /no array/],
      ['"text"', /no object/],
    ] as const) {
      const feature = first(geometry);
      expect(feature?.geometry, geometry).toBeNull();
      expect(feature?.refused, geometry).toMatch(reason);
    }
  });

  test('refuses a page it cannot read whole', () => {
    for (const text of [
      '{"type":"FeatureCollection","features":[{}',
      '{"type":"FeatureCollection","features":[1]}',
      '{"type":"FeatureCollection","features":[{,}]}',
      '{"type":"FeatureCollection","features":[{}],"features":[]}',
      '<w:FeatureCollection/>',
    ]) {
      expect(() => readGeoJson(Buffer.from(text)), text).toThrow(PageRefused);
    }
  });
});

describe('encoding WKB', () => {
  const hex = (bytes: ReturnType<typeof encodeWkb>): string =>
    bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : bytes.refused;

  test('makes a multipolygon of a polygon, without its third ordinate', () => {
    const ring = [0, 0, 9, 4, 0, 9, 4, 4, 9, 0, 0, 9];
    const xy = [0, 0, 4, 0, 4, 4, 0, 0];
    const polygon = encodeWkb(new Polygon(ring, 'XYZ', [12]), 'area');
    expect(hex(polygon)).toBe(hex(encodeWkb(new MultiPolygon(xy, 'XY', [[8]]), 'area')));
    const numbers = Buffer.from(Float64Array.from(xy).buffer).toString('hex');
    expect(hex(polygon)).toBe(`01060000000100000001030000000100000004000000${numbers}`);
  });

  test('keeps parts and holes apart', () => {
    const square = (x: number, size: number): number[] =>
      [x, x, x + size, x, x + size, x + size, x, x + size, x, x].map(Number);
    const flat = [...square(0, 9), ...square(1, 2), ...square(20, 5)];
    const wkb = encodeWkb(new MultiPolygon(flat, 'XY', [[10, 20], [30]]), 'area');
    const view = new DataView((wkb as Uint8Array<ArrayBuffer>).buffer);
    expect(view.getUint32(5, true)).toBe(2);
    expect(view.getUint32(14, true)).toBe(2);
    expect(view.getUint32(18, true)).toBe(5);
    expect(view.byteLength).toBe(9 + 9 + 2 * (4 + 80) + 9 + 4 + 80);
  });

  test('closes a ring that is open by less than a millimetre', () => {
    const closed = encodeWkb(new Polygon([0, 0, 4, 0, 4, 4, 0, 0], 'XY', [8]), 'area');
    for (const gapM of [1e-9, 0.0009]) {
      const open = new Polygon([0, 0, 4, 0, 4, 4, 0, gapM], 'XY', [8]);
      expect(hex(encodeWkb(open, 'area'))).toBe(hex(closed));
    }
  });

  test('makes a multiline of a line', () => {
    expect(hex(encodeWkb(new LineString([1, 2, 3, 4], 'XY'), 'line'))).toMatch(
      /^010500000001000000010200000002000000/,
    );
  });

  test.each([
    ['a point for an area', new Point([1, 2]), 'area', /a Point where an area/],
    ['a line for an area', new LineString([0, 0, 1, 1], 'XY'), 'area', /LineString/],
    ['an area for a line', new Polygon([0, 0, 4, 0, 4, 4, 0, 0], 'XY', [8]), 'line', /Polygon/],
    ['an open ring', new Polygon([0, 0, 4, 0, 4, 4, 0, 1], 'XY', [8]), 'area', /not closed/],
    ['1.1 mm', new Polygon([0, 0, 4, 0, 4, 4, 0, 0.0011], 'XY', [8]), 'area', /not closed/],
    ['infinity', new LineString([0, Infinity, 1, 1], 'XY'), 'line', /no finite number/],
  ] as const)('refuses %s', (_, geometry, kind, reason) => {
    expect(hex(encodeWkb(geometry, kind))).toMatch(reason);
  });
});
