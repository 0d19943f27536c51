/** Nearest of many points (access addresses, D47). */
import { boxOf } from '../geo/box.ts';
import type { Bounds } from '../geo/bounds.ts';
import type { PointUtm32 } from '../geo/point.ts';
import { gridShape } from './grid.ts';
import type { GridShape } from './grid.ts';

/** A few addresses in populated areas. */
const CELL_M = 100;
/** The table has the start of each cell, and the end. */
const BLOCK_CELLS = 256;
const TABLE_WORDS = BLOCK_CELLS + 1;

export interface SortedPoints {
  readonly grid: GridShape;
  readonly blocks: Uint32Array;
  readonly tables: Uint32Array;
  /** Ties go to the lower rank. */
  readonly ranks: Uint32Array;
  readonly xy: Float64Array;
}

export function sortPoints(xy: Float64Array): SortedPoints {
  const count = xy.length / 2;
  const grid = gridShape(boxOf(xy), CELL_M);
  const cells = new Uint32Array(count);
  for (let i = 0; i < count; i++) cells[i] = cellId(grid, xy[2 * i]!, xy[2 * i + 1]!);
  const { blocks, tables } = buildTables(grid, cells);
  const next = tables.slice();
  const ranks = new Uint32Array(count);
  const sorted = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    // Ranks ascend, so the lowest comes first within a cell.
    const cell = (blocks[cells[i]! >>> 8]! - 1) * TABLE_WORDS + (cells[i]! & 255);
    const slot = next[cell]!;
    next[cell] = slot + 1;
    ranks[slot] = i;
    sorted[2 * slot] = xy[2 * i]!;
    sorted[2 * slot + 1] = xy[2 * i + 1]!;
  }
  return { grid, blocks, tables, ranks, xy: sorted };
}

export class NearestPointEngine {
  readonly points: SortedPoints;
  distanceM = 0;
  readonly #blocks: Uint32Array;
  readonly #tables: Uint32Array;
  readonly #xy: Float64Array;
  readonly #ranks: Uint32Array;
  readonly #columns: number;
  readonly #rows: number;
  readonly #state = new Float64Array(3);
  #best = -1;

  constructor(points: SortedPoints) {
    this.points = points;
    this.#blocks = points.blocks;
    this.#tables = points.tables;
    this.#xy = points.xy;
    this.#ranks = points.ranks;
    this.#columns = points.grid.blockColumns * 16;
    this.#rows = points.grid.blockRows * 16;
  }

  /** -1: none within `radiusM`. */
  nearest({ xUtm32, yUtm32 }: PointUtm32, radiusM: number): number {
    const { originX, originY, cellM } = this.points.grid;
    const state = this.#state;
    state[0] = xUtm32;
    state[1] = yUtm32;
    state[2] = radiusM * radiusM;
    this.#best = -1;
    const column = Math.floor((xUtm32 - originX) / cellM);
    const row = Math.floor((yUtm32 - originY) / cellM);
    const offX = xUtm32 - (originX + (column + 0.5) * cellM);
    const offY = yUtm32 - (originY + (row + 0.5) * cellM);
    const off = Math.max(Math.abs(offX), Math.abs(offY));
    for (let k = 0; ; k++) {
      const gap = (k - 0.5) * cellM - off;
      if (gap > 0 && gap * gap > state[2]) break;
      this.#readRing(column, row, k);
    }
    this.distanceM = Math.sqrt(state[2]);
    return this.#best;
  }

