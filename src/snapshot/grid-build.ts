import { growingWords } from '../geo/growing.ts';
import { BLOCK_CELLS, BLOCK_SHIFT, RUN, TOUCH_M } from './grid.ts';
import type { GridShape } from './grid.ts';
import { layOut } from './grid-layout.ts';
import type { Grid } from './grid-layout.ts';
import { boxWithin, joinBoxes } from './run-box.ts';

/** A centre closer to an edge cannot start a path. */
const AMBIGUOUS_M = 1e-5;
const TOGGLED = 1;
const AMBIGUOUS = 2;

interface Window {
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly columns: number;
  readonly rows: number;
}

export class GridBuilder {
  readonly #shape: GridShape;
  readonly #xy: Float64Array;
  readonly #zoneBits: Uint32Array;
  readonly #runCell = growingWords();
  readonly #runWord = growingWords();
  readonly #runStart = growingWords();
  readonly #runCount = growingWords();
  readonly #runBox = growingWords();
  /** The touched cell's south-west corner, then the edge's ends. */
  readonly #clip = new Float64Array(6);
  readonly #coverCell = growingWords();
  readonly #coverFeature = growingWords();
  #window: Window = { firstColumn: 0, firstRow: 0, columns: 0, rows: 0 };
  /** Per window cell: the last run that touched it, plus one. */
  #lastRun = new Uint32Array(64);
  #marks = new Uint8Array(64);

  constructor(shape: GridShape, xy: Float64Array, zoneBits: Uint32Array) {
    this.#shape = shape;
    this.#xy = xy;
    this.#zoneBits = zoneBits;
  }

  /**
   * `word`: the feature's number and flags, or a zone edge. `rings`: first vertices and the end.
   * Only an area has an inside.
   */
  add(word: number, rings: Uint32Array, isArea: boolean): void {
    const first = rings[0]!;
    const end = rings[rings.length - 1]!;
    if (first === end) return;
    this.#openWindow(first, end);
    const runsBefore = this.#runCell.length;
    for (let r = 0; r + 1 < rings.length; r++) {
      for (let edge = rings[r]!; edge + 1 < rings[r + 1]!; edge++) {
        this.#touchCells(edge, word);
        if (isArea) this.#crossRows(edge);
      }
    }
    if (isArea) this.#sweepRows(word);
    this.#closeRuns(runsBefore);
  }

