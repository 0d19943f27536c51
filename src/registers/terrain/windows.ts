/**
 * Splits cells into few WCS windows, none too large. Cells count from the corner of the source's
 * grid, east and south.
 */
import { LIMITS } from '../../kernel/limits.ts';
import { placeIn } from '../../geo/heights.ts';
import type { RasterGrid } from '../../geo/heights.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { TerrainSource } from './terrain.ts';

export interface PlacedCell {
  readonly column: number;
  readonly row: number;
}

export interface WindowCells extends PlacedCell {
  readonly columns: number;
  readonly rows: number;
}

export function cellUnder({ grid }: TerrainSource, point: PointUtm32): PlacedCell {
  const { column, row } = placeIn(gridOf(grid, { column: 0, row: 0, columns: 1, rows: 1 }), point);
  return { column, row };
}

export function gridOf(
  { x, y, cellX, cellY }: TerrainSource['grid'],
  { column, row, columns, rows }: WindowCells,
): RasterGrid {
  return { west: x + column * cellX, north: y - row * cellY, cellX, cellY, columns, rows };
}

export function holds(window: WindowCells, { column, row }: PlacedCell): boolean {
  return (
    column >= window.column &&
    row >= window.row &&
    column + 1 < window.column + window.columns &&
    row + 1 < window.row + window.rows
  );
}

export function planWindows(cells: readonly PlacedCell[]): readonly WindowCells[] {
  if (cells.length === 0) return [];
  const window = windowAround(cells);
  const halves = halved(cells);
  if (halves === null) return [window];
  const apart = halves.flatMap((half) => planWindows(half));
  const isSmall = sizeOf(window) <= LIMITS.terrain.windowCells;
  return isSmall && costOf([window]) <= costOf(apart) ? [window] : apart;
}

function windowAround(cells: readonly PlacedCell[]): WindowCells {
  const { windowStep: step } = LIMITS.terrain;
  const { west, north, east, south } = reachOf(cells);
  const column = Math.floor(west / step) * step;
  const row = Math.floor(north / step) * step;
  return {
    column,
    row,
    columns: Math.ceil((east + 2 - column) / step) * step,
    rows: Math.ceil((south + 2 - row) / step) * step,
  };
}

/** null: all cells are the same. */
function halved(cells: readonly PlacedCell[]): readonly (readonly PlacedCell[])[] | null {
  const { west, north, east, south } = reachOf(cells);
  if (west === east && north === south) return null;
  const isWide = east - west >= south - north;
  const middle = isWide ? (west + east) / 2 : (north + south) / 2;
  const isBefore = ({ column, row }: PlacedCell) => (isWide ? column : row) < middle;
  return [cells.filter(isBefore), cells.filter((cell) => !isBefore(cell))];
}

function reachOf(cells: readonly PlacedCell[]) {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { column, row } of cells) {
    west = Math.min(west, column);
    east = Math.max(east, column);
    north = Math.min(north, row);
    south = Math.max(south, row);
  }
  return { west, north, east, south };
}

function sizeOf({ columns, rows }: WindowCells): number {
  return columns * rows;
}

function costOf(windows: readonly WindowCells[]): number {
  return windows.reduce((sum, window) => sum + sizeOf(window) + LIMITS.terrain.requestCells, 0);
}
