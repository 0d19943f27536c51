/** Rows of a theme as the bytes of a file: JSON with WKT, GeoPackage, or GML. */
import { DatabaseSync } from 'node:sqlite';
import type { AreaId } from '../../src/layers/keys.ts';
import { partsOf } from '../data/geometry.ts';
import type { SampleGeometry } from '../data/geometry.ts';
import { HOSTS } from '../hosts.ts';
import type { SampleHost } from '../hosts.ts';
import { writeGml } from '../wfs/gml.ts';
import type { FileRow } from './rows.ts';

export type FileFormat = 'json' | 'gpkg' | 'gml';

export function writeFile(theme: AreaId, format: FileFormat, rows: readonly FileRow[]): Buffer {
  switch (format) {
    case 'json':
      return writeJson(rows);
    case 'gpkg':
      return writeGeoPackage(theme, rows);
    case 'gml':
      return writeGmlFile(theme, rows);
  }
}

/** One flat array; the geometry is a text among the columns. */
function writeJson(rows: readonly FileRow[]): Buffer {
  const texts = rows.map(({ columns, geometry }) =>
    JSON.stringify({ ...columns, geometri: geometry === null ? null : wktOf(geometry) }),
  );
  return Buffer.from(`[${texts.join(',\n')}]`);
}

/** Areas as multipolygons, the third ordinate where the feature has one. */
function wktOf(geometry: SampleGeometry): string {
  const parts = partsOf(geometry);
  const height = (parts[0]?.[0]?.[0]?.length ?? 2) > 2 ? ' Z' : '';
  const text = parts
    .map(
      (rings) =>
        `(${rings.map((line) => `(${line.map((p) => p.join(' ')).join(', ')})`).join(', ')})`,
    )
    .join(', ');
  return parts.length === 0 ? 'MULTIPOLYGON EMPTY' : `MULTIPOLYGON${height} (${text})`;
}

function writeGmlFile(theme: AreaId, rows: readonly FileRow[]): Buffer {
  const host = HOSTS.find(({ id }) => id === 'dagi') as SampleHost;
  const text = writeGml({
    host,
    layer: theme,
    schema: {},
    geometryProperty: 'geometri',
    srsName: 'urn:ogc:def:crs:EPSG::25832',
    features: rows.map(({ columns, geometry }, i) => ({
      id: `${theme}.${i + 1}`,
      properties: columns,
      geometry,
    })),
    numberMatched: rows.length,
    numberReturned: rows.length,
    nextUrl: null,
  });
  return Buffer.from(text);
}

const TABLES = `
  create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer primary key,
    organization text not null, organization_coordsys_id integer not null, definition text not null,
    description text);
  insert into gpkg_spatial_ref_sys values
    ('ETRS89 / UTM zone 32N', 25832, 'EPSG', 25832, 'undefined', null),
    ('Undefined cartesian', -1, 'NONE', -1, 'undefined', null),
    ('Undefined geographic', 0, 'NONE', 0, 'undefined', null);
  create table gpkg_contents (table_name text primary key, data_type text not null,
    identifier text unique, description text, last_change text, min_x double, min_y double,
    max_x double, max_y double, srs_id integer);
  create table gpkg_geometry_columns (table_name text not null, column_name text not null,
    geometry_type_name text not null, srs_id integer not null, z tinyint not null,
    m tinyint not null);`;

function writeGeoPackage(theme: AreaId, rows: readonly FileRow[]): Buffer {
  const db = new DatabaseSync(':memory:');
  try {
    // The numbers by which a file says that it is a GeoPackage, version 1.3.
    db.exec('pragma application_id = 1196444487; pragma user_version = 10300;');
    db.exec(TABLES);
    const columns = Object.keys(rows[0]?.columns ?? {});
    const declared = columns.map((name) => `"${name}" ${sqlType(rows[0]?.columns[name])}`);
    db.exec(`create table "${theme}" (fid integer primary key, ${declared.join(', ')}, geometri blob);
      insert into gpkg_contents (table_name, data_type, identifier, srs_id)
        values ('${theme}', 'features', '${theme}', 25832);
      insert into gpkg_geometry_columns values ('${theme}', 'geometri', 'MULTIPOLYGON', 25832, 2, 0);`);
    const marks = columns.map(() => '?').join(', ');
    const insert = db.prepare(`insert into "${theme}" values (null, ${marks}, ?)`);
    for (const { columns: values, geometry } of rows) {
      insert.run(
        ...columns.map((name) => sqlValue(values[name] ?? null)),
        geometry === null ? null : blobOf(geometry),
      );
    }
    return Buffer.from(db.serialize());
  } finally {
    db.close();
  }
}

function sqlType(value: unknown): string {
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' ? 'integer' : 'text';
}

function sqlValue(value: string | number | boolean | null): string | number | null {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `GP`, version 0, little-endian without an envelope, the reference system; then ISO WKB. */
function blobOf(geometry: SampleGeometry): Buffer {
  const parts = partsOf(geometry);
  const height = (parts[0]?.[0]?.[0]?.length ?? 2) > 2 ? 1_000 : 0;
  const head = Buffer.from([0x47, 0x50, 0, parts.length === 0 ? 0x11 : 0x01, 0, 0, 0, 0]);
  head.writeInt32LE(25832, 4);
  const pieces = [head, typed(6 + height, parts.length)];
  for (const rings of parts) {
    pieces.push(typed(3 + height, rings.length));
    for (const line of rings) {
      pieces.push(counted(line.length), Buffer.from(Float64Array.from(line.flat()).buffer));
    }
  }
  return Buffer.concat(pieces);
}

function typed(type: number, count: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(type, 1);
  bytes.writeUInt32LE(count, 5);
  return bytes;
}

function counted(count: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(count, 0);
  return bytes;
}
