import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { LineEngine } from '../../src/snapshot/lines.ts';
import type { LineMeasure } from '../../src/snapshot/lines.ts';
import { box, layerOf, pathsOf, plainAnswer, star, zoneEdgesOf } from '../support/layer-fixture.ts';
import type { Path, PlainAnswer, Shape } from '../support/layer-fixture.ts';
import { amountOf } from '../support/run-settings.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 700_000;
const Y = 6_200_000;

/** Points at which every edge of every feature is looked at: by far the most of this file's work. */
const LOOKED_AT = { areas: { gate: 100, night: 700 }, lines: { gate: 30, night: 1_000 } };

function at(x: number, y: number): PointUtm32 {
  return { xUtm32: X + x, yUtm32: Y + y };
}

/** A measure with ids instead of feature numbers. */
function named(engine: LineEngine, measure: LineMeasure): PlainAnswer {
  const idOf = (feature: number) => engine.snapshot.feature(feature).objectId;
  return {
    ...measure,
    hit: measure.hit === null ? null : idOf(measure.hit),
    repealed: measure.repealed.map(({ feature, distanceM }) => ({ id: idOf(feature), distanceM })),
  };
}

function expectSame(
  engine: LineEngine,
  point: PointUtm32,
  plain: PlainAnswer,
  radiusM = 500,
): void {
  const mine = named(engine, engine.measure(point, radiusM));
  const { distanceM, repealed, ...rest } = mine;
  const { distanceM: plainM, repealed: plainRepealed, ...plainRest } = plain;
  expect({ point, ...rest }).toEqual({ point, ...plainRest });
  if (plainM === null || distanceM === null) expect(distanceM).toBe(plainM);
  else expect(Math.abs(distanceM - plainM)).toBeLessThan(1e-8);
  expect(Object.is(distanceM, -0)).toBe(false);
  expect(repealed.map(({ id }) => id)).toEqual(plainRepealed.map(({ id }) => id));
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

/** Scattered areas with holes, some of them duplicates, some repealed, some not adopted. */
function scatter(seed: number, count: number, stepM: number): Shape[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i): Shape => {
    const centre = at(random() * 5_000, random() * 5_000);
    const radiusM = 10 + 300 * random() ** 3;
    const corners = 5 + Math.floor(random() * 60);
    const shell = star(centre, { radiusM, corners, random, stepM });
    const hole = star(centre, { radiusM: radiusM / 4, corners: 7, random, stepM });
    return {
      id: `id-${String(i).padStart(4, '0')}`,
      repealed: i % 7 === 0,
      adopted: i % 3 === 0,
      polygons: [i % 2 === 0 ? [shell, hole] : [shell]],
    };
  });
}

