/** What answers about places from memory: GeoJSON, geometries on the disk. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toUtm32 } from '../../src/geo/project.ts';
import { geometryJson } from '../../src/geo/rings-text.ts';
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { PlaceShapes } from '../../src/registers/places/index/place-shapes.ts';
import { testFolder } from '../support/opened.ts';

const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];
const HOLE = [4, 4, 4, 6, 6, 6, 6, 4, 4, 4];
const POINT = Buffer.from('0101000000000000000000144000000000000014c0', 'hex');

describe('GeoJSON', () => {
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
