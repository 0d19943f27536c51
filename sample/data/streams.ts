/** What the registers publish as lines: watercourses that run to the coast, and dykes. */
import type { SampleFeature, SampleProperties } from './feature.ts';
import type { Position, Ring } from './geometry.ts';
import { at, multiLine, placeOf, position } from './geometry.ts';
import { placeInland } from './island.ts';
import { portalFeature } from './portal.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import { drawPath, isClearOfSites, scatterPlace } from './scatter.ts';
import { drawn, drawStanding, sometimesHigh } from './variety.ts';

/** A watercourse from the inland to the coast, one vertex every 120 m or so. */
export interface Stream {
  readonly line: Ring;
}

const STREAMS = 9;
const DYKES = 300;
const STEPS = 30;
const REACH_M = 250;

/** Stretches of streams that keep clear of the sites; a stream may come in several. */
export function drawStreams(): Stream[] {
  return Array.from({ length: STREAMS }, (_, s) => meander(s)).flatMap(clearStretches);
}

function meander(s: number): Position[] {
  const random = createRandom(`stream/${s}`);
  const angle = (2 * Math.PI * (s + 0.5)) / STREAMS;
  const phase = random.between(0, 6);
  return Array.from({ length: STEPS }, (_, i) => {
    const share = 0.28 + (0.68 * i) / (STEPS - 1);
    // 60 m to either side over 1.2 km: gentle enough for a bank of 150 m not to fold.
    const aside = 60 * Math.sin(i / 2 + phase);
    const base = placeInland(angle, share);
    return position({
      x: base.x - aside * Math.sin(angle),
      y: base.y + aside * Math.cos(angle),
    });
  });
}

function clearStretches(line: Ring): Stream[] {
  const stretches: Position[][] = [[]];
  for (const pos of line) {
    if (isClearOfSites(placeOf(pos), REACH_M)) at(stretches, stretches.length - 1).push(pos);
    else stretches.push([]);
  }
  return stretches.filter((stretch) => stretch.length >= 3).map((stretch) => ({ line: stretch }));
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
