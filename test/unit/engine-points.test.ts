import { describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { sortPoints, NearestPointEngine } from '../../src/snapshot/points.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;

function engineOf(xy: readonly number[]): NearestPointEngine {
  return new NearestPointEngine(sortPoints(Float64Array.from(xy)));
}

function plainNearest(xy: readonly number[], point: PointUtm32, radiusM: number): number {
  let best = -1;
  let least = radiusM ** 2;
  for (let i = 0; 2 * i < xy.length; i++) {
    const square = (xy[2 * i]! - point.xUtm32) ** 2 + (xy[2 * i + 1]! - point.yUtm32) ** 2;
    if (square < least || (square === least && best < 0)) {
      best = i;
      least = square;
    }
  }
  return best;
}

describe('the nearest point in memory', () => {
  it('equals looking at every point, at any radius', () => {
    const random = randomFrom(1);
    // Clusters on a metre lattice: many ties.
    const xy = Array.from({ length: 4_000 }, (_, i) => {
      const cluster = Math.floor(i / 400);
      const spread = 30 * (cluster + 1) * random();
      return (i % 2 === 0 ? X : Y) + 700 * cluster + Math.floor(spread);
    });
    const engine = engineOf(xy);
    for (let i = 0; i < 800; i++) {
      const point = {
        xUtm32: X - 500 + Math.floor(14_000 * random()) / 2,
        yUtm32: Y - 500 + Math.floor(14_000 * random()) / 2,
      };
      const radiusM = [1, 50, 250, 1_000][i % 4]!;
      const plain = plainNearest(xy, point, radiusM);
      const slot = engine.nearest(point, radiusM);
      expect(slot < 0 ? -1 : engine.points.ranks[slot]).toBe(plain);
      if (slot < 0) continue;
      const [x, y] = [xy[2 * plain]! - point.xUtm32, xy[2 * plain + 1]! - point.yUtm32];
      expect(engine.distanceM).toBeCloseTo(Math.hypot(x, y), 9);
    }
  });

  it('gives the lowest rank of thousands at one place', () => {
    const engine = engineOf(Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? X : Y)));
    expect(engine.points.ranks[engine.nearest({ xUtm32: X + 3, yUtm32: Y + 4 }, 5)]).toBe(0);
    expect(engine.distanceM).toBe(5);
    expect(engine.nearest({ xUtm32: X + 3, yUtm32: Y + 4 }, 4.999)).toBe(-1);
  });

  it('finds nothing where there is nothing', () => {
    expect(engineOf([]).nearest({ xUtm32: X, yUtm32: Y }, 1_000)).toBe(-1);
    expect(engineOf([X, Y]).nearest({ xUtm32: X + 90_000, yUtm32: Y }, 1_000)).toBe(-1);
  });
});
