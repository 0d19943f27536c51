import type { Box } from './box.ts';
import type { PointUtm32 } from './point.ts';

/** A tile of the national model is one kilometre, or ten. */
const SQUARE_M = 5_000;
/** More columns than the country has. */
const STRIDE = 1_000_000;

export class BoxGrid {
  readonly #boxes: readonly Box[];
  readonly #squares = new Map<number, number[]>();

  constructor(boxes: readonly Box[]) {
    this.#boxes = boxes;
    for (const [n, { minX, minY, maxX, maxY }] of boxes.entries()) {
      for (let row = squareOf(minY); row <= squareOf(maxY); row++) {
        for (let column = squareOf(minX); column <= squareOf(maxX); column++) {
          this.#put(row * STRIDE + column, n);
        }
      }
    }
  }

  #put(square: number, n: number): void {
    const there = this.#squares.get(square);
    if (there === undefined) this.#squares.set(square, [n]);
    else there.push(n);
  }

  at({ xUtm32, yUtm32 }: PointUtm32): number[] {
    const near = this.#squares.get(squareOf(yUtm32) * STRIDE + squareOf(xUtm32)) ?? [];
    return near.filter((n) => {
      const { minX, minY, maxX, maxY } = this.#boxes[n]!;
      return xUtm32 >= minX && xUtm32 <= maxX && yUtm32 >= minY && yUtm32 <= maxY;
    });
  }
}

function squareOf(metres: number): number {
  return Math.floor(metres / SQUARE_M);
}
