/**
 * Cells of a grid with nothing near, which most cells are. One bit per cell, so that a question is
 * often answered by one word.
 */
import { BLOCK_CELLS, BLOCK_SHIFT, UNIFORM } from './grid.ts';
import type { GridShape } from './grid.ts';

/** Rounding tolerance for a cell out of reach, metres. */
const MARGIN_M = 1;
/** A row of a block is one word, so cells are at most its bits apart. */
const MOST_COLUMNS = 15;
const ROW_CELLS = 1 << BLOCK_SHIFT;
const ROW_BITS = 0xffff;

export interface Cells {
  readonly grid: GridShape;
  readonly blocks: Uint32Array;
  readonly tables: Uint32Array;
  /** By table, then row of its block: a bit per cell with edges. */
  readonly edged: Uint16Array;
}

/**
 * By row, then block across: a bit per cell that a feature holds, or from which an edge may be
 * within `reachM`. null: the reach is too large.
 */
export function nearCells(
  { grid, blocks, tables, edged }: Cells,
  reachM: number,
): Uint16Array | null {
  const { blockColumns, blockRows, cellM } = grid;
  const reach = (reachM + MARGIN_M) / cellM;
  if (reach + 1 > MOST_COLUMNS) return null;
  const near = new Uint16Array(blockRows * ROW_CELLS * blockColumns);
  for (let block = 0; block < blocks.length; block++) {
    const word = blocks[block]!;
    if (word === 0) continue;
    const column = block % blockColumns;
    const firstRow = ((block - column) / blockColumns) * ROW_CELLS;
    for (let row = 0; row < ROW_CELLS; row++) {
      const own = (firstRow + row) * blockColumns + column;
      near[own]! |=
        word >= UNIFORM ? ROW_BITS : heldCells(tables, (word - 1) * BLOCK_CELLS + row * ROW_CELLS);
      const bits = word >= UNIFORM ? 0 : edged[(word - 1) * ROW_CELLS + row]!;
      if (bits !== 0) spread(near, { bits, row: firstRow + row, column }, { grid, reach });
    }
  }
  return near;
}

/** A bit for each of sixteen cells that has anything. */
function heldCells(tables: Uint32Array, from: number): number {
  let bits = 0;
  for (let i = 0; i < ROW_CELLS; i++) if (tables[from + i] !== 0) bits |= 1 << i;
  return bits;
}

/** Sets what lies within `reach` cells of the cells of a row. */
function spread(
  near: Uint16Array,
  { bits, row, column }: { readonly bits: number; readonly row: number; readonly column: number },
  { grid, reach }: { readonly grid: GridShape; readonly reach: number },
): void {
  const { blockColumns, blockRows } = grid;
  const most = Math.floor(reach) + 1;
  for (let up = -most; up <= most; up++) {
    const target = row + up;
    // Adjacent cells have no gap.
    const gap = Math.max(0, Math.abs(up) - 1);
    if (target < 0 || target >= blockRows * ROW_CELLS || gap > reach) continue;
    const across = Math.floor(Math.sqrt(reach * reach - gap * gap)) + 1;
    let here = bits;
    let before = 0;
    let after = 0;
    for (let by = 1; by <= across; by++) {
      here |= (bits << by) | (bits >>> by);
      before |= bits << (ROW_CELLS - by);
      after |= (bits << by) >>> ROW_CELLS;
    }
    const at = target * blockColumns + column;
    near[at]! |= here;
    if (column > 0) near[at - 1]! |= before;
    if (column + 1 < blockColumns) near[at + 1]! |= after;
  }
}
