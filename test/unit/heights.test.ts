/** Heights between cells: the arithmetic of D119, and which boxes hold a point. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoxGrid } from '../../src/geo/box-grid.ts';
import { areOneGrid, boxOfGrid, heightBetween, heightOf, placeIn } from '../../src/geo/heights.ts';
import type { RasterGrid } from '../../src/geo/heights.ts';

const GRID: RasterGrid = {
  ...{ west: 600_000, north: 6_200_000, cellX: 10, cellY: 5, columns: 4, rows: 3 },
};

// Between cells, over a slope: test/unit/terrain-tiles.test.ts and test/edge/kote.test.ts.
test('the four cells around a point reach out of the raster within half a cell of its edge', () => {
  const at = (xUtm32: number, yUtm32: number) => placeIn(GRID, { xUtm32, yUtm32 });
  expect(at(600_001, 6_199_999)).toMatchObject({ column: -1, row: -1 });
  expect(at(600_039, 6_199_986)).toMatchObject({ column: 3, row: 2 });
});

const middle = { east: 0.5, south: 0.5 };
const { cellX, cellY } = GRID;
const size = { cellX, cellY };

describe('a height', () => {
  test('is a weighted mean of four', () => {
    expect(heightBetween([0, 10, 20, 30], { east: 0.25, south: 0.5 }, size)).toBe(12.5);
    expect(heightBetween([-2, -2, -2, -2], middle, size)).toBe(-2);
  });

  test('is the nearest that is there where one is missing, in metres and not in cells', () => {
    expect(heightBetween([NaN, 1, 2, 3], { east: 0.4, south: 0.4 }, size)).toBe(2);
    expect(heightBetween([NaN, 1, 2, 3], { east: 0.9, south: 0.1 }, size)).toBe(1);
    expect(heightBetween([NaN, NaN, NaN, 7], { east: 0, south: 0 }, size)).toBe(7);
    expect(heightBetween([5, NaN, NaN, NaN], { east: 0, south: 0 }, size)).toBe(5);
  });

  test('is null, never 0, where none is there; and 0 is a height', () => {
    expect(heightBetween([NaN, NaN, NaN, NaN], middle, size)).toBeNull();
    expect(heightBetween([0, 0, 0, 0], middle, size)).toBe(0);
    expect(heightBetween([NaN, 0, NaN, NaN], middle, size)).toBe(0);
  });
});

test.each([
  [12.5, -9999, 12.5],
  [0, -9999, 0],
  [0, 0, NaN],
  [-9999, -9999, NaN],
  [-9999, null, NaN],
  [-100, null, -100],
  [-100.01, null, NaN],
  [400, null, 400],
  [400.01, null, NaN],
  [9.9e37, null, NaN],
  [-3.4028234663852886e38, null, NaN],
  [Infinity, null, NaN],
  [NaN, null, NaN],
  [NaN, NaN, NaN],
])('a cell of %d in a raster with the mark %s tells %d', (value, noData, height) => {
  expect(heightOf(value, noData)).toBe(height);
});

test('two rasters are one where their cells are the same, and not beside, or of another size', () => {
  expect(areOneGrid(GRID, { ...GRID, west: 600_040 })).toBe(true);
  expect(areOneGrid(GRID, { ...GRID, north: 6_199_985 })).toBe(true);
  expect(areOneGrid(GRID, { ...GRID, west: 600_045 })).toBe(false);
  expect(areOneGrid(GRID, { ...GRID, cellY: 10 })).toBe(false);
});

describe('the boxes that hold a point', () => {
  test('are those that a look at every one finds', () => {
    const coordinate = fc.integer({ min: 400_000, max: 440_000 });
    const side = fc.integer({ min: 1, max: 20_000 });
    const box = fc
      .tuple(coordinate, coordinate, side, side)
      .map(([minX, minY, dx, dy]) => ({ minX, minY, maxX: minX + dx, maxY: minY + dy }));
    fc.assert(
      fc.property(fc.array(box, { maxLength: 30 }), coordinate, coordinate, (boxes, x, y) => {
        const found = new BoxGrid(boxes).at({ xUtm32: x, yUtm32: y });
        const all = boxes.flatMap(({ minX, minY, maxX, maxY }, n) =>
          x >= minX && x <= maxX && y >= minY && y <= maxY ? [n] : [],
        );
        expect(found).toEqual(all);
      }),
    );
  });

  test('hold their own edges', () => {
    const { minX, minY, maxX, maxY } = boxOfGrid(GRID);
    const grid = new BoxGrid([boxOfGrid(GRID)]);
    expect([minX, maxX, minY, maxY]).toEqual([600_000, 600_040, 6_199_985, 6_200_000]);
    for (const xUtm32 of [minX, maxX]) {
      for (const yUtm32 of [minY, maxY]) expect(grid.at({ xUtm32, yUtm32 })).toEqual([0]);
    }
    expect(grid.at({ xUtm32: maxX + 0.01, yUtm32: maxY })).toEqual([]);
  });
});
