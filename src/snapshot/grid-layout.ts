import { BLOCK_CELLS, FEATURE_OF_UNIFORM, RUN_WORDS, UNIFORM } from './grid.ts';

export interface Grid {
  readonly blocks: Uint32Array;
  readonly tables: Uint32Array;
  readonly lists: Uint32Array;
}

export interface Runs {
  readonly cell: Uint32Array;
  readonly word: Uint32Array;
  readonly start: Uint32Array;
  readonly count: Uint32Array;
  readonly box: Uint32Array;
}

export interface Covers {
  readonly cell: Uint32Array;
  readonly feature: Uint32Array;
}

export function layOut(blockCount: number, runs: Runs, covers: Covers): Grid {
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
  fillCovers({ tables, lists, runsIn }, covers, tableCell);
  fillRuns({ tables, lists, runsIn }, runs, tableCell);
  return { blocks, tables, lists };
}

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

/** For cells with more than a single cover. Offset 0 is never used. */
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
}

function fillCovers(
  { tables, lists }: Filling,
  covers: Covers,
  tableCell: (cell: number) => number,
): void {
  for (let i = 0; i < covers.cell.length; i++) {
    const cell = tableCell(covers.cell[i]!);
    if (cell < 0) continue;
    const feature = covers.feature[i]! & FEATURE_OF_UNIFORM;
    if (tables[cell] === 0) {
      tables[cell] = UNIFORM + feature;
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
    lists[at + 3] = runs.box[i]!;
    runsIn[cell]! += 1;
    lists[list + 1] = runsIn[cell]!;
  }
}
