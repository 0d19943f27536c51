/**
 * Where the real register extracts lie, and which of Debian's tools read them. They are not part of
 * the project: a test that needs them skips with a line saying what is missing, except in the gate
 * (`REQUIRE_REAL=1` or `REQUIRE_ALL=1`), where missing means failed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'vitest';
import type { LayerId } from '../../src/layers/keys.ts';
import { findPostgres } from './postgres-binaries.ts';
import { findMapServer } from './programs.ts';

/** The folder; it may not be there. */
export const REAL_DATA = resolve(import.meta.dirname, '../../../shared/data/real');

/** A layer of which real rows are at hand, and how its extract is to be read. */
export interface RealLayer {
  readonly layer: LayerId;
  /** Path below the real data folder. */
  readonly file: string;
  readonly rows: number;
  /** Column of the extract that is unique, and the one that `objekt_id` or the code comes from. */
  readonly key: string;
  readonly id: string;
}

/** The nine layers of the catalogue with real rows: six national themes, three municipal extracts. */
export const REAL_LAYERS: readonly RealLayer[] = [
  theme('region', 'regionsinddeling', 'regionskode', 5),
  theme('kommune', 'kommuneinddeling', 'kommunekode', 99),
  theme('sogn', 'sogneinddeling', 'sognekode', 2141),
  theme('retskreds', 'retskreds', 'myndighedskode', 24),
  theme('politikreds', 'politikreds', 'myndighedskode', 12),
  theme('opstillingskreds', 'opstillingskreds', 'opstillingskredsnummer', 92),
  {
    layer: 'strandbeskyttelse',
    file: 'natur/strandbeskyttelse_hvidovre_2025-03.geojson.gz',
    rows: 54,
    key: 'fid',
    id: 'id.lokalId',
  },
  {
    layer: 'fortidsminde',
    file: 'natur/fortidsmindebeskyttelse_areal_hvidovre.geojson',
    rows: 13,
    key: 'lokalitet_',
    id: 'systemnr',
  },
  {
    layer: 'natur',
    file: 'natur/bes_naturtyper_egedal.geojson.gz',
    rows: 1469,
    key: 'Objekt_id',
    id: 'Objekt_id',
  },
];

function theme(layer: LayerId, name: string, code: string, rows: number): RealLayer {
  return { layer, file: `dagi/dagi2000_${name}.geojson.gz`, rows, key: 'id.lokalId', id: code };
}

/** What a test of real input may need beside the extracts. */
export type RealTool = 'mapserver' | 'gdal' | 'postgres';

/** Absolute path of a real file, such as `dagi/dagi2000_retskreds.geojson.gz`. It need not exist. */
export function realFile(path: string): string {
  return join(REAL_DATA, path);
}

/** Runs ogr2ogr; what it writes to standard output. Throws what it says. */
export const ogr2ogr = (...args: readonly string[]): string =>
  execFileSync('ogr2ogr', args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 100_000_000 });

/**
 * Loads an extract with ogr2ogr into EPSG:25832, nothing else changed: times stay the text they are
 * and a third ordinate is dropped. `target` is an output driver and its data set, such as
 * `['GPKG', '/tmp/x.gpkg']`. Throws what ogr2ogr says.
 */
export function loadWithGdal(layer: RealLayer, table: string, target: readonly string[]): void {
  const [driver = '', dataSet = ''] = target;
  const source = realFile(layer.file);
  ogr2ogr(
    ...['-f', driver, dataSet, source.endsWith('.gz') ? `/vsigzip/${source}` : source],
    ...['-update', '-append', '-oo', 'DATE_AS_STRING=YES', '-t_srs', 'EPSG:25832'],
    ...['-dim', 'XY', '-nlt', 'PROMOTE_TO_MULTI', '-nln', table],
    ...['-lco', 'FID=ogc_fid', '-lco', 'GEOMETRY_NAME=geom'],
    ...(driver === 'PostgreSQL' ? ['-lco', 'LAUNDER=NO'] : []),
  );
}

/** Why a test of real input cannot run here, as one sentence; null when it can. */
export function realDataProblem(tools: readonly RealTool[] = []): string | null {
  if (!existsSync(REAL_DATA)) return 'the real extracts (../shared/data/real) are not here';
  if (tools.includes('mapserver') && findMapServer() === null) {
    return "MapServer is not installed (Debian's cgi-mapserver)";
  }
  if (tools.includes('postgres') && findPostgres() === null) {
    return "PostgreSQL with PostGIS is not installed (Debian's postgresql-15-postgis-3)";
  }
  if (tools.includes('gdal') && spawnSync('ogr2ogr', ['--version']).status !== 0) {
    return "ogr2ogr is not installed (Debian's gdal-bin)";
  }
  return null;
}

/**
 * `describe` for tests of real input: runs when everything is here; else shows one skipped test
 * that says why, or one failed test where the gate requires them.
 */
export function describeReal(name: string, tools: readonly RealTool[], body: () => void): void {
  const problem = realDataProblem(tools);
  if (problem === null) {
    describe(name, body);
    return;
  }
  const required = process.env['REQUIRE_REAL'] === '1' || process.env['REQUIRE_ALL'] === '1';
  describe(name, () => {
    if (!required) console.log(`SKIPPED: ${name}: ${problem}`);
    it.skipIf(!required)(`needs what is not here: ${problem}`, () => {
      throw new Error(`${problem}, and this run requires it`);
    });
  });
}
