/** The formats of a download: what is refused of them, and where a row lies that cannot be read. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { parseDownload } from '../../src/downloads/parse.ts';
import type { ParseDownloadTask } from '../../src/downloads/parse.ts';
import { readGeoPackage } from '../../src/downloads/read-geopackage.ts';
import { readJsonRows } from '../../src/downloads/read-json.ts';
import type { Theme } from '../../src/layers/keys.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { wkbBox } from '../../src/geo/box.ts';
import { readGeoJson } from '../../src/wfs/geojson.ts';
import { PageRefused } from '../../src/wfs/read-feature.ts';
import { fileRows } from '../../sample/files/rows.ts';
import type { FileRow } from '../../sample/files/rows.ts';
import { writeFile } from '../../sample/files/write.ts';
import type { FileFormat } from '../../sample/files/write.ts';
import { Holdings } from '../../sample/holdings.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');

const holdings = new Holdings();

const rowsOf = (theme: Theme): FileRow[] => fileRows(theme, holdings.features(theme));

function input(theme: Theme, format: FileFormat, rows = rowsOf(theme)): ParseDownloadTask {
  return {
    ...{ mapping: theme, geometryKind: 'area', format, nowMs: NOW_MS },
    ...{ geometryProperty: 'geometri', keyProperty: 'id_lokalId' },
    ...{ srsName: 'EPSG:25832', dagiScale: '1:10.000' },
    members: format === 'json' ? rows.length : null,
    bytes: new Uint8Array(writeFile(theme, format, rows)),
  };
}

// As by WFS: test/sync/run-files.test.ts.
test.each(THEMES)('%s comes out of all three formats alike', (theme) => {
  const [json, gpkg, gml] = (['json', 'gpkg', 'gml'] as const).map((format) => {
    const { features, members, skipped, issues } = parseDownload(input(theme, format));
    return { features, members, skipped, issues };
  });
  expect(json?.members).toBe(holdings.features(theme).length + (theme === 'sogn' ? 3 : 2));
  expect([gpkg, gml]).toEqual([json, json]);
});

test('each column has its kind, where the format knows', () => {
  expect(parseDownload(input('kommune', 'json')).columns).toMatchObject({
    ...{ id_lokalid: 'text', navn: 'text', kommunekode: 'text', virkningtil: 'text' },
    ...{ udenforkommuneinddeling: 'boolean', datafordelerrowid: 'none' },
  });
  expect(parseDownload(input('kommune', 'gml')).columns['navn']).toBe('untyped');
});

describe('a row', () => {
  const one = (geometri: unknown, more: object = {}) =>
    new TextEncoder().encode(JSON.stringify([{ id_lokalId: 'a', geometri, ...more }]));
  const read = (geometri: unknown) =>
    readJsonRows(one(geometri), { members: 1, geometryProperty: 'geometri' })[0];

  test('has its geometry in two or three dimensions, with or without a reference system', () => {
    const flat = 'POLYGON ((0 0, 1 0, 1 1, 0 0))';
    expect(read(flat)).toMatchObject({ crs: null, refused: null });
    expect(read(`SRID=4326;${flat}`)?.crs).toBe('EPSG:4326');
    expect(read('MULTIPOLYGON Z (((0 0 9, 1 0 9, 1 1 9, 0 0 9)))')?.refused).toBeNull();
  });

  test.each([
    'POLYGON ((0 0, 1 0, 1 1',
    'POLYGON ((0 0, 1 0, 1 1, 0 0)) and more',
    'POLYGON ((0 0, 1 0, 1 1, 0 0)) POINT (1 1)',
    'POLYGON ((0 0, 1 0, 1 1, 0 0)), POLYGON ((0 0, 1 0, 1 1, 0 0))',
    'POLYGON ((0 0, 1 0, 1 1, 0 0)))',
    'POLYGON ((0 0, 1, 1 1, 0 0))',
    'POLYGON ((0 0, , 1 1, 0 0))',
    'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), EMPTY)',
    'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ())',
    'POLYGON ((0 0, 1 x, 1 1, 0 0))',
    'POLYGON ((0 0, 1 0, 0 0))',
    'CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0, 1 -1, 0 0))',
    'GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 0)))',
    'MULTIPOLYGON EMPTY',
    '<gml:Polygon/>',
    17,
  ])('with the geometry %j is refused, by itself', (geometri) => {
    expect(read(geometri)).toMatchObject({ geometry: null });
    expect(read(geometri)?.refused).toEqual(expect.any(String));
  });

  test('without geometry has none', () => {
    expect(read(null)).toMatchObject({ geometry: null, refused: null });
  });

  test('or a feature keeps the digits that no double has (D273)', () => {
    const long = '{"id":9007199254740993,"tal":[-9007199254740993,0.12345678901234567,1e20]}';
    const kept = {
      id: '9007199254740993',
      tal: ['-9007199254740993', Number('0.12345678901234567'), 1e20],
    };
    const rows = readJsonRows(Buffer.from(`[${long}]`), {
      members: 1,
      geometryProperty: 'geometri',
    });
    expect(rows[0]?.properties).toEqual(kept);
    const feature = `{"type":"Feature","id":9007199254740993,"geometry":null,"properties":${long}}`;
    const page = Buffer.from(`{"type":"FeatureCollection","features":[${feature}]}`);
    expect(readGeoJson(page)[0]).toMatchObject({ id: kept.id, properties: kept });
  });

  test('too many or too few refuse the whole', () => {
    const task = { members: 2, geometryProperty: 'geometri' };
    const single = { ...task, members: 1 };
    expect(() => readJsonRows(one(null), task)).toThrow(PageRefused);
    expect(() => readJsonRows(Buffer.from('[1]'), single)).toThrow(PageRefused);
    expect(() => readJsonRows(Buffer.from('{}'), task)).toThrow(PageRefused);
  });
});

/** The regions as a GeoPackage, changed by a statement. */
function edited(statement: string): Uint8Array {
  const db = new DatabaseSync(':memory:');
  db.deserialize(input('region', 'gpkg').bytes);
  db.exec(statement);
  const bytes = db.serialize();
  db.close();
  return bytes;
}

