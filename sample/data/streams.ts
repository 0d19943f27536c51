/** What the registers publish as lines: watercourses that run to the coast, and dykes. */
import { join } from 'node:path';
import type { SampleFeature, SampleProperties } from './feature.ts';
import type { Ring } from './geometry.ts';
import { at, multiLine, placeOf, readLine } from './geometry.ts';
import { portalFeature } from './portal.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import { readCsv } from './read-csv.ts';
import { drawPath, scatterPlace } from './scatter.ts';
import { textIn } from './table-row.ts';
import { drawn, drawStanding, sometimesHigh } from './variety.ts';

/** A watercourse from the inland to the coast, one vertex every 120 m or so. */
export interface Stream {
  readonly line: Ring;
}

const DYKES = 300;

/** Stretches of streams that keep clear of the sites; a stream may come in several. */
export function readStreams(): Stream[] {
  return readCsv(join(import.meta.dirname, 'strips'), 'streams').map((row) => ({
    line: readLine(textIn(row, 'line')),
  }));
}

/** Protected watercourses: two steps of a stream each, every tenth with a side branch. */
export function watercourses(streams: readonly Stream[]): SampleFeature[] {
  return streams.flatMap(({ line }, s) =>
    Array.from({ length: Math.floor(line.length / 2) }, (_, i) =>
      drawn('vandloeb', `${s}/${2 * i}`, (random) => {
        const main = line.slice(2 * i, 2 * i + 3);
        const branch = drawPath(random, placeOf(at(main, 0)), 2);
        return { geometry: multiLine(main, ...(random.chance(0.1) ? [branch] : [])) };
      }),
    ),
  );
}

/** Dykes: short wandering lines, some in two pieces with a gate between. */
export function dykes(): SampleFeature[] {
  return Array.from({ length: DYKES }, (_, i) => {
    const random = createRandom(`dige/${i}`);
    const line = drawPath(random, scatterPlace(random, 600), random.integer(1, 4));
    const end = placeOf(at(line, line.length - 1));
    const lines = [line];
    if (random.chance(0.1)) lines.push(drawPath(random, { x: end.x + 6, y: end.y + 6 }, 1));
    return portalFeature('dige', {
      name: String(i),
      geometry: sometimesHigh(random, multiLine(...lines)),
      own: dykeValues(random, i + 1),
      ...drawStanding(random),
    });
  });
}

const DYKE_TYPES = ['Jorddige', 'Stendige', 'Jorddige med sten', null] as const;
/** Several reasons at once are one text; how they are joined in the service is not known. */
const REASONS = ['1', '4', '1;4', '2, 3', '5', '6', '1;2;4', null] as const;

export function dykeValues(random: Random, number: number): SampleProperties {
  return {
    T_digenr: random.chance(0.4) ? `T${number}` : null,
    Dige_id: 900_000 + number,
    Beskyt_kode: random.pick(REASONS),
    Digetypebeskrivelse: random.pick(DYKE_TYPES),
    Vaerdi_kult: random.integer(0, 3),
    Vaerdi_land: random.integer(0, 3),
    Vaerdi_bio: -1,
  };
}
