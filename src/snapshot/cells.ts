import type { PointUtm32 } from '../geo/point.ts';
import { BLOCK_CELLS, BLOCK_SHIFT, UNIFORM } from './grid.ts';
import type { GridShape } from './grid.ts';
import type { LayerSnapshot } from './layer.ts';

/** Shared by all readers of a thread to spare cache misses. */
export const foundCells = {
  lists: new Uint32Array(256),
  /** South-west corners, x and y in turn, relative to the point. */
  corners: new Float64Array(512),
};

const place = new Float64Array(4);

interface RowSpan {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly south: number;
}

export class CellReader {
  readonly at = place;
  readonly cellM: number;
  readonly #shape: GridShape;
  readonly #columns: number;
  readonly #rows: number;
  readonly #blocks: Uint32Array;
  readonly #tables: Uint32Array;
  /** By table, then row of its block: a bit per cell with edges. */
  readonly #edged: Uint16Array;
  readonly #perM: number;
  #column = 0;
  #row = 0;
  #found = 0;

  constructor({ meta, blocks, tables }: LayerSnapshot) {
    this.#shape = meta.grid;
    this.cellM = meta.grid.cellM;
    this.#perM = 1 / meta.grid.cellM;
    this.#columns = meta.grid.blockColumns << BLOCK_SHIFT;
    this.#rows = meta.grid.blockRows << BLOCK_SHIFT;
    this.#blocks = blocks;
    this.#tables = tables;
    this.#edged = edgedCells(tables);
  }

