/**
 * The cell grid of a layer, and its words. Cells are grouped in blocks of 16 x 16, so empty land,
 * sea and the inside of a region cost one word per block.
 *
 *   blocks[b]   0: nothing. UNIFORM | feature: only that feature covers the block. Else 1 + table.
 *   tables      256 words per block, one per cell.
 *     0: nothing. UNIFORM | feature: only that feature covers the cell. Else an offset in `lists`.
 *   lists       covers, runs, then the covers (features that hold the whole cell), then the runs:
 *               feature and flags, first edge, number of edges, box within the cell (run-box.ts).
 *
 * A run is a stretch of consecutive edges of one ring that touch the cell.
 */
import type { Box } from '../geo/box.ts';

export const BLOCK_SHIFT = 4;
export const BLOCK_CELLS = 256;
export const UNIFORM = 0x80000000;
export const FEATURE_OF_UNIFORM = 0x7fffffff;

/** Flags in a run's first word; the rest is the feature. */
export const RUN = {
  repealed: 0x80000000,
  adopted: 0x40000000,
  /** The cell's centre is too close to this feature's boundary to start a path. */
  ambiguous: 0x20000000,
  /** Edges of a dissolved zone that no feature has (D27). */
  zoneOnly: 0x10000000,
  hasZone: 0x08000000,
  centreInside: 0x04000000,
  feature: 0x03ffffff,
} as const;

/** Ten times the largest national layer, and within RUN.feature. */
export const MAX_FEATURES = 2 ** 22 - 1;

export const RUN_WORDS = 4;

/** An edge this close to a cell touches it: more than any rounding error here. */
export const TOUCH_M = 1e-6;

export const FEATURE = { repealed: 1, adopted: 2 } as const;

/** EPSG:25832 metres. */
export type GridShape = ReturnType<typeof gridShape>;

/** Registers round to centimetres or metres: an odd origin keeps centres off edges. */
const ODD_OFFSET_M = 0.371_93;

export function gridShape(box: Box, wantedCellM: number) {
  let cellM = wantedCellM;
  while (blocksAcross(box, cellM) > MAX_BLOCKS) cellM *= 2;
  const blockM = cellM * 2 ** BLOCK_SHIFT;
  const originX = Math.floor(box.minX) - ODD_OFFSET_M;
  const originY = Math.floor(box.minY) - ODD_OFFSET_M;
  return {
    originX,
    originY,
    cellM,
    blockColumns: Math.max(1, Math.floor((box.maxX + 1 - originX) / blockM) + 1),
    blockRows: Math.max(1, Math.floor((box.maxY + 1 - originY) / blockM) + 1),
  };
}

/** Denmark has 12,000 of 4 km; a stray coordinate must not cost gigabytes. */
const MAX_BLOCKS = 1_000_000;

function blocksAcross(box: Parameters<typeof gridShape>[0], cellM: number): number {
  const blockM = cellM * 2 ** BLOCK_SHIFT;
  return ((box.maxX - box.minX) / blockM + 2) * ((box.maxY - box.minY) / blockM + 2);
}
