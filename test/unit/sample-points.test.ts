/** The example points: every number of theirs against an independent judge. */
import proj4 from 'proj4';
import { describe, expect, it } from 'vitest';
import type { LineKey } from '../../src/layers/keys.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import { areasAt, lineAt } from '../support/sample-truth.ts';

const data = generateSample();
const UTM32 = '+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs';

describe('the sample points', () => {
  it('have ids of their own', () => {
    expect(new Set(SAMPLE_POINTS.map((point) => point.id)).size).toBe(SAMPLE_POINTS.length);
    expect(samplePoint('sea').areas.region).toEqual([]);
    expect(() => samplePoint('land')).toThrow(RangeError);
  });

  it.each(SAMPLE_POINTS.map((point) => [point.id, point] as const))(
    'say the truth of %s',
    (_, { utm32, wgs84, areas, lines }) => {
      const [x, y] = proj4('WGS84', UTM32, [wgs84.lon, wgs84.lat]);
      expect(Math.hypot(x - utm32.xUtm32, y - utm32.yUtm32)).toBeLessThan(0.01);
      const place = { x: utm32.xUtm32, y: utm32.yUtm32 };
      expect(areasAt(data, place)).toEqual(areas);
      for (const [line, expected] of Object.entries(lines)) {
        const truth = lineAt(data, line as LineKey, place);
        expect({ line, ...truth, repealed: [...truth.repealed].sort() }).toEqual({
          line,
          ...expected,
          repealed: [...expected.repealed].sort(),
        });
      }
    },
  );

  it('show each line within, or the reason why it is not, at least for the main cases', () => {
    const within = SAMPLE_POINTS.flatMap((point) =>
      Object.entries(point.lines)
        .filter(([, expected]) => expected.within)
        .map(([line]) => line),
    );
    const shown = ['strandbeskyttelse', 'klitfredning', 'soe', 'skov', 'fortidsminde', 'dige'];
    expect(new Set(within)).toEqual(new Set([...shown, 'natur', 'vandloeb']));
  });
});