  finish(): Grid {
    return layOut(
      this.#shape.blockColumns * this.#shape.blockRows,
      {
        cell: this.#runCell.view(),
        word: this.#runWord.view(),
        start: this.#runStart.view(),
        count: this.#runCount.view(),
        box: this.#runBox.view(),
      },
      { cell: this.#coverCell.view(), feature: this.#coverFeature.view() },
    );
  }

  #openWindow(first: number, end: number): void {
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let v = first; v < end; v++) {
      minX = Math.min(minX, this.#xy[2 * v]!);
      maxX = Math.max(maxX, this.#xy[2 * v]!);
      minY = Math.min(minY, this.#xy[2 * v + 1]!);
      maxY = Math.max(maxY, this.#xy[2 * v + 1]!);
    }
    const firstColumn = this.#column(minX - TOUCH_M);
    const firstRow = this.#row(minY - TOUCH_M);
    const columns = this.#column(maxX + TOUCH_M) - firstColumn + 1;
    const rows = this.#row(maxY + TOUCH_M) - firstRow + 1;
    this.#window = { firstColumn, firstRow, columns, rows };
    const cells = columns * rows;
    if (cells > this.#marks.length) {
      this.#lastRun = new Uint32Array(2 * cells);
      this.#marks = new Uint8Array(2 * cells);
    } else {
      this.#lastRun.fill(0, 0, cells);
      this.#marks.fill(0, 0, cells);
    }
  }

  #column(x: number): number {
    return Math.floor((x - this.#shape.originX) / this.#shape.cellM);
  }

  #row(y: number): number {
    return Math.floor((y - this.#shape.originY) / this.#shape.cellM);
  }

  #touchCells(edge: number, word: number): void {
    const { originX, originY, cellM } = this.#shape;
    const xy = this.#xy;
    const ax = xy[2 * edge]!;
    const ay = xy[2 * edge + 1]!;
    const bx = xy[2 * edge + 2]!;
    const by = xy[2 * edge + 3]!;
    const minX = Math.min(ax, bx);
    const maxX = Math.max(ax, bx);
    const minY = Math.min(ay, by);
    const maxY = Math.max(ay, by);
    const firstRow = this.#row(minY - TOUCH_M);
    const lastRow = this.#row(maxY + TOUCH_M);
    const slope = by === ay ? 0 : (bx - ax) / (by - ay);
    for (let row = firstRow; row <= lastRow; row++) {
      let left = minX;
      let right = maxX;
      if (lastRow > firstRow && by !== ay) {
        const low = Math.max(minY, originY + row * cellM - TOUCH_M);
        const high = Math.min(maxY, originY + (row + 1) * cellM + TOUCH_M);
        const atLow = ax + (low - ay) * slope;
        const atHigh = ax + (high - ay) * slope;
        left = Math.max(minX, Math.min(atLow, atHigh));
        right = Math.min(maxX, Math.max(atLow, atHigh));
      }
      const lastColumn = this.#column(right + TOUCH_M);
      for (let column = this.#column(left - TOUCH_M); column <= lastColumn; column++) {
        this.#clip[0] = originX + column * cellM;
        this.#clip[1] = originY + row * cellM;
        this.#touch(this.#cellInWindow(column, row), edge, word);
        this.#markIfNearCentre(edge, column, row);
      }
    }
  }

  #cellInWindow(column: number, row: number): number {
    const { firstColumn, firstRow, columns } = this.#window;
    return (row - firstRow) * columns + (column - firstColumn);
  }

  #touch(cell: number, edge: number, word: number): void {
    this.#clip.set(this.#xy.subarray(2 * edge, 2 * edge + 4), 2);
    const box = boxWithin(this.#clip, this.#shape.cellM);
    const zone = ((this.#zoneBits[edge >>> 5]! >>> (edge & 31)) & 1) === 1 ? RUN.hasZone : 0;
    const last = this.#lastRun[cell]!;
    if (last > 0) {
      const run = last - 1;
      const end = this.#runStart.items[run]! + this.#runCount.items[run]!;
      if (end === edge) {
        this.#runCount.items[run]! += 1;
        this.#runWord.items[run] = (this.#runWord.items[run]! | zone) >>> 0;
        this.#runBox.items[run] = joinBoxes(this.#runBox.items[run]!, box);
        return;
      }
    }
    this.#runCell.push(cell);
    this.#runWord.push((word | zone) >>> 0);
    this.#runStart.push(edge);
    this.#runCount.push(1);
    this.#runBox.push(box);
    this.#lastRun[cell] = this.#runCell.length;
  }

  #markIfNearCentre(edge: number, column: number, row: number): void {
    const { originX, originY, cellM } = this.#shape;
    const x = originX + (column + 0.5) * cellM;
    const y = originY + (row + 0.5) * cellM;
    const ax = this.#xy[2 * edge]! - x;
    const ay = this.#xy[2 * edge + 1]! - y;
    const bx = this.#xy[2 * edge + 2]! - x;
    const by = this.#xy[2 * edge + 3]! - y;
    if (Math.min(ax, bx) > AMBIGUOUS_M || Math.max(ax, bx) < -AMBIGUOUS_M) return;
    if (Math.min(ay, by) > AMBIGUOUS_M || Math.max(ay, by) < -AMBIGUOUS_M) return;
    const length = Math.hypot(bx - ax, by - ay);
    if (Math.abs(ax * by - ay * bx) > AMBIGUOUS_M * length) return;
    this.#marks[this.#cellInWindow(column, row)]! |= AMBIGUOUS;
  }

  /** Toggles the first centre to the right of each crossing. */
  #crossRows(edge: number): void {
    const { originX, originY, cellM } = this.#shape;
    const { firstColumn, columns } = this.#window;
    const ax = this.#xy[2 * edge]!;
    const ay = this.#xy[2 * edge + 1]!;
    const bx = this.#xy[2 * edge + 2]!;
    const by = this.#xy[2 * edge + 3]!;
    const last = this.#row(Math.max(ay, by));
    for (let row = this.#row(Math.min(ay, by)); row <= last; row++) {
      const y = originY + (row + 0.5) * cellM;
      if (ay > y === by > y) continue;
      const x = ax + ((y - ay) * (bx - ax)) / (by - ay);
      const column = Math.max(firstColumn, Math.ceil((x - originX) / cellM - 0.5));
      if (column - firstColumn < columns) this.#marks[this.#cellInWindow(column, row)]! ^= TOGGLED;
    }
  }

  #sweepRows(word: number): void {
    const { columns, rows, firstColumn, firstRow } = this.#window;
    for (let row = 0; row < rows; row++) {
      let inside = 0;
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column;
        const mark = this.#marks[cell]!;
        inside ^= mark & TOGGLED;
        this.#marks[cell] = (mark & AMBIGUOUS) | inside;
        if (inside === 1 && this.#lastRun[cell] === 0) {
          this.#coverCell.push(this.#cellId(firstColumn + column, firstRow + row));
          this.#coverFeature.push((word & RUN.feature) >>> 0);
        }
      }
    }
  }

  #closeRuns(from: number): void {
    const { columns, firstColumn, firstRow } = this.#window;
    for (let run = from; run < this.#runCell.length; run++) {
      const cell = this.#runCell.items[run]!;
      const mark = this.#marks[cell]!;
      let word = this.#runWord.items[run]!;
      if ((mark & AMBIGUOUS) !== 0) word |= RUN.ambiguous;
      if ((mark & TOGGLED) !== 0) word |= RUN.centreInside;
      this.#runWord.items[run] = word >>> 0;
      const row = Math.floor(cell / columns);
      this.#runCell.items[run] = this.#cellId(firstColumn + (cell - row * columns), firstRow + row);
    }
  }

  #cellId(column: number, row: number): number {
    const block = (row >> BLOCK_SHIFT) * this.#shape.blockColumns + (column >> BLOCK_SHIFT);
    return block * BLOCK_CELLS + (row & 15) * 16 + (column & 15);
  }
}
