/**
 * Heights of 150 points: from tiles beside PostGIS raster in one statement, over HTTP too, and the requests that a
 * WCS with 50 ms of delay is asked for them. Invented heights of 16 km² in cells of 1.6 m; keys are left out.
 */
import { BARE_SERVICES } from '../test/support/bare-services.ts';
import { terrain as register } from '../src/registers/terrain/register.ts';
import { registerMeta } from '../src/answers/register-meta.ts';
import { TERRAIN_QUESTIONS } from '../src/registers/terrain/questions.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../src/http/app.ts';
import type { Services } from '../src/http/services.ts';
import { pointFromUtm32 } from '../src/geo/project.ts';
import type { Point } from '../src/geo/point.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { DHM_WCS } from '../src/registers/terrain/terrain.ts';
import type { Terrain } from '../src/registers/terrain/lookup.ts';
import { composeHeights } from '../src/registers/terrain/compose.ts';
import type { TerrainSources } from '../src/registers/terrain/sources.ts';
import { createHostGate } from '../src/wfs/hosts.ts';
import { createRandom } from '../sample/data/random.ts';
import type { Random } from '../sample/data/random.ts';
import { startSampleUpstream } from '../sample/server.ts';
import { TERRAIN_PATH } from '../sample/registers/terrain/answer.ts';
import { NO_HEIGHT, sampleCells } from '../sample/registers/terrain/heights.ts';
import { writeGeoTiff } from '../sample/registers/terrain/write-geotiff.ts';
import { itemsPerSecond } from './harness/measure.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, openPostgres, temporaryDirectory } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';

const BATCH = 150;
const WEST = 648_000;
const NORTH = 6_316_000;
const SIDE_M = 4_000;
const TILE_M = 1_000;
const CELL_M = 1.6;
/** Cells of a side of PostGIS's own tiles, as raster2pgsql is usually asked for. */
const POSTGIS_TILE = 125;

