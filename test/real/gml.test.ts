/**
 * Every real GML file at hand, read by us and by GDAL: the same features, geometries and vertices, or
 * refused with a reason that stands in a table here.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import { expect, test } from 'vitest';
import { readGeoJson } from '../../src/wfs/geojson.ts';
import { readGml } from '../../src/wfs/gml.ts';
import { readGmlGeometry } from '../support/gml-geometry.ts';
import type { ReadFeature } from '../../src/wfs/read-feature.ts';
import { ownFolder } from '../support/opened.ts';
import { describeReal, realDataProblem, realFile } from '../support/real-data.ts';

/** Feature collections: features, of them with a geometry. A text: why the file or geometry is refused. */
const COLLECTIONS: Readonly<Record<string, readonly [number, number] | string>> = {
  'dagi/wfs20_afstemningsomraade_glejbjerg.gml': [1, 1],
  'dagi/wfs20_opstillingskreds_rudersdal.gml': [1, 1],
  'gml/retsgeografi_2019_713.gml.gz': [20, 20],
  'hoejde/hoejdekurver_tunoe_gml32.gml.gz': [125, 125],
  'matrikel/jordstykker_viborg_2014.gml.gz': [24, 24],
  'gml/openlayers/gml/geoserver3DFeatures.xml': [3, 3],
  'gml/openlayers/gml/gml-complex.xml': [3, 3],
  'gml/openlayers/gml/gml32-complex.xml': [2, 2],
  // GDAL takes the last of its two geometries; we do not guess.
  'gml/openlayers/gml/more-geoms.xml': 'several geometries: the_geom, center',
  'gml/openlayers/gml/multiple-typenames-mapserver.xml': [5, 0],
  'gml/openlayers/gml/multiple-typenames-ns.xml': [2, 2],
  'gml/openlayers/gml/multiple-typenames.xml': [12, 0],
  'gml/openlayers/gml/ogr.xml': [1, 1],
  'gml/openlayers/gml/only-boundedby.xml': [1, 0],
  'gml/openlayers/gml/osm-wfs-10.xml': [3, 3],
  'gml/openlayers/gml/repeated-name.xml': [1, 1],
  'gml/openlayers/gml/topp-states-gml-featureMember.xml': [3, 3],
  // A bare list of members is no WFS answer; GDAL makes 16 features without geometry of it.
  'gml/openlayers/gml/topp-states-gml.xml': 'a document of type featureMembers',
  'gml/openlayers/gml/topp-states-wfs.xml': [3, 3],
  'gml/openlayers/wfs/EmptyFeatureCollection.xml': [0, 0],
  'gml/openlayers/wfs/NumberOfFeatures.xml': [0, 0],
  'gml/openlayers/wfs/boundedBy.xml': [1, 1],
  'gml/openlayers/wfs/mapserver.xml': [7, 7],
  'gml/openlayers/wfs/polygonv2.xml': [3, 3],
  'gml/openlayers/wfs/topp-states-wfs.xml': [3, 3],
};

const FOREIGN = 'is no GML geometry';
const CURVED = 'in gml:segments is not read';
const TWO_CRS = 'coordinates in two CRS';

/** Bare geometries of the OGC suite that are refused, and why. All others must equal GDAL's. */
const REFUSED_GEOMETRIES: Readonly<Record<string, string>> = {
  'AIXMSurface-InteriorCCW.xml': FOREIGN,
  'AIXMSurface-InteriorCrossesExterior.xml': FOREIGN,
  'AIXMSurface.xml': FOREIGN,
  'ElevatedSurface.xml': FOREIGN,
  'PointWithBearing.xml': FOREIGN,
  'CompositeCurve.xml': 'OrientableCurve in gml:curveMember is not read',
  'Curve-ArcByCenterPoint.xml': `ArcByCenterPoint ${CURVED}`,
  'Curve-GeodesicString.xml': `GeodesicString ${CURVED}`,
  'Curve-ID_250.xml': `GeodesicString ${CURVED}`,
  'Curve-tripartite.xml': `GeodesicString ${CURVED}`,
  'Surface-Curve-ID_250.xml': `GeodesicString ${CURVED}`,
  'Surface-PolygonPatch-ExteriorCurve.xml': `GeodesicString ${CURVED}`,
  'Surface-PolygonPatch-ExteriorCurveCW.xml': `GeodesicString ${CURVED}`,
  'Curve-disconnected.xml': 'curve pieces that do not meet',
  'Curve-empty.xml': 'an empty gml:segments',
  'MultiCurve-1.xml': TWO_CRS,
  'MultiCurve-2.xml': TWO_CRS,
  'MultiPoint-1.xml': TWO_CRS,
  'Polygon-InteriorNotClosed.xml': '3 vertices, of at least 4',
  'Polygon-NotClosed.xml': 'a ring that is not closed',
};

