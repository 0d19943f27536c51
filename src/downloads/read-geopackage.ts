/**
 * From memory because threads do not touch the disk. Geometry: a short header, then WKB (OGC
 * 12-128r18, 2.1.3).
 */
import { DatabaseSync } from 'node:sqlite';
import WKB from 'ol/format/WKB.js';
import SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import { PageRefused } from '../wfs/read-feature.ts';
import type { ReadFeature } from '../wfs/read-feature.ts';
import { refused } from './read-wkt.ts';
import type { Shape } from './read-wkt.ts';
import { remainsOfWkb } from './remains.ts';
import { checkShape } from '../wfs/shape.ts';

export interface GeoPackageRows {
  readonly members: number;
  readonly features: ReadFeature[];
}

/** The only feature table. Throws PageRefused. */
export function readGeoPackage(bytes: Uint8Array): GeoPackageRows {
  const db = new DatabaseSync(':memory:');
  try {
    db.deserialize(bytes);
    db.exec('pragma trusted_schema = off');
    expectSound(db);
    return readTable(db, chooseTable(db));
  } catch (error) {
    if (error instanceof PageRefused) throw error;
    throw new PageRefused(
      `no GeoPackage: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  } finally {
    db.close();
  }
}

function expectSound(db: DatabaseSync): void {
  const verdict = Object.values(db.prepare('pragma quick_check(1)').get() ?? {})[0];
  if (verdict !== 'ok') throw new PageRefused(`a damaged GeoPackage: ${String(verdict)}`);
}

interface Table {
  readonly table: string;
  readonly column: string;
}

function chooseTable(db: DatabaseSync): Table {
  const tables = db
    .prepare(
      `select c.table_name as "table", g.column_name as "column"
       from gpkg_contents c join gpkg_geometry_columns g on g.table_name = c.table_name
       where c.data_type = 'features'`,
    )
    .all() as unknown as Table[];
  const [only, another] = tables;
  if (only === undefined) throw new PageRefused('a GeoPackage without a feature table');
  if (another !== undefined) throw new PageRefused(`${tables.length} feature tables in one file`);
  return only;
}

function readTable(db: DatabaseSync, { table, column }: Table): GeoPackageRows {
  const name = `"${table.replaceAll('"', '""')}"`;
  const { members } = db.prepare(`select count(*) as members from ${name}`).get() as {
    members: number;
  };
  const announced = announcedRows(db, table);
  if (announced !== null && announced !== members) {
    throw new PageRefused(`${members} rows of the ${announced} that the GeoPackage counted`);
  }
  const crsOf = spatialReferences(db);
  const reader = new WKB();
  const rows = db.prepare(`select * from ${name}`);
  // Identifiers may exceed the exact range of numbers.
  rows.setReadBigInts(true);
  const features: ReadFeature[] = [];
  for (const row of rows.iterate() as IterableIterator<Record<string, unknown>>) {
    const { [column]: blob, ...others } = row;
    const properties = Object.fromEntries(
      Object.entries(others).map(([key, value]) => [key, plain(value)]),
    );
    features.push({ properties, ...geometryOf(blob, reader, crsOf) });
  }
  return { members, features };
}

/** The writer's own count, as GDAL stores it; null: none. */
function announcedRows(db: DatabaseSync, table: string): number | null {
  const names = "select 1 from sqlite_master where type = 'table' and name = 'gpkg_ogr_contents'";
  if (db.prepare(names).get() === undefined) return null;
  const row = db
    .prepare(
      'select feature_count as count from gpkg_ogr_contents where lower(table_name) = lower(?)',
    )
    .get(table);
  const count = row?.['count'];
  return typeof count === 'number' ? count : null;
}

function plain(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function spatialReferences(db: DatabaseSync): ReadonlyMap<number, string> {
  const rows = db
    .prepare(
      'select srs_id, organization, organization_coordsys_id as code from gpkg_spatial_ref_sys',
    )
    .all() as unknown as { srs_id: number; organization: string; code: number }[];
  return new Map(rows.map(({ srs_id: id, organization, code }) => [id, `${organization}:${code}`]));
}

/** By code: none, xy, xyz, xym, xyzm. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64];
const HEADER_BYTES = 8;
const SIDES = [0, 8, 16, 24].map((at) => HEADER_BYTES + at);
const MAGIC = 0x4750;

function geometryOf(blob: unknown, reader: WKB, crsOf: ReadonlyMap<number, string>): Shape {
  if (blob === null || blob === undefined) return { geometry: null, crs: null, refused: null };
  const header = blob instanceof Uint8Array ? headerOf(blob) : null;
  if (header === null) return refused('a geometry that is no GeoPackage blob');
  const { srs, isEmpty, wkb, box } = header;
  // 0 and -1 mean undefined: then the source's CRS applies.
  const crs = srs > 0 ? (crsOf.get(srs) ?? `an unknown srs_id ${srs}`) : null;
  const remains = () => remainsOfWkb(wkb, crs, box);
  if (isEmpty) return { ...refused('an empty geometry', crs), remains };
  try {
    const geometry = reader.readGeometry(wkb);
    const isSimple = geometry instanceof SimpleGeometry;
    const fault = isSimple ? checkShape(geometry) : 'a collection of geometries';
    if (isSimple && fault === null) return { geometry, crs, refused: null, remains };
    return { geometry: null, crs, refused: fault, remains };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 80) : 'unreadable WKB';
    return { ...refused(reason, crs), remains };
  }
}

function headerOf(blob: Uint8Array) {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  if (blob.length < HEADER_BYTES || view.getUint16(0) !== MAGIC) return null;
  const flags = view.getUint8(3);
  const envelope = ENVELOPE_BYTES[(flags >> 1) & 7];
  const isExtended = (flags & 0x20) !== 0;
  if (envelope === undefined || isExtended || blob.length < HEADER_BYTES + envelope) return null;
  return {
    srs: view.getInt32(4, (flags & 1) === 1),
    isEmpty: (flags & 0x10) !== 0,
    /** West, east, south, north; null: not in the header. */
    box: envelope === 0 ? null : SIDES.map((at) => view.getFloat64(at, (flags & 1) === 1)),
    wkb: blob.slice(HEADER_BYTES + envelope),
  };
}
