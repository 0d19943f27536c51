/** The six real DAGI themes (1:2,000,000) as the register's own JSON files: flat rows, geometry as WKT. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Theme } from '../../src/layers/keys.ts';
import { REAL_LAYERS, ogr2ogr, realFile } from './real-data.ts';

/** One row of the file; `geometri` is WKT in EPSG:25832. */
export type RealRow = Readonly<Record<string, unknown>> & { readonly geometri: string };

const fileOf = (theme: Theme) => REAL_LAYERS.find(({ layer }) => layer === theme)?.file ?? '';

export function realProperties(theme: Theme): readonly Readonly<Record<string, unknown>>[] {
  const text = gunzipSync(readFileSync(realFile(fileOf(theme)))).toString('utf8');
  const { features } = JSON.parse(text) as {
    features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
  };
  return features.map(({ properties }) => properties);
}

/** A theme in EPSG:25832 as GDAL writes it; `dir` is for files on the way. Throws what GDAL says. */
export function convertTheme(
  theme: Theme,
  { dir, driver, options = [] }: { dir: string; driver: string; options?: readonly string[] },
): Buffer {
  const path = join(dir, `theme.${driver.toLowerCase()}`);
  const source = `/vsigzip/${realFile(fileOf(theme))}`;
  ogr2ogr('-f', driver, '-t_srs', 'EPSG:25832', '-nln', theme, ...options, path, source);
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

/** Every row of a theme; GDAL writes WKT into CSV. */
export function realRows(theme: Theme, dir: string): readonly RealRow[] {
  const options = ['-lco', 'GEOMETRY=AS_WKT'];
  const csv = convertTheme(theme, { dir, driver: 'CSV', options }).toString('utf8');
  const wkt = [...csv.matchAll(/^"((?:MULTI)?POLYGON[^"]*)"/gm)].map(([, text]) => text ?? '');
  const properties = realProperties(theme);
  if (wkt.length !== properties.length) {
    throw new Error(`${theme}: ${wkt.length} geometries of ${properties.length} features.`);
  }
  // The extract is of the old service, whose rows tell no end; every row of a file has its two.
  const open = { registreringTil: null, virkningTil: null };
  return properties.map((each, i) => ({ ...open, ...each, geometri: wkt[i] ?? '' }));
}