/** Two patches of one surface: two polygons to us, a collection to GDAL. */
const PATCHES = ['Surface-DiscontiguousPatches.xml', 'Surface-RectangleTriangle.xml'];

type Vertices = readonly (readonly [number, number])[];

interface GdalFeature {
  /** WKT type without Z; null without geometry. */
  readonly type: string | null;
  readonly vertices: Vertices;
}

describeReal('reading the real GML files', ['gdal'], () => {
  const folder = ownFolder('gml');

  test.each(Object.entries(COLLECTIONS))('%s is read as GDAL reads it', (file, expected) => {
    const bytes = contentOf(file);
    if (typeof expected === 'string') {
      expect(refusalsOf(bytes)).toContain(expected);
      return;
    }
    const features = readGml(bytes);
    const byGdal = readWithGdal(folder, basename(file, '.gz'), bytes);
    const [all, withGeometry] = expected;
    expect(features).toHaveLength(all);
    expect(byGdal).toHaveLength(all);
    expect(features.filter(({ refused }) => refused !== null)).toEqual([]);
    expect(features.filter(({ geometry }) => geometry !== null)).toHaveLength(withGeometry);
    expectSameShapes(
      features.flatMap(({ geometry }) => (geometry === null ? [] : [geometry])),
      byGdal.filter(({ type }) => type !== null),
    );
  });

  const suite = realFile('gml/ets-gml32');
  const geometries = realDataProblem() ? [] : readdirSync(suite).filter((f) => f.includes('.xml'));

  test('the table of collections names every GML file there is', () => {
    const folders = [
      ...['dagi', 'gml', 'hoejde', 'matrikel', 'gml/openlayers/gml', 'gml/openlayers/wfs'],
    ];
    const files = folders.flatMap((one) =>
      readdirSync(realFile(one))
        .filter((file) => /\.(gml|xml|gml\.gz)$/.test(file))
        .map((file) => `${one}/${file}`),
    );
    expect(files.sort()).toEqual(Object.keys(COLLECTIONS).sort());
  });

  test('the table of refusals names only files of the OGC suite', () => {
    expect(geometries).toEqual(expect.arrayContaining(Object.keys(REFUSED_GEOMETRIES)));
    expect(geometries.length).toBeGreaterThanOrEqual(45);
  });

  test.each(geometries)('%s of the OGC suite is read as GDAL reads it, or refused', (file) => {
    const xml = contentOf(`gml/ets-gml32/${file}`).toString('utf8');
    const reason = REFUSED_GEOMETRIES[file];
    if (reason !== undefined) {
      expect(() => readGmlGeometry(xml)).toThrow(reason);
      return;
    }
    const { geometry } = readGmlGeometry(xml);
    const wrapped = Buffer.from(inCollection(xml));
    expect(readGml(wrapped)[0]?.geometry?.getFlatCoordinates()).toEqual(
      geometry.getFlatCoordinates(),
    );
    const byGdal = readWithGdal(folder, `${basename(file, '.gz')}.gml`, wrapped);
    if (!PATCHES.includes(file)) {
      expectSameShapes([geometry], byGdal);
      return;
    }
    expect(geometry.getType()).toBe('MultiPolygon');
    expectSameVertices(verticesOf(geometry), byGdal[0]?.vertices ?? []);
  });

  test.each([
    ['natur/bes_naturtyper_egedal.geojson.gz', 1469],
    ['natur/strandbeskyttelse_hvidovre_2025-03.geojson.gz', 54],
    ['natur/fortidsmindebeskyttelse_areal_hvidovre.geojson', 13],
    ['dagi/dagi2000_sogneinddeling.geojson.gz', 2141],
  ])('%s is read whole', (file, count) => {
    const features = readGeoJson(contentOf(file));
    expect(features).toHaveLength(count);
    expect(features.filter(({ geometry }) => geometry === null)).toEqual([]);
  });
});

