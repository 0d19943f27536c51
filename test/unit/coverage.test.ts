/** The land that a source covers, and what an answer near its border is worth (D142). */
import { describe, expect, test } from 'vitest';
import { Land, edgesOf } from '../../src/geo/land.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { BuildingLinesAnswer, MeasuredLine } from '../../src/answers/answer.ts';
import { municipalitiesName } from '../../src/layers/coverage.ts';
import { nearestWithin } from '../../src/registers/addresses/reverse.ts';
import type { Nearest } from '../../src/registers/addresses/addresses.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { coveredLand } from '../../src/core/land/covered-land.ts';
import { CoveredLands } from '../../src/core/land/covered-lands.ts';
import { coveredLines } from '../../src/registers/lines/covered.ts';
import { sampleCoverage } from '../../sample/data/coverage.ts';
import { createRandom } from '../../sample/data/random.ts';
import { box, holds, pathsDistance } from '../support/layer-fixture.ts';

const X = 600_000;
const Y = 6_200_000;

const square = (west: number, south: number, sideM: number) => box(X + west, Y + south, sideM);

function landOf(...rings: (readonly number[])[]): Land {
  return new Land('et sted', edgesOf(rings));
}

function at(east: number, north: number) {
  return { xUtm32: X + east, yUtm32: Y + north };
}

describe('covered land', () => {
  const land = landOf(square(0, 0, 1_000));

  test.each([
    ['in its midst', at(500, 500), 500, 500],
    ['deeper than is asked', at(500, 500), 499, Infinity],
    ['near its border', at(990, 300), 100, 10],
    ['on its border', at(1_000, 300), 100, 0],
    ['on its corner', at(0, 0), 100, 0],
    ['beside it', at(1_000.001, 300), 100, 0],
    ['far away', at(1e6, 1e6), 100, 0],
  ])('%s', (_, point, withinM, distanceM) => {
    expect(land.distanceM(point, withinM)).toBeCloseTo(distanceM, 9);
    expect(land.covers(point)).toBe(distanceM > 0);
  });

  test('has holes that are not covered', () => {
    const holed = landOf(square(0, 0, 1_000), square(400, 400, 200));
    expect(holed.covers(at(500, 500))).toBe(false);
    expect(holed.distanceM(at(390, 500), 100)).toBe(10);
  });

  test('of two areas that share an edge ends at neither', () => {
    // The second begins where the first ends, and runs the other way round.
    const other = square(1_000, 0, 1_000);
    const turned = [0, 2, 4, 6, 8].flatMap((n) => [other.at(-2 - n)!, other.at(-1 - n)!]);
    const both = landOf(square(0, 0, 1_000), turned);
    expect(both.distanceM(at(1_000, 500), 1_000)).toBe(500);
    expect(both.distanceM(at(995, 500), 1_000)).toBe(500);
  });

  test('is found as by looking at every edge', () => {
    const { borders } = sampleCoverage();
    const [ring = []] = borders;
    const island = landOf([...ring]);
    const random = createRandom('coverage');
    for (let n = 0; n < 500; n++) {
      const point = {
        xUtm32: random.between(632_000, 668_000),
        yUtm32: random.between(6_300_000, 6_328_000),
      };
      const least = pathsDistance([ring], point);
      const isInside = holds([ring], point);
      const expected = isInside ? (least <= 1_000 ? least : Infinity) : 0;
      expect(island.distanceM(point, 1_000)).toBeCloseTo(expected, 6);
    }
  });
});