describe('a GeoPackage', () => {
  const right = () => writeFile('region', 'gpkg', rowsOf('region'));

  test.each([
    ['no database', () => Buffer.from('not a database at all, but some text')],
    ['nothing', () => Buffer.alloc(0)],
    ['half of one', () => right().subarray(0, Math.floor(right().length / 2))],
    ['damaged pages', () => Buffer.from(right()).fill(0xff, 4096, right().length - 4096)],
    ['no feature table', () => edited("update gpkg_contents set data_type = 'tiles'")],
    ['no such table', () => edited('drop table region')],
    [
      'several feature tables',
      () =>
        edited(`insert into gpkg_contents (table_name, data_type) values ('x', 'features');
          insert into gpkg_geometry_columns values ('x', 'geometri', 'POLYGON', 25832, 0, 0);`),
    ],
  ])('of %s is refused', (_what, bytes) => {
    expect(() => readGeoPackage(new Uint8Array(bytes()))).toThrow(PageRefused);
  });

  test.each([
    [0, null],
    [1, PageRefused],
  ])('that lacks %d of the rows that its writer counted', (missing, refusal) => {
    const read = () =>
      readGeoPackage(
        edited(`create table gpkg_ogr_contents (table_name text primary key, feature_count integer);
          insert into gpkg_ogr_contents select 'region', count(*) + ${missing} from region;`),
      );
    if (refusal === null) expect(read).not.toThrow();
    else expect(read).toThrow(refusal);
  });

  test.each([
    ['null', null, null],
    ["x'47500011E8640000'", /empty/, 'EPSG:25832'],
    ["x'4750000100000000'", /./, null],
    ["x'00'", /no GeoPackage blob/, null],
    ["x'475000210000000000'", /no GeoPackage blob/, null],
    ["'text'", /no GeoPackage blob/, null],
  ])('with the geometry %s says so of that row only', (blob, refused, crs) => {
    const { members, features } = readGeoPackage(
      edited(`update region set geometri = ${blob} where fid = 1`),
    );
    expect(features).toHaveLength(members);
    const [first, ...others] = features;
    expect(first?.geometry).toBeNull();
    if (refused === null) expect(first?.refused).toBeNull();
    else expect(first?.refused).toMatch(refused);
    if (crs !== null) expect(first?.crs).toBe(crs);
    expect(others.every(({ geometry }) => geometry !== null)).toBe(true);
  });

  test('in an unknown reference system is an issue, not a guess', () => {
    const bytes = edited(
      `update region set geometri =
        cast(substr(geometri, 1, 4) || x'01000000' || substr(geometri, 9) as blob)`,
    );
    const parsed = parseDownload({ ...input('region', 'gpkg'), bytes });
    expect(parsed.features).toEqual([]);
    expect(parsed.issues[0]?.reason).toMatch(/unknown srs_id/);
  });
});

const sound = () => parseDownload(input('region', 'json')).features;
const cut = (bytes: Uint8Array): Uint8Array => {
  const rows = JSON.parse(Buffer.from(bytes).toString()) as Record<string, string>[];
  const open = rows.map((row) => ({
    ...row,
    geometri: String(row['geometri']).replaceAll(/,[^,()]*\)/g, ')'),
  }));
  return new TextEncoder().encode(JSON.stringify(open));
};

test.each([
  ['json', () => cut(input('region', 'json').bytes)],
  ['gpkg', () => edited('update region set geometri = substr(geometri, 1, length(geometri) - 3)')],
] as const)('a row of %s that cannot be read lies where it did', (format, broken) => {
  const boxes = new Map(sound().map(({ key, wkb }) => [key, wkbBox(wkb)]));
  const { features, issues } = parseDownload({ ...input('region', format), bytes: broken() });
  expect(features).toEqual([]);
  expect(issues).toHaveLength(boxes.size);
  for (const { key, objectId, place, raw } of issues) {
    const { minX, minY, maxX, maxY } = boxes.get(key ?? '')!;
    const [west, south, east, north] = place!.box;
    expect(west <= minX && south <= minY && east >= maxX && north >= maxY).toBe(true);
    expect(objectId).toMatch(/^\d{4}$/);
    expect(raw).not.toBe('');
  }
});
