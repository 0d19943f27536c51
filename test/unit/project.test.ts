import fc from 'fast-check';
import proj4 from 'proj4';
import { describe, expect, it } from 'vitest';
import { DENMARK_BOXES } from '../../src/geo/point.ts';
import type { PointWgs84 } from '../../src/geo/point.ts';
import { toUtm32, toUtm32Into, toWgs84, toWgs84All } from '../../src/geo/project.ts';

const UTM32 = '+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs';
const judge = proj4('EPSG:4326', UTM32);

/** A dense grid over every box of D35, edges included. */
function* gridPoints(steps: number): Generator<PointWgs84> {
  for (const box of DENMARK_BOXES) {
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; j <= steps; j++) {
        const lon = box.minLon + ((box.maxLon - box.minLon) * i) / steps;
        yield { lon, lat: box.minLat + ((box.maxLat - box.minLat) * j) / steps };
      }
    }
  }
}

const denmark = fc.constantFrom(...DENMARK_BOXES).chain((box) =>
  fc.record({
    lon: fc.double({ min: box.minLon, max: box.maxLon, noNaN: true }),
    lat: fc.double({ min: box.minLat, max: box.maxLat, noNaN: true }),
  }),
);

describe('the projection', () => {
  it('agrees with proj4 to a micrometre over every box of D35', () => {
    let worstM = 0;
    for (const point of gridPoints(200)) {
      const [x, y] = judge.forward<[number, number]>([point.lon, point.lat]);
      const mine = toUtm32(point);
      worstM = Math.max(worstM, Math.hypot(mine.xUtm32 - x, mine.yUtm32 - y));
    }
    expect(worstM).toBeLessThan(1e-6);
  });

  it('comes back to where it started', () => {
    fc.assert(
      fc.property(denmark, (point) => {
        const back = toWgs84(toUtm32(point));
        expect(Math.abs(back.lon - point.lon)).toBeLessThan(1e-11);
        expect(Math.abs(back.lat - point.lat)).toBeLessThan(1e-11);
      }),
    );
  });

  it('gives the same numbers one by one, into an array and in bulk', () => {
    const points = [...gridPoints(5)];
    const bulk = new Float64Array(2 * points.length);
    for (const [i, point] of points.entries()) {
      const { xUtm32, yUtm32 } = toUtm32(point);
      toUtm32Into(point, bulk, 2 * i);
      expect([bulk[2 * i], bulk[2 * i + 1]]).toEqual([xUtm32, yUtm32]);
    }
    toWgs84All(bulk, bulk);
    for (const [i, point] of points.entries()) {
      const { lon, lat } = toWgs84(toUtm32(point));
      expect([bulk[2 * i], bulk[2 * i + 1]]).toEqual([lon, lat]);
    }
  });

  it('answers NaN with NaN', () => {
    expect(toUtm32({ lon: Number.NaN, lat: 56 }).xUtm32).toBeNaN();
  });
});
