/**
 * Builds the grid of `grid.ts`: which edges touch each cell, and which features hold its centre.
 * Each feature is walked once along its edges (cells touched, rows crossed), then its rows are
 * swept from the left to tell the centres inside it from those outside.
 */
import { growingWords } from '../geo/growing.ts';
import {
  BLOCK_CELLS,
  BLOCK_SHIFT,
  FEATURE_OF_UNIFORM,
  RUN,
  RUN_WORDS,
  TOUCH_M,
  UNIFORM,
} from './grid.ts';
import type { GridShape } from './grid.ts';

export interface Grid {
  readonly blocks: Uint32Array;
  readonly tables: Uint32Array;
  readonly lists: Uint32Array;
}

/** A centre nearer an edge than this is no start for a path, metres. */
const AMBIGUOUS_M = 1e-5;
const TOGGLED = 1;
const AMBIGUOUS = 2;

/** Cells of one feature's box, rows of `columns` cells from (firstColumn, firstRow). */
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
   * Enters a feature (`word`: its number and flags) or a zone edge. `rings` are first vertices, one
   * more than there are rings. Only an area has an inside.
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
    const { originY, cellM } = this.#shape;
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
    const zone = ((this.#zoneBits[edge >>> 5]! >>> (edge & 31)) & 1) === 1 ? RUN.hasZone : 0;
    const last = this.#lastRun[cell]!;
    if (last > 0) {
      const run = last - 1;
      const end = this.#runStart.items[run]! + this.#runCount.items[run]!;
      if (end === edge) {
        this.#runCount.items[run]! += 1;
        this.#runWord.items[run] = (this.#runWord.items[run]! | zone) >>> 0;
        return;
      }
    }
    this.#runCell.push(cell);
    this.#runWord.push((word | zone) >>> 0);
    this.#runStart.push(edge);
    this.#runCount.push(1);
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

  /** Toggles, in each row whose centre line the edge crosses, the first centre right of it. */
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

  /** Gives the feature's runs what the sweep found, and their cells' own numbers. */
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

interface Runs {
  readonly cell: Uint32Array;
  readonly word: Uint32Array;
  readonly start: Uint32Array;
  readonly count: Uint32Array;
}

interface Covers {
  readonly cell: Uint32Array;
  readonly feature: Uint32Array;
}

function layOut(blockCount: number, runs: Runs, covers: Covers): Grid {
  const { blocks, tableCount } = numberTables(blockCount, runs, covers);
  const cells = tableCount * BLOCK_CELLS;
  const runsIn = new Uint32Array(cells);
  const coversIn = new Uint32Array(cells);
  const tableCell = (cell: number): number => {
    const word = blocks[cell >>> 8]!;
    return word >= UNIFORM ? -1 : (word - 1) * BLOCK_CELLS + (cell & 255);
  };
  for (const cell of runs.cell) runsIn[tableCell(cell)]! += 1;
  for (const cell of covers.cell) {
    const at = tableCell(cell);
    if (at >= 0) coversIn[at]! += 1;
  }
  const { tables, words } = numberLists(runsIn, coversIn);
  const lists = new Uint32Array(words);
  fillCovers({ tables, lists, runsIn, coversIn }, covers, tableCell);
  fillRuns({ tables, lists, runsIn, coversIn }, runs, tableCell);
  return { blocks, tables, lists };
}

/** A table for every block that is not empty and not one feature's inside. */
function numberTables(
  blockCount: number,
  runs: Runs,
  covers: Covers,
): { blocks: Uint32Array; tableCount: number } {
  const blocks = new Uint32Array(blockCount);
  const covered = new Uint32Array(blockCount);
  const coveredBy = new Uint32Array(blockCount);
  for (const cell of runs.cell) blocks[cell >>> 8] = 1;
  for (let i = 0; i < covers.cell.length; i++) {
    const block = covers.cell[i]! >>> 8;
    if (covered[block] === 0) coveredBy[block] = covers.feature[i]!;
    else if (coveredBy[block] !== covers.feature[i]) blocks[block] = 1;
    covered[block]! += 1;
  }
  let tableCount = 0;
  for (let block = 0; block < blockCount; block++) {
    if (blocks[block] === 0 && covered[block] === BLOCK_CELLS) {
      blocks[block] = UNIFORM + coveredBy[block]!;
    } else if (blocks[block] === 1 || covered[block]! > 0) {
      tableCount += 1;
      blocks[block] = tableCount;
    }
  }
  return { blocks, tableCount };
}

/** Offsets in the lists for cells with more than a single cover. Offset 0 is never given out. */
function numberLists(
  runsIn: Uint32Array,
  coversIn: Uint32Array,
): { tables: Uint32Array; words: number } {
  const tables = new Uint32Array(runsIn.length);
  let words = 1;
  for (let cell = 0; cell < tables.length; cell++) {
    const isSimple = runsIn[cell] === 0 && coversIn[cell]! <= 1;
    if (isSimple) continue;
    tables[cell] = words;
    words += 2 + coversIn[cell]! + RUN_WORDS * runsIn[cell]!;
  }
  if (words >= UNIFORM) throw new Error('A layer has more runs than a grid can number.');
  return { tables, words };
}

interface Filling {
  readonly tables: Uint32Array;
  readonly lists: Uint32Array;
  readonly runsIn: Uint32Array;
  readonly coversIn: Uint32Array;
}

function fillCovers(
  { tables, lists, coversIn }: Filling,
  covers: Covers,
  tableCell: (cell: number) => number,
): void {
  for (let i = 0; i < covers.cell.length; i++) {
    const cell = tableCell(covers.cell[i]!);
    if (cell < 0) continue;
    const feature = covers.feature[i]! & FEATURE_OF_UNIFORM;
    if (tables[cell] === 0) {
      tables[cell] = UNIFORM + feature;
      coversIn[cell] = 0;
    } else if (tables[cell]! < UNIFORM) {
      const list = tables[cell]!;
      lists[list + 2 + lists[list]!] = feature;
      lists[list]! += 1;
    }
  }
}

function fillRuns(
  { tables, lists, runsIn }: Filling,
  runs: Runs,
  tableCell: (cell: number) => number,
): void {
  runsIn.fill(0);
  for (let i = 0; i < runs.cell.length; i++) {
    const cell = tableCell(runs.cell[i]!);
    const list = tables[cell]!;
    const at = list + 2 + lists[list]! + RUN_WORDS * runsIn[cell]!;
    lists[at] = runs.word[i]!;
    lists[at + 1] = runs.start[i]!;
    lists[at + 2] = runs.count[i]!;
    runsIn[cell]! += 1;
    lists[list + 1] = runsIn[cell]!;
  }
}
