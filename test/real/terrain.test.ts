/**
 * Real heights (16 m, by the sea): from tiles and from a WCS against PostGIS raster between the cells, and
 * against GDAL in them. No two may be a millimetre apart.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { placeIn } from '../../src/geo/heights.ts';
import type { RasterGrid } from '../../src/geo/heights.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { DHM_WCS } from '../../src/registers/terrain/terrain.ts';
import { lookThrough } from '../../src/registers/terrain/tile-folder.ts';
import type { TileIndex } from '../../src/registers/terrain/tile-folder.ts';
import { TileReader } from '../../src/registers/terrain/tiles.ts';
import { createWcsClient } from '../../src/registers/terrain/wcs-client.ts';
import { TerrainWcs } from '../../src/registers/terrain/wcs.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';
import { createRandom } from '../../sample/data/random.ts';
import { startMapServerWcs } from '../support/mapserver-wcs.ts';
import { ownFolder } from '../support/opened.ts';
import { describeReal, realFile } from '../support/real-data.ts';
import { amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';

const RASTER = realFile('hoejde/dtm_16m.tif');
const MOST_APART_M = 0.001;
const NO_DATA = -9999;

/** How the raster is written again: each way a tile may come, read as GDAL reads it. */
const WAYS: readonly (readonly string[])[] = [
  ['-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=3', '-co', 'TILED=YES'],
  ['-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2'],
  ['-co', 'COMPRESS=ZSTD', '-co', 'PREDICTOR=3', '-co', 'TILED=YES'],
  ['-co', 'BIGTIFF=YES', '-ot', 'Float64'],
  ['-of', 'COG'],
];

const POINTS = amountOf({ gate: 5_000, night: 100_000 });

