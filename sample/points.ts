/**
 * Example points with a known truth: the README and the API document show them, tests hold the
 * answers against them. The sites are laid out so that the numbers can be worked out by hand; a
 * test compares every one with an independent judge.
 */
import type { PointUtm32, PointWgs84 } from '../src/geo/point.ts';
import { toWgs84 } from '../src/geo/project.ts';
import type { LineKey, Theme } from '../src/layers/keys.ts';
import { LINE_KEYS, THEMES } from '../src/layers/keys.ts';

/** What is true of a point and one line, at the default search radius of 500 m. */
export interface ExpectedLine {
  readonly within: boolean;
  /** D25. */
  readonly uncertain: boolean;
  /** D27 and D28, metres to one decimal; null when nothing in force is within the radius. */
  readonly distanceM: number | null;
  /** D30. */
  readonly count: number;
  /** D26: `objekt_id` of the hit. */
  readonly hit: string | null;
  /** D31: `objekt_id` of the repealed ones, nearest first; two as far away in no set order. */
  readonly repealed: readonly string[];
}

export interface SamplePoint {
  readonly id: string;
  /** What is to be seen there. */
  readonly about: string;
  readonly utm32: PointUtm32;
  /** The same place, to 7 decimals (about a centimetre). */
  readonly wgs84: PointWgs84;
  /** Codes of the areas that cover it, in order. */
  readonly areas: Readonly<Record<Theme, readonly string[]>>;
  /** The lines the point was chosen for; the others hold what scattered features make of them. */
  readonly lines: Readonly<Partial<Record<LineKey, ExpectedLine>>>;
}

const NONE: ExpectedLine = {
  within: false,
  uncertain: false,
  distanceM: null,
  count: 0,
  hit: null,
  repealed: [],
};

const NOTHING_NEAR = Object.fromEntries(LINE_KEYS.map((key) => [key, NONE])) as Readonly<
  Record<LineKey, ExpectedLine>
>;

type Rest = Partial<ExpectedLine> & Pick<ExpectedLine, 'count'>;

const outside = (distanceM: number, rest: Rest): ExpectedLine => ({ ...NONE, distanceM, ...rest });
const inside = (distanceM: number, rest: Rest): ExpectedLine =>
  outside(distanceM, { within: true, ...rest });

const CANCELLED_DYKE = 'b205fcab-833c-4dd3-88a9-7a90967388a0';
const REPEALED_FOREST = 'e72cf584-76e2-44ee-bd50-f75316274e6d';
const REPEALED_FORESTS = ['abe2393e-1db8-4e4f-b5cf-21b0c6036767', REPEALED_FOREST];

interface Truth {
  /** Metres east and north in EPSG:25832. */
  readonly at: readonly [number, number];
  /** Codes theme by theme in document order; a slash where two areas cover the point. */
  readonly areas: string;
  readonly lines: SamplePoint['lines'];
}

function pointAt(id: string, about: string, { at, areas, lines }: Truth): SamplePoint {
  const [xUtm32, yUtm32] = at;
  const { lon, lat } = toWgs84({ xUtm32, yUtm32 });
  const parts = areas === '' ? [] : areas.split(' ');
  const codes = THEMES.map((theme, i) => [theme, parts[i]?.split('/') ?? []]);
  return {
    id,
    about,
    utm32: { xUtm32, yUtm32 },
    wgs84: { lon: Number(lon.toFixed(7)), lat: Number(lat.toFixed(7)) },
    areas: Object.fromEntries(codes) as SamplePoint['areas'],
    lines,
  };
}

