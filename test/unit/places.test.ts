/** Geometries in answers: places as GeoJSON, areas in both systems, and those of places on the disk. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toUtm32, toWgs84 } from '../../src/geo/project.ts';
import { areaGeometryJson, geometryJson } from '../../src/geo/rings-text.ts';
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { PlaceShapes } from '../../src/registers/places/index/place-shapes.ts';
import { testFolder } from '../support/opened.ts';

const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];
const HOLE = [4, 4, 4, 6, 6, 6, 6, 4, 4, 4];
const POINT = Buffer.from('0101000000000000000000144000000000000014c0', 'hex');

describe('GeoJSON of a place', () => {
  const { xUtm32: x, yUtm32: y } = toUtm32({ lon: 10, lat: 56 });
  const jsonOf = (wkb: Uint8Array) =>
    JSON.parse(Buffer.from(geometryJson(wkb)).toString()) as {
      type: string;
      coordinates: number[][][][];
    };
  const several = (type: number, parts: readonly Uint8Array[]) => {
    const head = Buffer.alloc(9);
    head[0] = 1;
    head.writeUInt32LE(type, 1);
    head.writeUInt32LE(parts.length, 5);
    return Buffer.concat([head, ...parts]);
  };
  const pointAt = (east: number, north: number) => {
    const bytes = Buffer.alloc(21);
    bytes[0] = 1;
    bytes.writeUInt32LE(1, 1);
    bytes.writeDoubleLE(east, 5);
    bytes.writeDoubleLE(north, 13);
    return bytes;
  };

  test('of points and lines runs as they were drawn', () => {
    expect(jsonOf(pointAt(x, y))).toEqual({ type: 'Point', coordinates: [10, 56] });
    expect(jsonOf(several(4, [pointAt(x, y), pointAt(x, y)]))).toEqual({
      type: 'MultiPoint',
      coordinates: [
        [10, 56],
        [10, 56],
      ],
    });
    const line = lineWkb([x, y, x, y + 100]);
    const { type, coordinates } = jsonOf(line);
    expect([type, coordinates[0]]).toEqual(['LineString', [10, 56]]);
    const lines = jsonOf(several(5, [line, line]));
    expect([lines.type, lines.coordinates]).toEqual([
      'MultiLineString',
      [coordinates, coordinates],
    ]);
  });

  test('of areas turns shells to the left and holes to the right', () => {
    const moved = (ring: readonly number[]) => ring.map((at, n) => at + (n % 2 === 0 ? x : y));
    const backwards = (ring: readonly number[]) =>
      Array.from({ length: 5 }, (_, n) => ring.slice(8 - 2 * n, 10 - 2 * n)).flat();
    const drawn = multiPolygonWkb([[moved(SQUARE), moved(HOLE)], [moved(SQUARE)]]);
    const turned = multiPolygonWkb([
      [backwards(moved(SQUARE)), backwards(moved(HOLE))],
      [moved(SQUARE)],
    ]);
    expect(jsonOf(turned)).toEqual(jsonOf(drawn));
    // The first polygon of it alone: behind the head of the many.
    const alone = jsonOf(multiPolygonWkb([[moved(SQUARE), moved(HOLE)]]).subarray(9));
    expect(alone.type).toBe('Polygon');
    expect(alone.coordinates).toEqual(jsonOf(drawn).coordinates[0]);
  });

  test('of a collection there is none', () => {
    expect(() => geometryJson(several(7, [pointAt(x, y)]))).toThrow('no single kind');
  });
});

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

test('geometries on the disk are proved, and their file is closed behind the last who reads', async () => {
  const path = join(testFolder('shapes'), 'places.wkb');
  writeFileSync(path, POINT);
  const columns = { ends: Float64Array.of(POINT.length), sums: Uint32Array.of(1) };
  const shapes = new PlaceShapes(path, columns);
  await expect(shapes.hold(() => shapes.wkb(0))).rejects.toThrow('damaged');
  expect(() => new PlaceShapes(path, { ...columns, ends: Float64Array.of(9) })).toThrow('21 bytes');
  const gate = Promise.withResolvers<undefined>();
  const reading = shapes.hold(() => gate.promise);
  shapes.retire();
  shapes.retire();
  gate.resolve(undefined);
  await reading;
  await expect(shapes.hold(() => shapes.wkb(0))).rejects.toThrow('replaced');
});
