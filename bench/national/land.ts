/**
 * Where things lie in the invented country of the benchmarks: about 43,000 km² of land in the places
 * of Denmark's, clustered unevenly, the same on every machine. A smaller scale is a smaller country
 * of the same density.
 */

import type { PointUtm32 } from '../../src/geo/point.ts';

/** Deterministic numbers in [0, 1). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Roughly normal, mean 0 and deviation 1. */
export function normalFrom(random: Random): number {
  return random() + random() + random() + random() + random() + random() - 3;
}

/** To the centimetre, as registers deliver. */
export function toCentimetre(metres: number): number {
  return Math.round(metres * 100) / 100;
}

/** The main land masses as ellipses, metres in EPSG:25832. */
const MASSES = [
  { x: 520_000, y: 6_250_000, halfWidth: 58_000, halfHeight: 160_000 },
  { x: 590_000, y: 6_130_000, halfWidth: 32_000, halfHeight: 32_000 },
  { x: 680_000, y: 6_150_000, halfWidth: 42_000, halfHeight: 55_000 },
  { x: 660_000, y: 6_070_000, halfWidth: 30_000, halfHeight: 17_000 },
  { x: 876_000, y: 6_120_000, halfWidth: 16_000, halfHeight: 14_000 },
];

/** Side of a density tile, metres. */
export const TILE_M = 5_000;

export interface Tile {
  /** South-west corner. */
  readonly x: number;
  readonly y: number;
  /** Share of everything that lies here, before normalisation. */
  readonly weight: number;
  /** Whether the sea is next door. */
  readonly isCoast: boolean;
}

export class Land {
  readonly scale: number;
  readonly tiles: readonly Tile[];

  /** `scale` 1 is the whole country; 0.01 a hundredth of its land. */
  constructor(scale: number) {
    this.scale = scale;
    const random = randomFrom(1);
    const tiles: Tile[] = [];
    for (let x = 440_000; x < 900_000; x += TILE_M) {
      for (let y = 6_040_000; y < 6_420_000; y += TILE_M) {
        const weight = Math.exp(1.1 * normalFrom(random));
        const middle = { x: x + TILE_M / 2, y: y + TILE_M / 2 };
        if (!this.isLand(middle.x, middle.y)) continue;
        const isCoast = [-1, 1].some(
          (step) =>
            !this.isLand(middle.x + step * TILE_M, middle.y) ||
            !this.isLand(middle.x, middle.y + step * TILE_M),
        );
        tiles.push({ x, y, weight, isCoast });
      }
    }
    this.tiles = tiles;
  }

  isLand(x: number, y: number): boolean {
    const shrink = Math.sqrt(this.scale);
    return MASSES.some(
      (mass) =>
        ((x - mass.x) / (mass.halfWidth * shrink)) ** 2 +
          ((y - mass.y) / (mass.halfHeight * shrink)) ** 2 <=
        1,
    );
  }

  /** How many of `total` lie in each tile (whole numbers that sum to about `total`). */
  spread(total: number, options: { readonly coast?: boolean; readonly seed: number }): number[] {
    const random = randomFrom(options.seed);
    const weights = this.tiles.map(({ weight, isCoast }) => {
      const own = weight * Math.exp(0.7 * normalFrom(random));
      return options.coast === true && !isCoast ? 0 : own;
    });
    const sum = weights.reduce((a, b) => a + b, 0) || 1;
    let owed = 0;
    return weights.map((weight) => {
      owed += (total * weight) / sum;
      const now = Math.floor(owed);
      owed -= now;
      return now;
    });
  }

  /** Places to look up, x and y in turn: half anywhere on land, half where most things are. */
  places(count: number, seed: number): Float64Array {
    const random = randomFrom(seed);
    const heavy = [...this.tiles].sort((a, b) => b.weight - a.weight);
    const few = heavy.slice(0, Math.max(1, Math.floor(heavy.length / 4)));
    const xy = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) {
      const among = i % 2 === 0 ? this.tiles : few;
      const tile = among[Math.floor(random() * among.length)]!;
      xy[2 * i] = toCentimetre(tile.x + TILE_M * random());
      xy[2 * i + 1] = toCentimetre(tile.y + TILE_M * random());
    }
    return xy;
  }
  /** The same places as points. */
  points(count: number, seed: number): PointUtm32[] {
    return pointsOf(this.places(count, seed));
  }
}

/** x and y in turn as points. */
export function pointsOf(xy: Float64Array): PointUtm32[] {
  return Array.from({ length: xy.length / 2 }, (_, i) => {
    return { xUtm32: xy[2 * i]!, yUtm32: xy[2 * i + 1]! };
  });
}