test('the land of areas that share edges is drawn as one ring', async () => {
  const rings = [square(0, 0, 1_000), square(1_000, 0, 1_000)];
  const lands = new CoveredLands({
    catalogue: overrideCatalogue(REGISTERS_CATALOGUE, {
      skov: { coverage: { kind: 'polygon', name: 'to felter', borders: rings } },
    }),
    clock: { nowMs: () => 0 },
    liveCoverages: [],
    readMunicipalities: () => Promise.resolve([]),
  });
  const drawn = await coveredLand(lands);
  expect(drawn).toMatchObject([{ name: 'to felter' }]);
  expect(drawn[0]?.rings.map((ring) => ring.length)).toEqual([7]);
  const [first] = drawn[0]?.rings ?? [];
  expect(first?.at(-1)).toEqual(first?.[0]);
});

describe('a line near the border of the land', () => {
  const land = landOf(square(0, 0, 2_000));
  const line = (measured: Partial<MeasuredLine>): MeasuredLine => ({
    ...({ status: 'ok', line: 'skov', within: false, uncertain: false } as const),
    ...{ distanceM: null, count: 0, hit: null, repealed: [] },
    provenance: { rung: 'snapshot', ageS: 0 },
    ...measured,
  });
  const answerAt = (east: number, measured: Partial<MeasuredLine>): BuildingLinesAnswer => {
    const point = pointFromUtm32(at(east, 1_000));
    return { point, searchRadiusM: 500, lines: [line(measured)] };
  };
  const MISSING = { status: 'unavailable', line: 'skov', covered: 'et sted' };

  test.each([
    ['nothing near, the border beyond the radius', 1_000, {}],
    ['an edge nearer than the border', 1_900, { distanceM: 99, count: 1 }],
    ['within, its edge nearer than the border', 1_900, { within: true, distanceM: -99, count: 1 }],
  ])('answers: %s', (_, east, measured) => {
    const answer = answerAt(east, measured);
    expect(coveredLines(answer, [land])).toBe(answer);
  });

  test.each([
    ['outside, whatever was measured there', 2_001, { within: true, distanceM: -50, count: 1 }],
    ['on the border', 2_000, {}],
    ['nothing near, and the radius reaches over the border', 1_501, {}],
    ['an edge farther than the border', 1_900, { distanceM: 101, count: 1 }],
    ['an edge as far as the border: one may be the other', 1_900, { distanceM: 100, count: 1 }],
  ])('does not: %s', (_, east, measured) => {
    expect(coveredLines(answerAt(east, measured), [land]).lines).toEqual([MISSING]);
  });

  test.each([
    ['at the border', 1_900, -100],
    ['beyond it, deeper than the radius', 1_300, -800],
  ])('says that the point is within, not how far its edge is: %s', (_, east, distanceM) => {
    const hit = { objectId: 'a', inForce: true, attributes: null!, areaM2: 1 };
    const answer = answerAt(east, { within: true, distanceM, count: 1, hit });
    expect(coveredLines(answer, [land]).lines).toEqual([{ ...answer.lines[0], distanceM: null }]);
  });

  test('that covers the country is not looked at', () => {
    const answer = answerAt(5_000, {});
    expect(coveredLines(answer, [null])).toBe(answer);
  });
});

describe('the nearest address', () => {
  const judge = nearestWithin(landOf(square(0, 0, 2_000)), 200);
  const found = (distanceM: number) => ({ distanceM }) as Nearest;

  test('answers where it is nearer than the border', () => {
    expect(judge(at(1_900, 1_000), found(99))).toEqual(found(99));
    expect(judge(at(1_000, 1_000), null)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each([
    ['an address may lie nearer outside', at(1_900, 1_000), found(100)],
    ['none is within the radius, which reaches over the border', at(1_801, 1_000), null],
    ['the point lies outside', at(2_001, 1_000), found(1)],
  ])('does not: %s', (_, point, nearest) => {
    expect(judge(point, nearest)).toMatchObject({ status: 404, code: 'outside_coverage' });
  });
});

test('municipalities without a name are called by their codes', () => {
  expect(municipalitiesName(['0101'])).toBe('kommune 0101');
  expect(municipalitiesName(['0101', '0147', '0151'])).toBe('kommunerne 0101, 0147 og 0151');
});
