/**
 * Heights between the cell centres of a raster (D119). Pure: whoever reads the cells hands over the four
 * around a point, and NaN for one that holds nothing. Nothing here makes a 0 out of nothing.
 */
import { LIMITS } from '../kernel/limits.ts';
import type { Box } from './box.ts';
import type { PointUtm32 } from './point.ts';

/** Cells of one size, rows from the north; metres in EPSG:25832. */
export interface RasterGrid {
  /** The corner in the north-west, of the cell and not its centre. */
  readonly west: number;
  readonly north: number;
  readonly cellX: number;
  readonly cellY: number;
  /** Cells from west to east, and from north to south. */
  readonly columns: number;
  readonly rows: number;
}

/** The four cells around a point: those of `column`, `row` and the next ones to the east and south. */
export interface CellPosition {
  readonly column: number;
  readonly row: number;
  /** How far the point lies from the first centre towards the next: 0 to 1. */
  readonly east: number;
  readonly south: number;
}

export function boxOfGrid({ west, north, cellX, cellY, columns, rows }: RasterGrid): Box {
  return { minX: west, maxX: west + columns * cellX, minY: north - rows * cellY, maxY: north };
}

/** Half of the four may lie outside of the raster: -1, or its number of columns or rows. */
export function placeIn(grid: RasterGrid, { xUtm32, yUtm32 }: PointUtm32): CellPosition {
  const x = (xUtm32 - grid.west) / grid.cellX - 0.5;
  const y = (grid.north - yUtm32) / grid.cellY - 0.5;
  const column = Math.floor(x);
  const row = Math.floor(y);
  return { column, row, east: x - column, south: y - row };
}

/** The centre of a cell, which may lie outside of the raster. */
export function centreOf(grid: RasterGrid, column: number, row: number): PointUtm32 {
  return {
    xUtm32: grid.west + (column + 0.5) * grid.cellX,
    yUtm32: grid.north - (row + 0.5) * grid.cellY,
  };
}

/** Of a cell's size: so far two rasters may lie apart and still be one. */
const APART = 1e-3;

/** Whether the cells of both are the same cells, so that one goes on where the other ends. */
export function areOneGrid(a: RasterGrid, b: RasterGrid): boolean {
  const sameSize =
    Math.abs(a.cellX - b.cellX) <= APART * APART * a.cellX &&
    Math.abs(a.cellY - b.cellY) <= APART * APART * a.cellY;
  return sameSize && isWhole((b.west - a.west) / a.cellX) && isWhole((a.north - b.north) / a.cellY);
}

function isWhole(cells: number): boolean {
  return Math.abs(cells - Math.round(cells)) <= APART;
}

/** What a cell tells: NaN where it holds the raster's mark, or what is no height of Denmark (D119). */
export function heightOf(value: number, noData: number | null): number {
  const { min, max } = LIMITS.terrain.heightM;
  return value !== noData && value >= min && value <= max ? value : NaN;
}

/** In the order of reading: north-west, north-east, south-west, south-east. NaN: nothing there. */
export type FourHeights = readonly [number, number, number, number];

/**
 * Between four heights, by both distances; where one of them is missing the nearest that is there; null
 * where none is.
 */
export function heightBetween(
  four: FourHeights,
  { east, south }: Pick<CellPosition, 'east' | 'south'>,
  { cellX, cellY }: Pick<RasterGrid, 'cellX' | 'cellY'>,
): number | null {
  const [nw, ne, sw, se] = four;
  const north = nw + (ne - nw) * east;
  const between = north + (sw + (se - sw) * east - north) * south;
  if (!Number.isNaN(between)) return between;
  let nearest: number | null = null;
  let nearestM = Infinity;
  for (const [n, height] of four.entries()) {
    if (Number.isNaN(height)) continue;
    const awayX = (n % 2 === 0 ? east : 1 - east) * cellX;
    const awayY = (n < 2 ? south : 1 - south) * cellY;
    const awayM = Math.hypot(awayX, awayY);
    if (awayM >= nearestM) continue;
    nearest = height;
    nearestM = awayM;
  }
  return nearest;
}