/** Rows for the table of `npm run bench`. */
export async function benchTerrain(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = temporaryDirectory(cleanup);
  const tiles = writeTiles(folder);
  const terrain = await openTerrain(cleanup, { folder, wcs: null });
  const random = createRandom('bench');
  const batches = Array.from({ length: 200 }, () => pointsIn(random, SIDE_M));
  const batch = (n: number): Point[] => batches[Math.abs(n) % batches.length]!;
  const ours = await itemsPerSecond({ size: BATCH, warmUps: 50 }, async (n) => {
    const { value } = await terrain.at('terraen', batch(n));
    if (value.some((each) => each instanceof Error)) throw new Error('A point was not answered.');
  });
  const url = await serve(cleanup, terrain);
  const overHttp = await itemsPerSecond({ size: BATCH, warmUps: 50 }, async (n) => {
    const punkter = batch(n).map(({ wgs84 }) => wgs84);
    const answer = await fetch(`${url}/v1/dhm/kote:batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ punkter }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
  });
  const statement = await measureStatement(cleanup, tiles, batch);
  const beside = ["ST_Value(…, 'bilinear'), one statement", statement] as const;
  return [
    row(`heights of ${BATCH} points from tiles`, ours, 'points/s', {
      ...{ beside, ratioGate: '>= 3 (goal 10)' },
    }),
    row('the same over HTTP', overHttp, 'points/s', { beside }),
    row(
      `requests to a WCS for ${BATCH} points within 1 km`,
      await requestsToWcs(cleanup),
      'requests',
      { gate: '<= 10 (goal 3)' },
    ),
  ];
}

function writeTiles(folder: string): Buffer[] {
  mkdirSync(join(folder, 'terraen'));
  const cells = Math.round(TILE_M / CELL_M);
  const tiles: Buffer[] = [];
  for (let west = WEST; west < WEST + SIDE_M; west += TILE_M) {
    for (let north = NORTH; north > NORTH - SIDE_M; north -= TILE_M) {
      const grid = { west, north, cellX: CELL_M, cellY: CELL_M, columns: cells, rows: cells };
      const heights = sampleCells('terraen', grid);
      const tile = writeGeoTiff({ grid, cells: heights, noData: NO_HEIGHT });
      writeFileSync(join(folder, 'terraen', `${west}_${north}.tif`), tile);
      tiles.push(tile);
    }
  }
  return tiles;
}

async function openTerrain(cleanup: Cleanup, sources: TerrainSources): Promise<Terrain> {
  const composed = composeHeights(sources, {
    ...{ clock: systemClock, gate: createHostGate({ clock: systemClock }) },
    ...{ log: { warn: console.error }, keys: { terrain: 'bench' } },
  });
  if (composed === null) throw new Error('The terrain is not set up.');
  cleanup.defer(() => composed.stop());
  const { terrain } = composed;
  while (sources.folder !== null && terrain.status().count === null) {
    await new Promise((next) => setTimeout(next, 50));
  }
  return terrain;
}

function pointsIn(random: Random, sideM: number): Point[] {
  return Array.from({ length: BATCH }, () =>
    pointFromUtm32({ xUtm32: WEST + random.next() * sideM, yUtm32: NORTH - random.next() * sideM }),
  );
}

async function serve(cleanup: Cleanup, terrain: Terrain): Promise<string> {
  const notHere = () => Promise.reject(new Error('Only heights are measured here.'));
  const services: Services = {
    ...BARE_SERVICES,
    registers: [
      {
        document: register.document,
        questions: TERRAIN_QUESTIONS,
        lookups: { terrain, meta: registerMeta('DHM', null) },
      },
    ],
    status: notHere,
  };
  const app = await buildApp(services, {
    ...{ publicUrl: 'http://127.0.0.1', logLevel: 'silent', newRequestId: () => 'bench' },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanup.defer(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** The same tiles in PostGIS, cut as it likes them and indexed. */
async function measureStatement(
  cleanup: Cleanup,
  tiles: readonly Buffer[],
  batch: (n: number) => readonly Point[],
): Promise<number> {
  const { pool } = await openMigrated(cleanup, await openPostgres(cleanup), { maxConnections: 1 });
  await pool.query('create extension postgis_raster');
  await pool.query(`set postgis.gdal_enabled_drivers = 'GTiff'`);
  await pool.query('create table terrain (rast raster)');
  for (const tile of tiles) {
    await pool.query(
      `insert into terrain
       select ST_Tile(ST_SetSRID(ST_FromGDALRaster($1), 25832), ${POSTGIS_TILE}, ${POSTGIS_TILE})`,
      [tile],
    );
  }
  await pool.query('create index on terrain using gist (ST_ConvexHull(rast))');
  await pool.query('vacuum analyze terrain');
  return await itemsPerSecond({ size: BATCH, warmUps: 10 }, async (n) => {
    const points = batch(n);
    const { rows } = await pool.query(
      `select ST_Value(t.rast, 1, p.geom, true, 'bilinear') as height
       from (select ST_SetSRID(ST_MakePoint(x, y), 25832) as geom
             from unnest($1::float8[], $2::float8[]) u (x, y)) p
       join terrain t on ST_ConvexHull(t.rast) && p.geom`,
      [points.map(({ utm32 }) => utm32.xUtm32), points.map(({ utm32 }) => utm32.yUtm32)],
    );
    if (rows.length < BATCH) throw new Error('A point was not answered.');
  });
}

async function requestsToWcs(cleanup: Cleanup): Promise<number> {
  const upstream = await startSampleUpstream();
  cleanup.defer(() => upstream.close());
  upstream.faults.set([{ fault: 'slow', value: 50, host: 'terrain' }]);
  const url = `${upstream.url}${TERRAIN_PATH}`;
  const terrain = await openTerrain(cleanup, { folder: null, wcs: { ...DHM_WCS, url } });
  const points = pointsIn(createRandom('wcs'), TILE_M);
  const { value } = await terrain.at('terraen', points);
  if (value.some((each) => each instanceof Error)) throw new Error('A window did not come.');
  return upstream.requests().length;
}