  #readRing(column: number, row: number, k: number): void {
    const left = column - k;
    const right = column + k;
    this.#readSpan(row - k, left, right);
    if (k === 0) return;
    for (let between = row - k + 1; between < row + k; between++) {
      this.#readSpan(between, left, left);
      this.#readSpan(between, right, right);
    }
    this.#readSpan(row + k, left, right);
  }

  #readSpan(row: number, from: number, to: number): void {
    if (row < 0 || row >= this.#rows) return;
    const last = Math.min(to, this.#columns - 1);
    for (let column = Math.max(from, 0); column <= last;) {
      const block = (row >> 4) * (this.#columns >> 4) + (column >> 4);
      // A row's cells are adjacent in a block, so their points are one stretch.
      const end = Math.min(last, column | 15);
      const table = this.#blocks[block]!;
      if (table !== 0) {
        const at = (table - 1) * TABLE_WORDS + (row & 15) * 16;
        this.#readSlots(this.#tables[at + (column & 15)]!, this.#tables[at + (end & 15) + 1]!);
      }
      column = end + 1;
    }
  }

  #readSlots(from: number, to: number): void {
    const state = this.#state;
    for (let slot = from; slot < to; slot++) {
      const x = this.#xy[2 * slot]! - state[0]!;
      const y = this.#xy[2 * slot + 1]! - state[1]!;
      const square = x * x + y * y;
      if (square > state[2]!) continue;
      const isTie = square === state[2]! && this.#best >= 0;
      if (isTie && this.#ranks[slot]! > this.#ranks[this.#best]!) continue;
      state[2] = square;
      this.#best = slot;
    }
  }
}

export function pointsInBox(
  points: SortedPoints,
  [west, south, east, north]: Bounds,
  visit: (rank: number, x: number, y: number) => void,
): void {
  const { ranks, xy } = points;
  for (const [from, to] of stretchesIn(points, [west, south, east, north])) {
    for (let slot = from; slot < to; slot++) {
      const [x, y] = [xy[2 * slot]!, xy[2 * slot + 1]!];
      if (x >= west && x <= east && y >= south && y <= north) visit(ranks[slot]!, x, y);
    }
  }
}

function* stretchesIn(
  { grid, blocks, tables }: SortedPoints,
  [west, south, east, north]: Bounds,
): Generator<readonly [from: number, to: number]> {
  const { originX, originY, cellM, blockColumns, blockRows } = grid;
  const cell = (value: number, origin: number, count: number): number =>
    Math.min(Math.max(Math.floor((value - origin) / cellM), 0), count - 1);
  const [left, right] = [west, east].map((x) => cell(x, originX, blockColumns * 16)) as [
    number,
    number,
  ];
  const [low, high] = [south, north].map((y) => cell(y, originY, blockRows * 16)) as [
    number,
    number,
  ];
  for (let row = low; row <= high; row++) {
    for (let column = left; column <= right; column++) {
      const table = blocks[(row >> 4) * blockColumns + (column >> 4)]!;
      if (table === 0) continue;
      const at = (table - 1) * TABLE_WORDS + (row & 15) * 16 + (column & 15);
      yield [tables[at]!, tables[at + 1]!];
    }
  }
}

function cellId(
  { originX, originY, cellM, blockColumns }: GridShape,
  x: number,
  y: number,
): number {
  const column = Math.floor((x - originX) / cellM);
  const row = Math.floor((y - originY) / cellM);
  const block = (row >> 4) * blockColumns + (column >> 4);
  return block * BLOCK_CELLS + (row & 15) * 16 + (column & 15);
}

function buildTables(
  { blockColumns, blockRows }: GridShape,
  cells: Uint32Array,
): { blocks: Uint32Array; tables: Uint32Array } {
  const blocks = new Uint32Array(blockColumns * blockRows);
  for (const cell of cells) blocks[cell >>> 8] = 1;
  let used = 0;
  for (let block = 0; block < blocks.length; block++) {
    if (blocks[block] === 1) blocks[block] = ++used;
  }
  const tables = new Uint32Array(used * TABLE_WORDS);
  const wordOf = (cell: number): number => (blocks[cell >>> 8]! - 1) * TABLE_WORDS + (cell & 255);
  for (const cell of cells) tables[wordOf(cell)]! += 1;
  let start = 0;
  for (let word = 0; word < tables.length; word++) {
    const count = tables[word]!;
    tables[word] = start;
    start += count;
  }
  return { blocks, tables };
}
