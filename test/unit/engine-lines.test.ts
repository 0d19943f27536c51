/**
 * What test/store-contract/lines.test.ts does not hold the engine against the store with: cells of other sizes.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { AreaEngine } from '../../src/snapshot/areas.ts';
import { LineEngine } from '../../src/snapshot/lines.ts';
import { box, layerOf, pathsOf, plainAnswer, zoneEdgesOf } from '../support/layer-fixture.ts';
import type { PlainAnswer, Shape } from '../support/layer-fixture.ts';
import { amountOf } from '../support/run-settings.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 700_000;
const Y = 6_200_000;

function at(x: number, y: number): PointUtm32 {
  return { xUtm32: X + x, yUtm32: Y + y };
}

function expectSame(
  engine: LineEngine,
  point: PointUtm32,
  plain: PlainAnswer,
  radiusM: number,
): void {
  const idOf = (feature: number) => engine.snapshot.feature(feature).objectId;
  const { distanceM, repealed, hit, ...rest } = engine.measure(point, radiusM);
  const { distanceM: plainM, repealed: plainRepealed, ...plainRest } = plain;
  expect({ point, ...rest, hit: hit === null ? null : idOf(hit) }).toEqual({ point, ...plainRest });
  if (plainM === null || distanceM === null) expect(distanceM).toBe(plainM);
  else expect(Math.abs(distanceM - plainM)).toBeLessThan(1e-8);
  expect(Object.is(distanceM, -0)).toBe(false);
  expect(repealed.map(({ feature }) => idOf(feature))).toEqual(plainRepealed.map(({ id }) => id));
  for (const [i, { distanceM: signedM }] of repealed.entries()) {
    expect(Math.abs(signedM - plainRepealed[i]!.distanceM)).toBeLessThan(1e-8);
  }
}

/** Points over the shapes, near their edges, on their edges and on their corners. */
function probes(shapes: readonly Shape[], count: number, random: () => number): PointUtm32[] {
  const paths = shapes.flatMap(pathsOf).filter((path) => path.length >= 4);
  const points: PointUtm32[] = [];
  for (let i = 0; i < count; i++) {
    const path = paths[Math.floor(random() * paths.length)]!;
    const edge = 2 * Math.floor(random() * (path.length / 2 - 1));
    const along = i % 4 === 0 ? 0 : random();
    const off = i % 4 < 2 ? 0 : i % 4 === 2 ? 4 * random() - 2 : 2_000 * random() - 1_000;
    points.push({
      xUtm32: path[edge]! + along * (path[edge + 2]! - path[edge]!) + off,
      yUtm32: path[edge + 1]! + along * (path[edge + 3]! - path[edge + 1]!) + off * random(),
    });
  }
  return points;
}

describe('a building line in memory', () => {
  it('measures from deep inside, far beyond the radius', () => {
    const shapes: Shape[] = [{ id: 'a', polygons: [[box(X, Y, 20_000)]] }];
    const engine = new LineEngine(layerOf(shapes));
    expect(engine.measure(at(9_000, 8_000), 500)).toMatchObject({ distanceM: -8_000, count: 1 });
    expect(engine.measure(at(-9_000, 8_000), 500)).toMatchObject({ distanceM: null, count: 0 });
  });

  it('of a layer without features, and far outside one with some, is nothing', () => {
    const one = layerOf([{ id: 'a', polygons: [[box(X, Y, 100)]] }]);
    for (const layer of [layerOf([]), one]) {
      expect(new LineEngine(layer).measure(at(-1e9, 1e9), 500)).toMatchObject({ count: 0 });
      expect(new AreaEngine(layer).covering(at(-1e9, 1e9))).toEqual([]);
    }
  });

  it('is right where cell centres lie on edges and corners', () => {
    // Edges through every possible centre of a coarse grid: squares of one cell, corner on corner.
    const layer = layerOf([{ id: 'probe', polygons: [[box(X, Y, 1_000)]] }], { cellM: 64 });
    const { originX, originY } = layer.meta.grid;
    const shapes: Shape[] = [];
    for (let i = 0; i < 9; i++) {
      const [x, y] = [originX + 32 + 64 * (i % 3), originY + 32 + 64 * Math.floor(i / 3)];
      if (i % 2 === 0) shapes.push({ id: `s${i}`, polygons: [[box(x, y, 64)]] });
    }
    const zoneEdges = zoneEdgesOf(shapes);
    const frame: Shape = { id: 'frame', repealed: true, polygons: [[box(X, Y, 1_000)]] };
    const all = [...shapes, frame];
    const engine = new LineEngine(layerOf(all, { cellM: 64, zoneEdges }));
    expect(engine.snapshot.meta.grid.originX).toBe(originX);
    for (const point of probes(shapes, 500, randomFrom(12))) {
      expectSame(engine, point, plainAnswer(all, point, { radiusM: 300, zoneEdges }), 300);
    }
  });

  it('holds for any small integer geometry', () => {
    const coordinate = fc.integer({ min: 0, max: 12 });
    const triangle = fc.array(coordinate, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(triangle, { maxLength: 6 }), triangle, (rings, [px, py]) => {
        const shapes = rings.map((ring, i): Shape => {
          const path = [...ring, ring[0]!, ring[1]!].map((v, j) => v + (j % 2 === 0 ? X : Y));
          return { id: `t${i}`, repealed: i === 3, adopted: i % 2 === 0, polygons: [[path]] };
        });
        const zoneEdges = shapes.filter((s) => s.repealed !== true).flatMap(pathsOf);
        const engine = new LineEngine(layerOf(shapes, { cellM: 4, zoneEdges }));
        const point = at(px!, py!);
        expectSame(engine, point, plainAnswer(shapes, point, { radiusM: 3, zoneEdges }), 3);
      }),
      { numRuns: amountOf({ gate: 60, night: 2_000 }) },
    );
  });
});
