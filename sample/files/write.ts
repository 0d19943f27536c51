/** Rows of a theme as the bytes of a file: JSON with WKT, GeoPackage, or GML. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import WKB from 'ol/format/WKB.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import type { AreaId } from '../../src/layers/keys.ts';
import { partsOf } from '../data/geometry.ts';
import type { SampleGeometry } from '../data/geometry.ts';
import { HOSTS } from '../hosts.ts';
import type { SampleHost } from '../hosts.ts';
import { writeGml } from '../wfs/gml.ts';
import type { FileRow } from './rows.ts';

export type FileFormat = 'json' | 'gpkg' | 'gml';

export function writeFile(theme: AreaId, format: FileFormat, rows: readonly FileRow[]): Buffer {
  if (format === 'json') return writeJson(rows);
  return format === 'gpkg' ? writeGeoPackage(theme, rows) : writeGmlFile(theme, rows);
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

const TABLES = readFileSync(join(import.meta.dirname, 'geopackage.sql'), 'utf8');

function writeGeoPackage(theme: AreaId, rows: readonly FileRow[]): Buffer {
  const db = new DatabaseSync(':memory:');
  try {
    // The numbers by which a file says that it is a GeoPackage, version 1.3.
    db.exec('pragma application_id = 1196444487; pragma user_version = 10300;');
    const columns = Object.keys(rows[0]?.columns ?? {});
    const declared = columns.map((name) => `"${name}" ${sqlType(rows[0]?.columns[name])}`);
    db.exec(TABLES.replaceAll('{{theme}}', theme).replace('{{columns}}', declared.join(', ')));
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
  const parts = partsOf(geometry) as number[][][][];
  const head = Buffer.from([0x47, 0x50, 0, parts.length === 0 ? 0x11 : 0x01, 0, 0, 0, 0]);
  head.writeInt32LE(25832, 4);
  const wkb = new WKB({ hex: false, ewkb: false }).writeGeometry(new MultiPolygon(parts));
  return Buffer.concat([head, Buffer.from(wkb as ArrayBuffer)]);
}
