/** Rows of a JSON download to features as read: attributes by column, geometry as WKT. */
import WKT from 'ol/format/WKT.js';
import SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import { normalisedName } from '../layers/contract.ts';
import { PageRefused } from '../wfs/read-feature.ts';
import type { ReadFeature } from '../wfs/read-feature.ts';
import { checkShape } from '../wfs/shape.ts';

/** Every row of a JSON array. `members` were counted in the bytes. Throws PageRefused. */
export function readJsonRows(
  bytes: Uint8Array,
  { members, geometryProperty }: { readonly members: number; readonly geometryProperty: string },
): ReadFeature[] {
  const rows = parse(bytes);
  if (rows.length !== members) {
    throw new PageRefused(`${rows.length} rows read of ${members} counted`);
  }
  const reader = new WKT();
  const wanted = normalisedName(geometryProperty);
  return rows.map((row) => {
    if (typeof row !== 'object' || row === null) throw new PageRefused('a row that is no object');
    const properties: Record<string, unknown> = {};
    let wkt: unknown = null;
    for (const [name, value] of Object.entries(row)) {
      if (normalisedName(name) === wanted) wkt = value;
      else properties[name] = value;
    }
    return { properties, ...geometryOf(reader, wkt) };
  });
}

function parse(bytes: Uint8Array): unknown[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch (error) {
    throw new PageRefused(`not well-formed: ${error instanceof Error ? error.message : 'JSON'}`);
  }
  throw new PageRefused('not a JSON array');
}

type Shape = Omit<ReadFeature, 'properties'>;

/** `SRID=25832;MULTIPOLYGON Z (((…)))`, the number where one is written. */
const EWKT = /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([A-Z][^]*(?:\)|EMPTY))\s*$/i;

function geometryOf(reader: WKT, value: unknown): Shape {
  if (value === null || value === undefined || value === '') {
    return { geometry: null, crs: null, refused: null };
  }
  const [, srid, wkt] = (typeof value === 'string' ? EWKT.exec(value) : null) ?? [];
  if (wkt === undefined) return refused('a geometry that is no WKT');
  const crs = srid === undefined ? null : `EPSG:${srid}`;
  try {
    const geometry = reader.readGeometry(wkt);
    if (!(geometry instanceof SimpleGeometry)) return refused('a collection of geometries', crs);
    const fault = checkShape(geometry);
    return fault === null ? { geometry, crs, refused: null } : refused(fault, crs);
  } catch (error) {
    // The parser's words repeat the whole text.
    return refused(error instanceof Error ? error.message.slice(0, 80) : 'unreadable WKT', crs);
  }
}

function refused(reason: string, crs: string | null = null): Shape {
  return { geometry: null, crs, refused: reason };
}