describeReal('the real terrain', ['gdal'], () => {
  const dir = ownFolder('real-dhm');
  let tile: string;
  let index: TileIndex;
  let grid: RasterGrid;
  let cells: Float32Array;
  beforeAll(async () => {
    mkdirSync(join(dir, 'terraen'));
    tile = join(dir, 'terraen', 'dtm.tif');
    copyFileSync(RASTER, tile);
    index = await lookThrough(dir, null);
    const [only] = index.tiles.terraen;
    if (only === undefined) throw new Error(`Not taken: ${JSON.stringify(index.refused)}`);
    grid = only.grid;
    const flat = join(dir, 'flat.bin');
    execFileSync('gdal_translate', ['-q', '-of', 'ENVI', tile, flat]);
    const bytes = readFileSync(flat);
    cells = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  });

  /** Whether all four cells around a point hold a height: elsewhere rasters are read in many ways. */
  function isBetweenFour(point: PointUtm32): boolean {
    const { column, row } = placeIn(grid, point);
    const isIn = column >= 0 && row >= 0 && column + 1 < grid.columns && row + 1 < grid.rows;
    return (
      isIn &&
      [0, 1, grid.columns, grid.columns + 1].every(
        (n) => cells[row * grid.columns + column + n] !== NO_DATA,
      )
    );
  }

  function pointsOf(anywhere: number, onEdges: number): PointUtm32[] {
    const random = createRandom('terrain');
    const [wide, high] = [grid.columns * grid.cellX, grid.rows * grid.cellY];
    const points = Array.from({ length: anywhere }, () => ({
      xUtm32: grid.west + random.next() * wide,
      yUtm32: grid.north - random.next() * high,
    }));
    for (let n = 0; n < onEdges; n++) {
      const column = Math.floor(random.next() * grid.columns);
      const row = random.next() * grid.rows;
      points.push({
        xUtm32: grid.west + column * grid.cellX,
        yUtm32: grid.north - (n % 2 === 0 ? row : Math.floor(row)) * grid.cellY,
      });
    }
    return points.filter(isBetweenFour);
  }

  async function ofTiles(points: readonly PointUtm32[], of = index): Promise<number[]> {
    const reader = new TileReader();
    const heights: number[] = [];
    for (const point of points) {
      const height = await reader.heightAt(of, 'terraen', point);
      heights.push(height?.heightM ?? NaN);
    }
    return heights;
  }

  function farthest(ours: readonly number[], theirs: readonly number[]): number {
    expect(ours.length).toBe(theirs.length);
    return ours.reduce((most, height, n) => {
      const apart = Math.abs(height - (theirs[n] ?? NaN));
      return Number.isNaN(apart) || apart > most ? apart : most;
    }, 0);
  }

  const hasRasterJudge =
    process.env['TEST_STORE'] === 'postgres' &&
    spawnSync('test', ['-e', '/usr/share/postgresql/15/extension/postgis_raster.control'])
      .status === 0;

  if (!hasRasterJudge) {
    console.log('SKIPPED: PostGIS raster as judge of heights: no PostgreSQL with postgis_raster');
  }
  test.skipIf(!hasRasterJudge)(
    `${POINTS} points and ${POINTS / 10} on the edges of cells are as PostGIS raster tells them`,
    async () => {
      const points = pointsOf(POINTS, POINTS / 10);
      expect(points.length).toBeGreaterThan(POINTS);
      await using cleanup = new AsyncDisposableStack();
      const store = await openTestStore();
      cleanup.defer(() => store.close());
      const rows = await asRaster(store, readFileSync(tile), points);
      expect(farthest(await ofTiles(points), rows)).toBeLessThan(MOST_APART_M);
    },
  );

  test('cells are as gdallocationinfo tells them, in whatever way the file is written', async () => {
    const random = createRandom('cells');
    const places = Array.from({ length: 500 }, () => ({
      column: Math.floor(random.next() * grid.columns),
      row: Math.floor(random.next() * grid.rows),
    })).filter(({ column, row }) => cells[row * grid.columns + column] !== NO_DATA);
    const input = places.map(({ column, row }) => `${column} ${row}\n`).join('');
    const told = execFileSync('gdallocationinfo', ['-valonly', tile], { input, encoding: 'utf8' });
    const theirs = told.trim().split('\n').map(Number);
    const points = places.map(({ column, row }) => ({
      xUtm32: grid.west + (column + 0.5) * grid.cellX,
      yUtm32: grid.north - (row + 0.5) * grid.cellY,
    }));
    expect(farthest(await ofTiles(points), theirs)).toBeLessThan(MOST_APART_M);
    for (const [n, way] of WAYS.entries()) {
      const written = join(dir, `way${n}`);
      mkdirSync(join(written, 'terraen'), { recursive: true });
      execFileSync('gdal_translate', ['-q', ...way, tile, join(written, 'terraen/a.tif')]);
      const again = await lookThrough(written, null);
      expect(again.refused, way.join(' ')).toEqual([]);
      expect(farthest(await ofTiles(points, again), theirs), way.join(' ')).toBeLessThan(
        MOST_APART_M,
      );
    }
  });

  describeReal('served by MapServer as WCS', ['mapserver'], () => {
    test('tells the heights that the tile tells', async () => {
      const server = await startMapServerWcs(tile, grid);
      const client = createWcsClient({ clock: systemClock });
      const { west: x, north: y, cellX, cellY } = grid;
      const source = { ...DHM_WCS, url: server.url, grid: { x, y, cellX, cellY }, tries: 1 };
      const gate = createHostGate({ clock: systemClock });
      const wcs = new TerrainWcs({ source, client, gate, clock: systemClock, apiKey: null });
      try {
        const points = pointsOf(3_000, 300);
        const heights = await wcs.heightsAt('terraen', points);
        const ours = heights.map((each) => {
          if (each instanceof Error) throw each;
          return each.heightM ?? NaN;
        });
        expect(farthest(ours, await ofTiles(points))).toBeLessThan(MOST_APART_M);
        expect(server.requests.length).toBeLessThanOrEqual(2);
      } finally {
        await client.close();
        await server.close();
      }
    });
  });
});

async function asRaster(
  { pool }: Awaited<ReturnType<typeof openTestStore>>,
  bytes: Buffer,
  points: readonly PointUtm32[],
): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query('create extension if not exists postgis_raster');
    await client.query(`set postgis.gdal_enabled_drivers = 'GTiff'`);
    await client.query('create table judged (rast raster)');
    await client.query('alter table judged alter rast set storage external');
    await client.query('insert into judged select ST_SetSRID(ST_FromGDALRaster($1), 25832)', [
      bytes,
    ]);
    const { rows } = await client.query<{ height: number }>(
      `select ST_Value(rast, 1, ST_SetSRID(ST_MakePoint(x, y), 25832), true, 'bilinear') as height
       from judged, unnest($1::float8[], $2::float8[]) with ordinality p (x, y, n) order by n`,
      [points.map(({ xUtm32 }) => xUtm32), points.map(({ yUtm32 }) => yUtm32)],
    );
    return rows.map(({ height }) => height);
  } finally {
    client.release();
  }
}
