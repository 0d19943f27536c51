/** Bilinear heights between cell centres (D119). NaN: no height; it never becomes 0. */
import { LIMITS } from '../kernel/limits.ts';
import type { Box } from './box.ts';
import type { PointUtm32 } from './point.ts';

/** Rows from the north; metres in EPSG:25832. */
export interface RasterGrid {
  /** Corner of the first cell, not its centre. */
  readonly west: number;
  readonly north: number;
  readonly cellX: number;
  readonly cellY: number;
  readonly columns: number;
  readonly rows: number;
}

/** The north-west of four cells, and the share of the way to the next ones. */
export type CellPosition = ReturnType<typeof placeIn>;

export function boxOfGrid({ west, north, cellX, cellY, columns, rows }: RasterGrid): Box {
  return { minX: west, maxX: west + columns * cellX, minY: north - rows * cellY, maxY: north };
}

/** Cells may lie outside: -1, or the number of columns or rows. */
export function placeIn(grid: RasterGrid, { xUtm32, yUtm32 }: PointUtm32) {
  const x = (xUtm32 - grid.west) / grid.cellX - 0.5;
  const y = (grid.north - yUtm32) / grid.cellY - 0.5;
  const column = Math.floor(x);
  const row = Math.floor(y);
  return { column, row, east: x - column, south: y - row };
}

export function centreOf(grid: RasterGrid, column: number, row: number): PointUtm32 {
  return {
    xUtm32: grid.west + (column + 0.5) * grid.cellX,
    yUtm32: grid.north - (row + 0.5) * grid.cellY,
  };
}

/** Offset of two grids that still count as one, as a share of a cell. */
const APART = 1e-3;

export function areOneGrid(a: RasterGrid, b: RasterGrid): boolean {
  const sameSize =
    Math.abs(a.cellX - b.cellX) <= APART * APART * a.cellX &&
    Math.abs(a.cellY - b.cellY) <= APART * APART * a.cellY;
  return sameSize && isWhole((b.west - a.west) / a.cellX) && isWhole((a.north - b.north) / a.cellY);
}

function isWhole(cells: number): boolean {
  return Math.abs(cells - Math.round(cells)) <= APART;
}

/** NaN for the no-data mark, and outside the heights of Denmark (D119). */
export function heightOf(value: number, noData: number | null): number {
  const { min, max } = LIMITS.terrain.heightM;
  return value !== noData && value >= min && value <= max ? value : NaN;
}

/** North-west, north-east, south-west, south-east. NaN: no data. */
export type FourHeights = readonly [number, number, number, number];

/** Bilinear; where one is missing, the nearest that exists; null: none. */
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