describe('a building line in memory', () => {
  for (const cellM of [50, 250, 1_000]) {
    it(`equals looking at everything, over scattered areas in cells of ${cellM} m`, () => {
      const shapes = scatter(cellM, 150, 0.01);
      const zoneEdges = shapes
        .filter(({ repealed }) => repealed !== true)
        .flatMap(pathsOf)
        .flatMap((path) => cut(path));
      const engine = new LineEngine(layerOf(shapes, { cellM, zoneEdges }));
      for (const point of probes(shapes, amountOf(LOOKED_AT.areas), randomFrom(5))) {
        expectSame(engine, point, plainAnswer(shapes, point, { radiusM: 500, zoneEdges }));
      }
    });
  }

  it('measures to the dissolved zone where parcels share their edges', () => {
    const shapes: Shape[] = [];
    for (let i = 0; i < 64; i++) {
      const [x, y] = [X + 100 * (i % 8), Y + 100 * Math.floor(i / 8)];
      shapes.push({ id: `p${i}`, adopted: true, polygons: [[box(x, y, 100)]] });
    }
    const engine = new LineEngine(layerOf(shapes));
    const middle = engine.measure(at(400, 400), 500);
    expect(middle).toMatchObject({ within: true, distanceM: -400, uncertain: false });
    expect(middle.count).toBe(64);
    for (const point of probes(shapes, 200, randomFrom(9))) {
      expectSame(engine, point, plainAnswer(shapes, point, { radiusM: 500 }));
    }
  });

  it('keeps edges that only the union made', () => {
    const shapes: Shape[] = [
      { id: 'a', polygons: [[box(X, Y, 100)]] },
      { id: 'b', polygons: [[box(X + 50, Y + 50, 100)]] },
    ];
    const ring: Path = [0, 0, 100, 0, 100, 50, 150, 50, 150, 150, 50, 150, 50, 100, 0, 100, 0, 0];
    const zone = ring.map((value, i) => value + (i % 2 === 0 ? X : Y));
    const engine = new LineEngine(layerOf(shapes, { zoneEdges: [zone] }));
    expect(engine.measure(at(75, 75), 500).distanceM).toBeCloseTo(-Math.hypot(25, 25), 9);
    for (const point of probes(shapes, 400, randomFrom(2))) {
      expectSame(engine, point, plainAnswer(shapes, point, { radiusM: 500, zoneEdges: [zone] }));
    }
  });

  it('measures from deep inside, far beyond the radius', () => {
    const shapes: Shape[] = [{ id: 'a', polygons: [[box(X, Y, 20_000)]] }];
    const engine = new LineEngine(layerOf(shapes));
    expect(engine.measure(at(9_000, 8_000), 500)).toMatchObject({ distanceM: -8_000, count: 1 });
    expect(engine.measure(at(-9_000, 8_000), 500)).toMatchObject({ distanceM: null, count: 0 });
  });

  it('equals looking at everything, over lines', () => {
    const random = randomFrom(11);
    const shapes = Array.from({ length: 200 }, (_, i): Shape => {
      let [x, y] = [X + 4_000 * random(), Y + 4_000 * random()];
      const line: number[] = [];
      for (let j = 0; j < 30; j++) {
        line.push(Math.round(x * 100) / 100, Math.round(y * 100) / 100);
        x += 40 * random() - 20;
        y += 40 * random() - 15;
      }
      return { id: `d${i}`, repealed: i % 9 === 0, adopted: i % 2 === 0, lines: [line] };
    });
    const engine = new LineEngine(layerOf(shapes));
    for (const point of probes(shapes, amountOf(LOOKED_AT.lines), randomFrom(3))) {
      expectSame(engine, point, plainAnswer(shapes, point, { radiusM: 500 }));
    }
  });
});

/** A ring in pieces of four edges, as the store keeps zone edges. */
function cut(path: Path): Path[] {
  const pieces: Path[] = [];
  for (let i = 0; i + 3 < path.length; i += 8) pieces.push(path.slice(i, i + 10));
  return pieces;
}

