/** A folder of terrain tiles of a test's own, and the questions a test asks of one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RasterGrid } from '../../src/geo/heights.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { Point, PointUtm32 } from '../../src/geo/point.ts';
import type { TerrainModel } from '../../src/registers/terrain/terrain.ts';
import { NO_HEIGHT, sampleCells } from '../../sample/registers/terrain/heights.ts';
import { writeGeoTiff } from '../../sample/registers/terrain/write-geotiff.ts';
import { testFolder } from './opened.ts';

export type TileFolder = ReturnType<typeof makeTileFolder>;

/** Gone as the folder is that `own` makes. */
export function makeTileFolder(own = testFolder) {
  const path = own('dhm');
  return {
    path,
    put: (name: string, bytes: Uint8Array): string => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      return file;
    },
  };
}

/** 64 by 64 cells of 10 m with the corner in the north-west at a place on the sample's island. */
export function gridAt(west: number, north: number): RasterGrid {
  return { west, north, cellX: 10, cellY: 10, columns: 64, rows: 64 };
}

/** A raster whose heights are told by the centre of each cell. */
export function tiffOf(
  grid: RasterGrid,
  heightAt: (x: number, y: number) => number,
  { noData = -9999 }: { readonly noData?: number | null } = {},
): Buffer {
  const cells = new Float32Array(grid.columns * grid.rows);
  for (const n of cells.keys()) {
    const [column, row] = [n % grid.columns, Math.floor(n / grid.columns)];
    const x = grid.west + (column + 0.5) * grid.cellX;
    cells[n] = heightAt(x, grid.north - (row + 0.5) * grid.cellY);
  }
  return writeGeoTiff({ grid, cells, noData });
}

export function pointAt(xUtm32: number, yUtm32: number): Point {
  return pointFromUtm32({ xUtm32, yUtm32 });
}

/** The height of the invented island at a point itself; NaN: sea. */
export function sampleHeight(model: TerrainModel, { xUtm32, yUtm32 }: PointUtm32): number {
  const cell = { cellX: 0.1, cellY: 0.1, columns: 1, rows: 1 };
  const grid = { west: xUtm32 - 0.05, north: yUtm32 + 0.05, ...cell };
  const [height = NO_HEIGHT] = sampleCells(model, grid);
  return height === NO_HEIGHT ? NaN : height;
}