  moveTo({ xUtm32, yUtm32 }: PointUtm32): void {
    const { originX, originY, cellM } = this.#shape;
    this.#column = Math.floor((xUtm32 - originX) / cellM);
    this.#row = Math.floor((yUtm32 - originY) / cellM);
    place[0] = xUtm32;
    place[1] = yUtm32;
    place[2] = originX + (this.#column + 0.5) * cellM;
    place[3] = originY + (this.#row + 0.5) * cellM;
  }

  /** A uniform block's word applies to all its cells. */
  ownWord(): number {
    const column = this.#column;
    const row = this.#row;
    if (column < 0 || row < 0 || column >= this.#columns || row >= this.#rows) return 0;
    const block = this.#blockAt(column, row);
    return block === 0 || block >= UNIFORM ? block : this.#tableWord(block, column, row);
  }

  /**
   * Those with edges within the square `reach`, in ring `k` (0: the point's own); returns their
   * count.
   */
  readRing(k: number, reach: number): number {
    this.#found = 0;
    this.#makeRoom(8 * k + 1);
    const left = this.#column - k;
    const right = this.#column + k;
    const bottom = Math.max(this.#row - k, 0);
    const top = Math.min(this.#row + k, this.#rows - 1);
    for (let row = bottom; row <= top; row++) {
      if (row === this.#row - k || row === this.#row + k) {
        this.#readSpan(row, left, right, reach);
      } else {
        this.#readSpan(row, left, left, reach);
        this.#readSpan(row, right, right, reach);
      }
    }
    return this.#found;
  }

  /**
   * Those with edges within `reachM`, nearest rows first, as near finds spare later ones; returns
   * their count.
   */
  readNear(reachM: number): number {
    const rows = Math.ceil(reachM * this.#perM);
    this.#makeRoom((2 * rows + 1) ** 2);
    const { originX, originY } = this.#shape;
    const { cellM } = this;
    const perM = this.#perM;
    const own = this.#row;
    const lastColumn = this.#columns - 1;
    const east = place[0]! - originX;
    const north = place[1]! - originY;
    let found = 0;
    for (let step = 0; step <= 2 * rows; step++) {
      const row = own + ((step & 1) === 0 ? step >> 1 : -1 - (step >> 1));
      if (row < 0 || row >= this.#rows) continue;
      const south = row * cellM - north;
      const gap = south > 0 ? south : Math.min(0, south + cellM);
      const left = reachM * reachM - gap * gap;
      if (left < 0) continue;
      const half = Math.sqrt(left);
      if (east + half < 0) continue;
      // Truncated, not rounded down: below 0 there are no cells.
      const from = Math.max(0, ((east - half) * perM) | 0);
      const to = Math.min(lastColumn, ((east + half) * perM) | 0);
      found = this.#readRow(found, { row, from, to, south });
    }
    return found;
  }

  #makeRoom(cells: number): void {
    const most = Math.min(cells, this.#columns * this.#rows);
    if (most <= foundCells.lists.length) return;
    foundCells.lists = new Uint32Array(most);
    foundCells.corners = new Float64Array(2 * most);
  }

  /** Returns the count so far. */
  #readRow(before: number, { row, from, to, south }: RowSpan): number {
    const { lists, corners } = foundCells;
    const tables = this.#tables;
    const { cellM } = this;
    const west = this.#shape.originX - place[0]!;
    let found = before;
    for (let column = from; column <= to; column = (column | 15) + 1) {
      const block = this.#blockAt(column, row);
      if (block === 0 || block >= UNIFORM) continue;
      const last = Math.min(to, column | 15);
      const tableRow = (block - 1) * 16 + (row & 15);
      const bits = this.#edged[tableRow]! >>> (column & 15);
      if ((bits & ((2 << (last - column)) - 1)) === 0) continue;
      const table = 16 * tableRow - (column & ~15);
      for (let at = column; at <= last; at++) {
        // Branches are unpredictable here, so each cell is written before it is tested.
        const list = tables[table + at]!;
        lists[found] = list;
        corners[2 * found] = west + at * cellM;
        corners[2 * found + 1] = south;
        found += Number(list !== 0) & Number(list < UNIFORM);
      }
    }
    return found;
  }

  /** Most cells have no edges: their bits are skipped together. */
  #readSpan(row: number, from: number, to: number, reach: number): void {
    const south = this.#shape.originY + row * this.cellM - place[1]!;
    const y = south > 0 ? south : Math.min(0, south + this.cellM);
    if (y * y > reach) return;
    const last = Math.min(to, this.#columns - 1);
    for (let column = Math.max(from, 0); column <= last; column = (column | 15) + 1) {
      const block = this.#blockAt(column, row);
      if (block === 0 || block >= UNIFORM) continue;
      const left = column & ~15;
      let bits = this.#edged[(block - 1) * 16 + (row & 15)]! & (0xffff << (column & 15));
      if (last < left + 15) bits &= (2 << (last & 15)) - 1;
      for (; bits !== 0; bits &= bits - 1) {
        const cell = left + 31 - Math.clz32(bits & -bits);
        const list = this.#tables[(block - 1) * BLOCK_CELLS + (row & 15) * 16 + (cell & 15)]!;
        this.#offer(list, cell, south, reach - y * y);
      }
    }
  }

  #offer(list: number, column: number, south: number, reach: number): void {
    const west = this.#shape.originX + column * this.cellM - place[0]!;
    const x = west > 0 ? west : Math.min(0, west + this.cellM);
    if (x * x > reach) return;
    foundCells.lists[this.#found] = list;
    foundCells.corners[2 * this.#found] = west;
    foundCells.corners[2 * this.#found + 1] = south;
    this.#found += 1;
  }

  /** m², to the nearest cell of ring `k`. */
  ringDistance(k: number): number {
    if (k === 0) return 0;
    const offX = Math.abs(place[0]! - place[2]!);
    const offY = Math.abs(place[1]! - place[3]!);
    const gap = (k - 0.5) * this.cellM - Math.max(offX, offY);
    return gap > 0 ? gap * gap : 0;
  }

  /** Later rings lie outside the grid. */
  lastRing(): number {
    const acrossX = Math.max(this.#column, this.#columns - 1 - this.#column);
    return Math.max(acrossX, this.#row, this.#rows - 1 - this.#row, 0);
  }

  #blockAt(column: number, row: number): number {
    const block = (row >> BLOCK_SHIFT) * this.#shape.blockColumns + (column >> BLOCK_SHIFT);
    return this.#blocks[block]!;
  }

  #tableWord(block: number, column: number, row: number): number {
    return this.#tables[(block - 1) * BLOCK_CELLS + (row & 15) * 16 + (column & 15)]!;
  }
}

function edgedCells(tables: Uint32Array): Uint16Array {
  const edged = new Uint16Array(tables.length >>> 4);
  for (let cell = 0; cell < tables.length; cell++) {
    const list = tables[cell]!;
    if (list !== 0 && list < UNIFORM) edged[cell >>> 4]! |= 1 << (cell & 15);
  }
  return edged;
}