describe('degenerate input', () => {
  it('answers an empty layer with a measured no', () => {
    const engine = new LineEngine(layerOf([]));
    expect(engine.measure(at(0, 0), 500)).toEqual({
      within: false,
      uncertain: false,
      distanceM: null,
      count: 0,
      hit: null,
      repealed: [],
    });
  });

  it('passes over duplicate vertices, zero-area rings and empty polygons', () => {
    const doubled: Path = [0, 0, 0, 0, 90, 0, 90, 0, 90, 90, 0, 90, 0, 90, 0, 0];
    const flat: Path = [200, 0, 300, 0, 250, 0, 200, 0];
    const dot: Path = [400, 0, 400, 0, 400, 0, 400, 0];
    const put = (path: Path) => path.map((value, i) => value + (i % 2 === 0 ? X : Y));
    const shapes: Shape[] = [
      { id: 'doubled', polygons: [[put(doubled)]] },
      { id: 'flat', polygons: [[put(flat)]] },
      { id: 'dot', polygons: [[put(dot)]] },
      { id: 'nothing', polygons: [] },
    ];
    const zoneEdges = shapes.flatMap(pathsOf);
    const engine = new LineEngine(layerOf(shapes, { zoneEdges }));
    const points = [
      at(45, 45),
      at(0, 0),
      at(250, 0),
      at(250, 10),
      at(400, 0),
      at(410, 0),
      at(90, 45),
    ];
    for (const point of [...points, ...probes(shapes, 500, randomFrom(4))]) {
      expectSame(engine, point, plainAnswer(shapes, point, { radiusM: 500, zoneEdges }));
    }
  });

  it('takes holes that touch their shell, and each other, at a vertex', () => {
    const shape: Shape = {
      id: 'touching',
      polygons: [
        [
          box(X, Y, 100),
          [X, Y + 50, X + 30, Y + 40, X + 30, Y + 60, X, Y + 50],
          [X + 30, Y + 60, X + 60, Y + 60, X + 60, Y + 80, X + 30, Y + 60],
        ],
      ],
    };
    const engine = new LineEngine(layerOf([shape]));
    expect(engine.measure(at(0, 50), 500)).toMatchObject({ within: true, distanceM: 0 });
    expect(engine.measure(at(20, 50), 500)).toMatchObject({ within: false });
    for (const point of probes([shape], 300, randomFrom(6))) {
      expectSame(engine, point, plainAnswer([shape], point, { radiusM: 500 }));
    }
  });

  it('lets every vertex and every edge belong', () => {
    const random = randomFrom(8);
    const ring = star(at(0, 0), { radiusM: 400, corners: 40, random });
    const engine = new LineEngine(layerOf([{ id: 'a', polygons: [[ring]] }]));
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const vertex = { xUtm32: ring[i]!, yUtm32: ring[i + 1]! };
      expect(engine.measure(vertex, 500)).toMatchObject({ within: true, distanceM: 0 });
    }
  });

  it('is on a line exactly 2 m away, and not a hair farther', () => {
    const engine = new LineEngine(layerOf([{ id: 'd', lines: [[X, Y, X + 100, Y]] }]));
    expect(engine.measure(at(50, 2), 500)).toMatchObject({ within: true, distanceM: 2, count: 1 });
    const beyond = engine.measure({ xUtm32: X + 50, yUtm32: Y + 2.000001 }, 500);
    expect(beyond).toMatchObject({ within: false, hit: null, count: 1 });
    expect(engine.measure(at(50, 500), 500)).toMatchObject({ count: 1, distanceM: 500 });
    expect(engine.measure(at(50, 500.000001), 500)).toMatchObject({ count: 0, distanceM: null });
  });

  it('counts a thousand identical features and picks the lowest id', () => {
    const shapes = Array.from({ length: 1_000 }, (_, i): Shape => {
      const id = `same-${String((i * 7919) % 1_000).padStart(4, '0')}`;
      return { id, repealed: i % 2 === 0, polygons: [[box(X, Y, 100)]] };
    });
    const ids = shapes.filter(({ repealed }) => repealed !== true).map(({ id }) => id);
    const gone = shapes.filter(({ repealed }) => repealed === true).map(({ id }) => id);
    const engine = new LineEngine(layerOf(shapes, { zoneEdges: [box(X, Y, 100)] }));
    for (const point of [at(50, 50), at(200, 50)]) {
      const answer = named(engine, engine.measure(point, 500));
      expect(answer.count).toBe(500);
      expect(answer.repealed.map(({ id }) => id)).toEqual([...gone].sort().slice(0, 20));
      if (answer.within) expect(answer.hit).toBe([...ids].sort()[0]);
    }
  });

  it('prefers an adopted feature, then the deeper, then the lower id', () => {
    const shapes: Shape[] = [
      { id: 'deep', polygons: [[box(X - 200, Y - 200, 500)]] },
      { id: 'b', adopted: true, polygons: [[box(X, Y, 100)]] },
      { id: 'a', adopted: true, polygons: [[box(X, Y, 100)]] },
    ];
    const engine = new LineEngine(layerOf(shapes, { zoneEdges: [box(X - 200, Y - 200, 500)] }));
    expect(named(engine, engine.measure(at(50, 50), 500))).toMatchObject({
      hit: 'a',
      uncertain: false,
      distanceM: -250,
    });
    expect(named(engine, engine.measure(at(150, 50), 500))).toMatchObject({
      hit: 'deep',
      uncertain: true,
    });
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
