/** The island, mirrored by the real sync: the store says what the points promise, and the judge. */
import type { LineMeasure } from '../../src/core/held/layer-reads.ts';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { readCoveringAreas } from '../../src/registers/areas/store.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import { CENTRE } from '../../sample/data/island.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { ExpectedLine } from '../../sample/points.ts';
import { areasAt, lineAt } from '../support/sample-truth.ts';
import { openMirroredBench } from '../support/mirrored-store.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openMirroredBench());

const lines = LINE_KEYS.map((key) => LINE_LAYERS[key]);
const radiusM = LIMITS.searchRadiusM.default;

function said(measure: LineMeasure): ExpectedLine {
  const { distanceM } = measure;
  return {
    within: measure.within,
    uncertain: measure.uncertain,
    distanceM: distanceM === null ? null : Math.round(distanceM * 10) / 10 + 0,
    count: measure.count,
    hit: measure.hit?.objectId ?? null,
    repealed: measure.repealed.map(({ objectId }) => objectId).sort(),
  };
}

const sorted = (truth: ExpectedLine): ExpectedLine => ({
  ...truth,
  repealed: [...truth.repealed].sort(),
});

test('the mirrored sample agrees with the judge at scattered points, line by line', async () => {
  const data = generateSample();
  const random = createRandom('scattered points');
  const points = Array.from({ length: 150 }, (): PointUtm32 => ({
    xUtm32: Math.round(CENTRE.x + random.between(-5_600, 5_600)),
    yUtm32: Math.round(CENTRE.y + random.between(-4_300, 4_300)),
  }));
  const { measures } = await readLines(bench.store, { points, lines, radiusM });
  const { byPoint } = await readCoveringAreas(bench.store, points);
  points.forEach((point, p) => {
    const place = { x: point.xUtm32, y: point.yUtm32 };
    const areas = areasAt(data, place);
    const codes = THEMES.flatMap((theme) => areas[theme]);
    expect([place, byPoint[p]!.map(({ code }) => code)]).toEqual([place, codes]);
    LINE_KEYS.forEach((line, l) => {
      const truth = lineAt(data, line, place);
      const { distanceM, ...answer } = said(measures[p]![l]!);
      const { distanceM: trueM, ...rest } = sorted(truth);
      expect({ place, line, ...answer }).toEqual({ place, line, ...rest });
      // The judge walks edges in steps of 5 cm: a rounding apart, no more.
      expect(Math.abs((distanceM ?? -1e9) - (trueM ?? -1e9))).toBeLessThan(0.11);
    });
  });
});
