/**
 * The island's heights: a hill with waves, sea without data, and one tile with an unmeasured lake.
 */
import { centreOf } from '../../../src/geo/heights.ts';
import type { RasterGrid } from '../../../src/geo/heights.ts';
import type { TerrainModel } from '../../../src/registers/terrain/terrain.ts';
import { CENTRE } from '../../data/island.ts';
import { writeGeoTiff } from './write-geotiff.ts';

export const NO_HEIGHT = -9999;

const HALF_EAST_M = 5_000;
const HALF_NORTH_M = 3_800;
const TOP_M = 38;
const WAVE_M = 2.5;
const TREES_M = 12;
const TREES_EVERY_M = 60;

export function sampleCells(model: TerrainModel, grid: RasterGrid): Float32Array {
  // Windows have millions of cells, so values per column and row are computed once.
  const columns = Array.from({ length: grid.columns }, (_, n) => {
    const { xUtm32: x } = centreOf(grid, n, 0);
    const isWood = model === 'overflade' && Math.floor(x / TREES_EVERY_M) % 3 === 0;
    return {
      fall: ((x - CENTRE.x) / HALF_EAST_M) ** 2,
      wave: WAVE_M * Math.sin(x / 90),
      trees: isWood ? TREES_M : 0,
    };
  });
  const cells = new Float32Array(grid.columns * grid.rows);
  for (let row = 0; row < grid.rows; row++) {
    const { yUtm32: y } = centreOf(grid, 0, row);
    const [fall, wave] = [((y - CENTRE.y) / HALF_NORTH_M) ** 2, Math.cos(y / 70)];
    for (const [n, east] of columns.entries()) {
      const rise = 1 - east.fall - fall;
      const height = TOP_M * rise + east.wave * wave + east.trees;
      cells[row * grid.columns + n] = rise <= 0 ? NO_HEIGHT : height;
    }
  }
  return cells;
}

/** One kilometre around the island's centre, in cells of four metres. */
export const SAMPLE_TILE: RasterGrid = {
  ...{ west: 649_500, north: 6_314_500, cellX: 4, cellY: 4, columns: 250, rows: 250 },
};
/** A lake without data in the tile, in cells. */
export const SAMPLE_LAKE = { column: 60, row: 40, columns: 20, rows: 15 } as const;

/** Relative to the folder of tiles. */
export const SAMPLE_TILE_NAME = 'terraen/sample_6314_650.tif';

export function sampleTile(): Buffer {
  const cells = sampleCells('terraen', SAMPLE_TILE);
  for (let row = SAMPLE_LAKE.row; row < SAMPLE_LAKE.row + SAMPLE_LAKE.rows; row++) {
    const first = row * SAMPLE_TILE.columns + SAMPLE_LAKE.column;
    cells.fill(NO_HEIGHT, first, first + SAMPLE_LAKE.columns);
  }
  return writeGeoTiff({ grid: SAMPLE_TILE, cells, noData: NO_HEIGHT });
}