function refusalsOf(bytes: Uint8Array): string {
  try {
    return readGml(bytes)
      .map(({ refused }: ReadFeature) => refused ?? 'read')
      .join('; ');
  } catch (error) {
    return String(error);
  }
}

function contentOf(file: string): Buffer {
  const content = readFileSync(realFile(file));
  return file.endsWith('.gz') ? gunzipSync(content) : content;
}

function inCollection(geometry: string): string {
  const element = geometry.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '');
  return `<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:t="urn:t"><wfs:member><t:thing gml:id="x"><t:shape>${element}</t:shape></t:thing></wfs:member></wfs:FeatureCollection>`;
}

/** All features of all layers of a file, coordinates as written. */
function readWithGdal(folder: string, name: string, bytes: Uint8Array): GdalFeature[] {
  // A folder of its own for each: GDAL writes what it learned beside the file.
  const own = mkdtempSync(join(folder, 'f-'));
  mkdirSync(own, { recursive: true });
  const path = join(own, name.replace(/\.xml$/, '.gml'));
  writeFileSync(path, bytes);
  const options = {
    DOWNLOAD_SCHEMA: 'NO',
    INVERT_AXIS_ORIENTATION_IF_LAT_LONG: 'NO',
    SWAP_COORDINATES: 'NO',
    EMPTY_AS_NULL: 'YES',
  };
  const run = spawnSync(
    'ogrinfo',
    [
      ...['-ro', '-al', '-geom=YES', '--config', 'OGR_GEOJSON_MAX_OBJ_SIZE', '0'],
      ...Object.entries(options).flatMap(([key, value]) => ['-oo', `${key}=${value}`]),
      path,
    ],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  return run.stdout
    .split(/^OGRFeature\(/m)
    .slice(1)
    .map(wktOf);
}

const WKT =
  /^ {2}((?:MULTI)?(?:POINT|LINESTRING|POLYGON)|TRIANGLE|GEOMETRYCOLLECTION)(?: Z)? (\(.*)$/m;

function wktOf(block: string): GdalFeature {
  const [, type = null, text = ''] = WKT.exec(block) ?? [];
  // Each vertex lies between two of "(", ")" and ",": two or three numbers.
  const vertices = text
    .split(/[(),]/)
    .map((part) => part.trim().split(/\s+/).map(Number))
    .filter((numbers) => numbers.length >= 2)
    .map(([x = NaN, y = NaN]) => [x, y] as const);
  return { type, vertices };
}

function expectSameShapes(ours: readonly SimpleGeometry[], gdals: readonly GdalFeature[]): void {
  expect(ours.map((geometry) => geometry.getType().toUpperCase())).toEqual(
    gdals.map(({ type }) => type),
  );
  for (const [index, geometry] of ours.entries()) {
    expectSameVertices(verticesOf(geometry), gdals[index]?.vertices ?? []);
  }
}

/** As written; where two segments of a curve meet, their common vertex once, as GDAL does. */
function verticesOf(geometry: SimpleGeometry): Vertices {
  const flat = geometry.getFlatCoordinates();
  const vertices: [number, number][] = [];
  for (let at = 0; at < flat.length; at += geometry.getStride()) {
    const vertex: [number, number] = [flat[at] ?? NaN, flat[at + 1] ?? NaN];
    const last = vertices.at(-1);
    const isJoint = geometry.getType() === 'LineString' && String(last) === String(vertex);
    if (!isJoint) vertices.push(vertex);
  }
  return vertices;
}

/** GDAL may turn a ring round, and prints 15 digits: the same vertices in any order, nearly. */
function expectSameVertices(ours: Vertices, gdals: Vertices): void {
  expect(ours).toHaveLength(gdals.length);
  const inOrder = (a: readonly [number, number], b: readonly [number, number]): number =>
    Math.abs(a[0] - b[0]) > 1e-8 ? a[0] - b[0] : a[1] - b[1];
  const theirs = [...gdals].sort(inOrder);
  for (const [index, vertex] of [...ours].sort(inOrder).entries()) {
    const [x, y] = theirs[index] ?? [NaN, NaN];
    expect(Math.hypot(vertex[0] - x, vertex[1] - y)).toBeLessThan(1e-7);
  }
}
