import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaGeometryJson } from '../../src/geo/rings-text.ts';
import { toWgs84 } from '../../src/geo/project.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';

interface Geometry {
  type: string;
  coordinates: number[][][][];
  epsg25832_rings: number[][][][];
}

const read = (polygons: number[][][]): Geometry =>
  JSON.parse(Buffer.from(areaGeometryJson(multiPolygonWkb(polygons))).toString()) as Geometry;

/** Twice the signed area of a ring of positions: positive counter-clockwise. */
function turn(ring: readonly number[][]): number {
  return ring.reduce((sum, [x = 0, y = 0], n) => {
    const [u = 0, v = 0] = ring[(n + 1) % ring.length] ?? [];
    return sum + (x * v - u * y);
  }, 0);
}

const square = (x: number, y: number, side: number): number[] => [
  ...[x, y, x, y + side, x + side, y + side, x + side, y, x, y],
];

describe('the geometry of an area as text', () => {
  test('gives the same rings in both systems, shells counter-clockwise and holes clockwise', () => {
    const shell = square(640_000.123, 6_290_000.5, 1_000);
    const hole = square(640_300, 6_290_300, 100);
    const island = square(650_000, 6_290_000, 10.004);
    const geometry = read([[shell, hole], [island]]);
    expect(geometry.type).toBe('MultiPolygon');
    expect(geometry.epsg25832_rings.map((polygon) => polygon.length)).toEqual([2, 1]);
    for (const key of ['coordinates', 'epsg25832_rings'] as const) {
      const [[outer, inner], [second]] = geometry[key] as [[number[][], number[][]], [number[][]]];
      expect(turn(outer)).toBeGreaterThan(0);
      expect(turn(inner)).toBeLessThan(0);
      expect(turn(second)).toBeGreaterThan(0);
      expect(outer.at(0)).toEqual(outer.at(-1));
    }
    expect(geometry.epsg25832_rings[0]?.[0]).toContainEqual([640_000.12, 6_290_000.5]);
  });

  test('rounds to 7 and to 2 decimals, as the projection has it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 440_000, max: 890_000, noNaN: true }),
        fc.double({ min: 6_050_000, max: 6_400_000, noNaN: true }),
        (x, y) => {
          const geometry = read([[square(x, y, 100)]]);
          const metres = geometry.epsg25832_rings[0]?.[0] ?? [];
          const degrees = geometry.coordinates[0]?.[0] ?? [];
          const { lon, lat } = toWgs84({ xUtm32: x, yUtm32: y });
          const nearest = Math.min(
            ...degrees.map(([a = 0, b = 0]) => Math.max(Math.abs(a - lon), Math.abs(b - lat))),
          );
          expect(nearest).toBeLessThanOrEqual(0.51e-7);
          expect(metres).toContainEqual([Math.round(x * 100) / 100, Math.round(y * 100) / 100]);
        },
      ),
    );
  });

  test('refuses what is not made of polygons', () => {
    expect(() => areaGeometryJson(Buffer.from('0101000000', 'hex'))).toThrow();
  });
});