export const SAMPLE_POINTS: readonly SamplePoint[] = [
  pointAt('middle', 'The middle of Midtby: a municipality that fills a hole in another', {
    at: [650000, 6314000],
    areas: '1091 0093 9901 1191 1491 0001',
    lines: {},
  }),
  pointAt(
    'exclave',
    'A piece of Prøveholm Kommune in the midst of Ringkilde Kommune; no line within 500 m',
    { at: [648191, 6315805], areas: '1091 0091 9906 1192 1492 0003', lines: NOTHING_NEAR },
  ),
  pointAt('border', 'A vertex of the border between two municipalities: both cover it', {
    at: [651012.432, 6314243.767],
    areas: '1091 0092/0093 9901/9902 1191 1491 0001',
    lines: {},
  }),
  pointAt(
    'islet',
    'The middle of an islet: eight strand parcels meet here, and none of their sides is an edge',
    {
      at: [656500, 6311000],
      areas: '1091 0091 9913 1192 1492 0003',
      lines: {
        strandbeskyttelse: inside(-387.9, { count: 8, hit: '9900257_23' }),
        klitfredning: NONE,
      },
    },
  ),
  pointAt('outer-islet', 'An islet outside the division into municipalities', {
    at: [643000, 6318500],
    areas: '1092 0095 9914 1193 1492 0004',
    lines: { strandbeskyttelse: inside(-252.3, { count: 1, hit: '9900265_23' }) },
  }),
  pointAt('sea', 'Open sea: no area, and no line within 500 m', {
    at: [650000, 6321000],
    areas: '',
    lines: NOTHING_NEAR,
  }),
  pointAt('beach', 'In the strand zone, 135 m from its edges', {
    at: [650000, 6318041],
    areas: '1092 0094 9905 1193 1492 0004',
    lines: {
      strandbeskyttelse: inside(-135.1, { count: 10, hit: '9900197_23' }),
      klitfredning: NONE,
    },
  }),
  pointAt(
    'beach-cut',
    'Where strand parcels meet in a T and one of them lacks the vertex by 0.7 mm',
    {
      at: [644877.586, 6314760.205],
      areas: '1091 0092 9908 1192 1491 0002',
      lines: { strandbeskyttelse: inside(-124.4, { count: 13, hit: '9900220_23' }) },
    },
  ),
  pointAt('dune-cut', 'The same in the dune zone; the strand zone ends nearer the coast', {
    at: [645308.275, 6315303.946],
    areas: '1091 0092 9907 1192 1491 0002',
    lines: {
      klitfredning: inside(-195.8, { count: 14, hit: '9800005_41' }),
      strandbeskyttelse: inside(-88, { count: 12, hit: '9900217_23' }),
    },
  }),
  pointAt('harbour', 'The harbour: a gap in the strand zone', {
    at: [652700, 6310884],
    areas: '1092 0094 9910 1193 1492 0004',
    lines: { strandbeskyttelse: outside(274.5, { count: 6 }) },
  }),
  pointAt('forest', 'In an adopted forest zone and a proposed one at once', {
    at: [647650, 6314000],
    areas: '1091 0091 9908 1192 1492 0003',
    lines: {
      skov: inside(-111.8, {
        count: 2,
        hit: 'a8bc891f-7789-44b5-8a67-94da3ccd55ca',
        repealed: REPEALED_FORESTS,
      }),
    },
  }),
  pointAt('forest-proposed', 'In a proposed forest zone only: in force, but uncertain', {
    at: [647900, 6314000],
    areas: '1091 0092 9902 1191 1491 0001',
    lines: {
      skov: inside(-100, {
        count: 2,
        hit: 'e6dda907-2932-45bb-8c43-1dde26ca983e',
        uncertain: true,
        repealed: REPEALED_FORESTS,
      }),
    },
  }),
  pointAt('forest-repealed', 'In a repealed forest zone: outside, with the repealed one listed', {
    at: [647500, 6313650],
    areas: '1091 0091 9908 1192 1492 0003',
    lines: { skov: outside(200, { count: 2, repealed: [REPEALED_FOREST] }) },
  }),
  pointAt('forest-hole', 'In a hole of the forest zone', {
    at: [647420, 6314000],
    areas: '1091 0091 9908 1192 1492 0003',
    lines: { skov: outside(40, { count: 2, repealed: REPEALED_FORESTS }) },
  }),
  pointAt('forest-hidden', 'Where only an ended version and rows not public lie', {
    at: [647000, 6314000],
    areas: '1091 0092 9907 1192 1491 0002',
    lines: { skov: outside(300, { count: 1, repealed: REPEALED_FORESTS }) },
  }),
  pointAt('dyke', 'On a dyke', {
    at: [652000, 6315200],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: {
      dige: inside(0, {
        count: 2,
        hit: 'd7c0dea7-fe78-487b-aaa5-c0e4929d1128',
        repealed: [CANCELLED_DYKE],
      }),
      vandloeb: outside(300, { count: 1 }),
    },
  }),
  pointAt('dyke-tolerance', 'One and a half metres from a dyke: on it, within the tolerance', {
    at: [652000, 6315201.5],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: {
      dige: inside(1.5, {
        count: 2,
        hit: 'd7c0dea7-fe78-487b-aaa5-c0e4929d1128',
        repealed: [CANCELLED_DYKE],
      }),
    },
  }),
  pointAt('dyke-beside', 'Three metres from a dyke: beside it', {
    at: [652000, 6315203],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: { dige: outside(3, { count: 2, repealed: [CANCELLED_DYKE] }) },
  }),
  pointAt('dyke-unadopted', 'On a dyke of unknown status: uncertain', {
    at: [652000, 6315400],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: {
      dige: inside(0, {
        count: 2,
        hit: 'd68575c1-4b7d-48ff-b7bb-e4419f2fb3e1',
        uncertain: true,
        repealed: [CANCELLED_DYKE],
      }),
    },
  }),
  pointAt('stream', 'Exactly two metres from a stream: on it', {
    at: [652000, 6315502],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: { vandloeb: inside(2, { count: 1, hit: '9337a189-4319-4e8d-a88b-182c7ac6dffa' }) },
  }),
  pointAt('lake-proposed', 'In a lake zone that is only proposed', {
    at: [652400, 6315200],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: {
      soe: inside(-100, { count: 1, hit: '091b8f00-9bb8-435f-8f8b-b1ae890652c3', uncertain: true }),
    },
  }),
  pointAt('monument', 'In two zones of one locality', {
    at: [651740, 6315200],
    areas: '1092 0094 9904 1193 1492 0004',
    lines: { fortidsminde: inside(-102.4, { count: 2, hit: '9990001' }) },
  }),
  pointAt('bog', 'In a bog and in a lake within the bog', {
    at: [651500, 6312300],
    areas: '1092 0094 9911 1193 1492 0004',
    lines: { natur: inside(-100, { count: 6, hit: '58dec6e0-e705-4b5f-9cfc-8087966bee2b' }) },
  }),
  pointAt('bow-tie', 'In one wing of an area whose ring crosses itself', {
    at: [651715, 6312350],
    areas: '1092 0094 9911 1193 1492 0004',
    lines: { natur: inside(-15, { count: 6, hit: 'e7396ca4-8512-4971-a9ea-ba7b38d27970' }) },
  }),
  pointAt('pinched', 'In an area whose ring touches itself and walls in a hole', {
    at: [651290, 6312210],
    areas: '1091 0091 9910 1193 1492 0003',
    lines: { natur: inside(-10, { count: 6, hit: '349f7cd9-2f1c-4fe8-beb9-abdbe24f70f1' }) },
  }),
  pointAt('pinched-hole', 'In the hole walled in by that ring', {
    at: [651250, 6312270],
    areas: '1091 0091 9910 1193 1492 0003',
    lines: { natur: outside(15.4, { count: 6 }) },
  }),
  pointAt('nature-proposed', 'In protected nature that is only proposed', {
    at: [651500, 6312550],
    areas: '1092 0094 9911 1193 1492 0004',
    lines: {
      natur: inside(-50, {
        count: 6,
        hit: '7aef2837-8f4b-4a05-94be-8a48dc1ceb26',
        uncertain: true,
      }),
    },
  }),
  pointAt('quiet', 'Inland, with no line within 500 m', {
    at: [648600, 6315800],
    areas: '1091 0091 9906 1192 1492 0003',
    lines: NOTHING_NEAR,
  }),
];

/** A point by its id. @throws RangeError when there is none. */
export function samplePoint(id: string): SamplePoint {
  const found = SAMPLE_POINTS.find((point) => point.id === id);
  if (found === undefined) throw new RangeError(`No sample point ${id}`);
  return found;
}
