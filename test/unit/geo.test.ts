import { booleanPointInPolygon, multiPolygon, point } from '@turf/turf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wkbCovers } from '../../src/geo/covers.ts';
import { HILBERT_SIDE, hilbertPosition } from '../../src/geo/hilbert.ts';
import { orient, ORIENT_ERROR } from '../../src/geo/orient.ts';
import { edgeDistance } from '../../src/geo/segment.ts';
import { lineWkb, multiPolygonWkb, readWkb, RING, RingSink } from '../../src/geo/wkb.ts';
import { multiLineWkb } from '../support/multi-line.ts';
import { amountOf } from '../support/run-settings.ts';

/** The sign by integers: every coordinate scaled to a whole number. */
function signByIntegers(coordinates: readonly number[], unitsPerMetre: number): number {
  const [ax = 0n, ay = 0n, bx = 0n, by = 0n, cx = 0n, cy = 0n] = coordinates.map((v) =>
    BigInt(v * unitsPerMetre),
  );
  const determinant = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx);
  return determinant === 0n ? 0 : determinant > 0n ? 1 : -1;
}

describe('the side of a line', () => {
  it('is exact where floating point is not', () => {
    const units = 2 ** 40;
    const near = fc.integer({ min: -3, max: 3 }).map((n) => 0.5 + n / 2 ** 40);
    fc.assert(
      fc.property(fc.tuple(near, near), ([x, y]) => {
        const q = [12, 12, 24, 24, x, y];
        expect(Math.sign(orient(Float64Array.from(q))) + 0).toBe(signByIntegers(q, units));
      }),
    );
  });

  it('agrees with its own filter wherever the filter is sure', () => {
    const metre = fc.integer({ min: 600_000_00, max: 600_100_00 }).map((n) => n / 128);
    fc.assert(
      fc.property(fc.tuple(metre, metre, metre, metre, metre, metre), (q) => {
        const [ax, ay, bx, by, cx, cy] = q;
        const left = (ax - cx) * (by - cy);
        const right = (ay - cy) * (bx - cx);
        if (Math.abs(left - right) <= ORIENT_ERROR * (Math.abs(left) + Math.abs(right))) return;
        expect(Math.sign(left - right)).toBe(signByIntegers(q, 128));
        expect(Math.sign(orient(Float64Array.from(q)))).toBe(Math.sign(left - right));
      }),
    );
  });
});

it.each([
  [0, { px: 5, py: 2 }, 2],
  [0, { px: 13, py: 4 }, 5],
  [0, { px: -3, py: 4 }, 5],
  [0, { px: 7, py: 0 }, 0],
  // An edge without length is a point.
  [1, { px: 13, py: 4 }, 5],
])('the distance to edge %i from %j is %d: to the foot or an end', (edge, from, metres) => {
  expect(edgeDistance(Float64Array.of(0, 0, 10, 0, 10, 0), edge, from)).toBe(metres);
});

it('the Hilbert curve visits every cell once, always stepping to a neighbour', () => {
  const visited: [number, number][] = [];
  const scale = HILBERT_SIDE / 32;
  for (let x = 0; x < 32; x++) {
    for (let y = 0; y < 32; y++) {
      visited[Math.floor(hilbertPosition(x * scale, y * scale) / scale ** 2)] = [x, y];
    }
  }
  expect(visited.filter(Boolean)).toHaveLength(1024);
  for (const [i, [x, y]] of visited.entries()) {
    if (i === 0) continue;
    const [fromX, fromY] = visited[i - 1]!;
    expect(Math.abs(x - fromX) + Math.abs(y - fromY)).toBe(1);
  }
});

describe('well-known binary', () => {
  const square = [0, 0, 1, 0, 1, 1, 0, 0];

  it('reads polygons with holes, parts and lines into flat rings', () => {
    const sink = new RingSink();
    readWkb(multiPolygonWkb([[square, square], [square]]), sink);
    readWkb(multiLineWkb([[5, 6, 7, 8]]), sink);
    readWkb(lineWkb([1, 2, 3, 4]), sink);
    const { shell, hole, line } = RING;
    expect([...sink.kinds.view()]).toEqual([shell, hole, shell, line, line]);
    expect([...sink.starts.view()]).toEqual([0, 4, 8, 12, 14]);
    expect([...sink.xy.view()]).toEqual([...square, ...square, ...square, 5, 6, 7, 8, 1, 2, 3, 4]);
  });

  it('refuses a third ordinate and what is not finite', () => {
    const withZ = lineWkb([1, 2, 3, 4]);
    new DataView(withZ.buffer).setUint32(1, 1002, true);
    expect(() => readWkb(withZ, new RingSink())).toThrow('1002');
    expect(() => readWkb(lineWkb([1, Number.NaN]), new RingSink())).toThrow('not finite');
    expect(() => readWkb(lineWkb([1, 2, 3, 4]).subarray(0, 20), new RingSink())).toThrow();
  });
});

describe('what an area covers', () => {
  const shell = [0, 0, 10, 0, 10, 10, 5, 4, 0, 10, 0, 0];
  const hole = [2, 1, 2, 3, 4, 3, 4, 1, 2, 1];
  const wkb = multiPolygonWkb([[shell, hole], [[20, 0, 30, 0, 20, 10, 20, 0]]]);
  const covers = (x: number, y: number): boolean => wkbCovers(wkb, { xUtm32: x, yUtm32: y });

  it('has every edge and vertex, those of holes as well', () => {
    for (const at of ['0 0', '10 10', '5 0', '5 4', '2 2', '2 1', '3 3', '25 5', '20 10']) {
      const [x = 0, y = 0] = at.split(' ').map(Number);
      expect(covers(x, y), at).toBe(true);
    }
    expect(covers(3, 2)).toBe(false);
    expect(covers(5, 5)).toBe(false);
    expect(covers(15, 0)).toBe(false);
    expect(covers(-1, 0)).toBe(false);
  });

  it('agrees with another implementation off the boundary', () => {
    const pairs = (ring: number[]) =>
      ring.flatMap((x, n) => (n % 2 === 0 ? [[x, ring[n + 1] ?? 0]] : []));
    const area = multiPolygon([
      [pairs(shell), pairs(hole)],
      [pairs([20, 0, 30, 0, 20, 10, 20, 0])],
    ]);
    fc.assert(
      fc.property(
        fc.double({ min: -2, max: 32, noNaN: true }),
        fc.double({ min: -2, max: 12, noNaN: true }),
        (x, y) => covers(x, y) === booleanPointInPolygon(point([x, y]), area),
      ),
      { numRuns: amountOf({ gate: 1_000, night: 5_000 }) },
    );
  });

  it('a line covers nothing, so it is refused', () => {
    expect(() => wkbCovers(lineWkb([0, 0, 1, 1]), { xUtm32: 0, yUtm32: 0 })).toThrow();
  });
});
