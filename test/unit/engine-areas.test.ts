import { describe, expect, it } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { AreaEngine } from '../../src/snapshot/areas.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { box, holds, star } from '../support/layer-fixture.ts';
import type { Path, Shape } from '../support/layer-fixture.ts';
import { amountOf } from '../support/run-settings.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';

const X = 600_000;
const Y = 6_200_000;

function engineOf(shapes: readonly Shape[], cellM = 250): AreaEngine {
  const builder = new LayerSnapshotBuilder({ layer: 'sogn', geometry: 'area', version: 1, cellM });
  for (const { id, polygons } of shapes) {
    builder.add({
      key: id,
      objectId: id,
      standing: 'in_force',
      adopted: true,
      attributes: JSON.stringify({ code: id, name: `Sogn ${id}`, regionCode: null }),
      wkb: multiPolygonWkb(polygons ?? []),
      areaM2: 1,
    });
  }
  return new AreaEngine(openLayerSnapshot(builder.finish()));
}

/** A partition of a square into tiles with crooked shared borders. */
function tiles(side: number, random: () => number): Shape[] {
  const corner = Array.from({ length: (side + 1) ** 2 }, () => [
    Math.round(60_000 * random()) / 100,
    Math.round(60_000 * random()) / 100,
  ]);
  const at = (i: number, j: number): number[] => {
    const [dx, dy] = corner[i * (side + 1) + j]!;
    return [X + 1_000 * i + dx!, Y + 1_000 * j + dy!];
  };
  const shapes: Shape[] = [];
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const ring = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), at(i, j)].flat();
      shapes.push({ id: `${i}-${j}`, polygons: [[ring]] });
    }
  }
  return shapes;
}

function codes(engine: AreaEngine, point: PointUtm32): string[] {
  return engine.covering(point).map(({ code }) => code);
}

function plainCodes(shapes: readonly Shape[], point: PointUtm32): string[] {
  return shapes
    .filter((shape) => holds(shape, point))
    .map(({ id }) => id)
    .sort();
}

/** Anywhere, on edges, on corners, and a hair from edges. */
function* probes(shapes: readonly Shape[], count: number): Generator<PointUtm32> {
  const random = randomFrom(count);
  const rings = shapes.flatMap(({ polygons }) => (polygons ?? []).flat());
  for (let i = 0; i < count; i++) {
    const ring: Path = rings[Math.floor(random() * rings.length)]!;
    const edge = 2 * Math.floor(random() * (ring.length / 2 - 1));
    const along = i % 4 === 0 ? 0 : random();
    const off = [0, 0, 1e-9, 3_000][i % 4]! * (random() - 0.5);
    yield {
      xUtm32: ring[edge]! + along * (ring[edge + 2]! - ring[edge]!) + off,
      yUtm32: ring[edge + 1]! + along * (ring[edge + 3]! - ring[edge + 1]!) + off * random(),
    };
  }
}

describe('areas in memory', () => {
  it.each([50, 4_000])('equal looking at every area, in cells of %i m', (cellM) => {
    const random = randomFrom(3);
    const lake = star(
      { xUtm32: X + 30_000, yUtm32: Y + 20_000 },
      { radiusM: 3_000, corners: 90, random },
    );
    const shapes: readonly Shape[] = [
      ...tiles(9, random),
      { id: 'land', polygons: [[box(X + 10_000, Y, 40_000), lake], [box(X + 60_000, Y, 700)]] },
      { id: 'town', polygons: [[lake]] },
    ];
    const engine = engineOf(shapes, cellM);
    for (const point of probes(shapes, amountOf({ gate: 800, night: 6_000 }))) {
      expect(codes(engine, point)).toEqual(plainCodes(shapes, point));
    }
  });

  it('answer nothing from an empty theme and from far outside', () => {
    expect(codes(engineOf([]), { xUtm32: X, yUtm32: Y })).toEqual([]);
    const engine = engineOf([{ id: 'a', polygons: [[box(X, Y, 100)]] }]);
    expect(codes(engine, { xUtm32: -1e9, yUtm32: 1e9 })).toEqual([]);
  });
});
