/** From which cells nothing is near: held against every pair of cells, one by one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNIFORM } from '../../src/snapshot/grid.ts';
import { nearCells } from '../../src/snapshot/near-cells.ts';

const CELL_M = 250;
const ACROSS = 3;
const UP = 2;

/** A layer of some cells with edges, some that a feature holds, and perhaps a block held whole. */
interface Drawn {
  readonly edges: readonly number[];
  readonly held: readonly number[];
  readonly uniform: number | null;
}

const cellCount = ACROSS * UP * 256;
const drawn: fc.Arbitrary<Drawn> = fc.record({
  edges: fc.uniqueArray(fc.nat(cellCount - 1), { maxLength: 5 }),
  held: fc.uniqueArray(fc.nat(cellCount - 1), { maxLength: 5 }),
  uniform: fc.option(fc.nat(ACROSS * UP - 1)),
});

/** Column and row of the nth cell, block by block as the tables have them. */
function placeOf(cell: number): { readonly column: number; readonly row: number } {
  const block = cell >>> 8;
  const column = (block % ACROSS) * 16 + (cell & 15);
  return { column, row: Math.floor(block / ACROSS) * 16 + ((cell >>> 4) & 15) };
}

function layerOf({ edges, held, uniform }: Drawn) {
  const blocks = Uint32Array.from({ length: ACROSS * UP }, (_, block) =>
    block === uniform ? UNIFORM + 3 : block + 1,
  );
  const tables = new Uint32Array(cellCount);
  const edged = new Uint16Array(cellCount / 16);
  for (const cell of held) tables[cell] = UNIFORM + 7;
  for (const cell of edges) {
    tables[cell] = 40 + cell;
    edged[cell >>> 4]! |= 1 << (cell & 15);
  }
  const grid = { originX: 0, originY: 0, cellM: CELL_M, blockColumns: ACROSS, blockRows: UP };
  return { grid, blocks, tables, edged };
}

/** Metres between two cells at the least. */
function gapM(a: number, b: number): number {
  const [p, q] = [placeOf(a), placeOf(b)];
  const across = Math.max(0, Math.abs(p.column - q.column) - 1);
  const up = Math.max(0, Math.abs(p.row - q.row) - 1);
  return CELL_M * Math.hypot(across, up);
}

test('says near of every cell that something may be near, and of few others', () => {
  fc.assert(
    fc.property(drawn, fc.constantFrom(0, 100, 250, 499, 500, 730, 2_000), (layer, reachM) => {
      const near = nearCells(layerOf(layer), reachM)!;
      const edges = layer.edges.filter((cell) => cell >>> 8 !== layer.uniform);
      for (let cell = 0; cell < cellCount; cell++) {
        const { column, row } = placeOf(cell);
        const says = ((near[row * ACROSS + (column >> 4)]! >>> (column & 15)) & 1) === 1;
        const isHeld =
          cell >>> 8 === layer.uniform || layer.held.includes(cell) || edges.includes(cell);
        const least = Math.min(...edges.map((edge) => gapM(cell, edge)), Infinity);
        if (isHeld || least <= reachM) expect(says).toBe(true);
        else if (least > reachM + 2) expect(says).toBe(false);
      }
    }),
    { numRuns: 60, seed: 11 },
  );
});

test('is not worth while for a reach of many cells', () => {
  const layer = layerOf({ edges: [0], held: [], uniform: null });
  expect(nearCells(layer, 14 * CELL_M)).toBeNull();
  expect(nearCells(layer, 13 * CELL_M)).not.toBeNull();
});
