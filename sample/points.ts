/**
 * Example points with a known truth: the README and the API document show them, tests hold the
 * answers against them. The sites are laid out so that the numbers can be worked out by hand; a
 * test compares every one with an independent judge.
 */
import type { PointUtm32, PointWgs84 } from '../src/geo/point.ts';
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

function inside(distanceM: number, rest: Rest): ExpectedLine {
  return { ...NONE, within: true, distanceM, ...rest };
}

function outside(distanceM: number, rest: Rest): ExpectedLine {
  return { ...NONE, distanceM, ...rest };
}

/** Codes theme by theme in document order; a slash where two areas cover the point. */
function codes(text: string): SamplePoint['areas'] {
  const parts = text === '' ? [] : text.split(' ');
  return Object.fromEntries(
    THEMES.map((theme, i) => [theme, parts[i]?.split('/') ?? []]),
  ) as Record<Theme, string[]>;
}

export const SAMPLE_POINTS: readonly SamplePoint[] = [
  {
    id: 'middle',
    about: 'The middle of Midtby: a municipality that fills a hole in another',
    utm32: { xUtm32: 650000, yUtm32: 6314000 },
    wgs84: { lon: 11.465912, lat: 56.9452721 },
    areas: codes('1091 0093 9901 1191 1491 0001'),
    lines: {},
  },
  {
    id: 'exclave',
    about: 'A piece of Prøveholm Kommune in the midst of Ringkilde Kommune; no line within 500 m',
    utm32: { xUtm32: 648191, yUtm32: 6315805 },
    wgs84: { lon: 11.4372614, lat: 56.9620553 },
    areas: codes('1091 0091 9906 1192 1492 0003'),
    lines: NOTHING_NEAR,
  },
  {
    id: 'border',
    about: 'A vertex of the border between two municipalities: both cover it',
    utm32: { xUtm32: 651012.432, yUtm32: 6314243.767 },
    wgs84: { lon: 11.4826836, lat: 56.9471308 },
    areas: codes('1091 0092/0093 9901/9902 1191 1491 0001'),
    lines: {},
  },
  {
    id: 'islet',
    about:
      'The middle of an islet: eight strand parcels meet here, and none of their sides is an edge',
    utm32: { xUtm32: 656500, yUtm32: 6311000 },
    wgs84: { lon: 11.570795, lat: 56.9161972 },
    areas: codes('1091 0091 9913 1192 1492 0003'),
    lines: {
      strandbeskyttelse: inside(-387.9, { count: 8, hit: '9900257_23' }),
      klitfredning: NONE,
    },
  },
  {
    id: 'outer-islet',
    about: 'An islet outside the division into municipalities',
    utm32: { xUtm32: 643000, yUtm32: 6318500 },
    wgs84: { lon: 11.3534954, lat: 56.9878788 },
    areas: codes('1092 0095 9914 1193 1492 0004'),
    lines: { strandbeskyttelse: inside(-252.3, { count: 1, hit: '9900265_23' }) },
  },
  {
    id: 'sea',
    about: 'Open sea: no area, and no line within 500 m',
    utm32: { xUtm32: 650000, yUtm32: 6321000 },
    wgs84: { lon: 11.4700698, lat: 57.0080984 },
    areas: codes(''),
    lines: NOTHING_NEAR,
  },
  {
    id: 'beach',
    about: 'In the strand zone, 135 m from its edges',
    utm32: { xUtm32: 650000, yUtm32: 6318041 },
    wgs84: { lon: 11.4683101, lat: 56.9815409 },
    areas: codes('1092 0094 9905 1193 1492 0004'),
    lines: {
      strandbeskyttelse: inside(-135.1, { count: 10, hit: '9900197_23' }),
      klitfredning: NONE,
    },
  },
  {
    id: 'beach-cut',
    about: 'Where strand parcels meet in a T and one of them lacks the vertex by 0.7 mm',
    utm32: { xUtm32: 644877.586, yUtm32: 6314760.205 },
    wgs84: { lon: 11.382222, lat: 56.9537267 },
    areas: codes('1091 0092 9908 1192 1491 0002'),
    lines: { strandbeskyttelse: inside(-124.4, { count: 13, hit: '9900220_23' }) },
  },
  {
    id: 'dune-cut',
    about: 'The same in the dune zone; the strand zone ends nearer the coast',
    utm32: { xUtm32: 645308.275, yUtm32: 6315303.946 },
    wgs84: { lon: 11.3896092, lat: 56.9584722 },
    areas: codes('1091 0092 9907 1192 1491 0002'),
    lines: {
      klitfredning: inside(-195.8, { count: 14, hit: '9800005_41' }),
      strandbeskyttelse: inside(-88, { count: 12, hit: '9900217_23' }),
    },
  },
  {
    id: 'harbour',
    about: 'The harbour: a gap in the strand zone',
    utm32: { xUtm32: 652700, yUtm32: 6310884 },
    wgs84: { lon: 11.508372, lat: 56.9164235 },
    areas: codes('1092 0094 9910 1193 1492 0004'),
    lines: { strandbeskyttelse: outside(274.5, { count: 6 }) },
  },
  {
    id: 'forest',
    about: 'In an adopted forest zone and a proposed one at once',
    utm32: { xUtm32: 647650, yUtm32: 6314000 },
    wgs84: { lon: 11.4273191, lat: 56.9460274 },
    areas: codes('1091 0091 9908 1192 1492 0003'),
    lines: {
      skov: inside(-111.8, {
        count: 2,
        hit: 'a8bc891f-7789-44b5-8a67-94da3ccd55ca',
        repealed: ['abe2393e-1db8-4e4f-b5cf-21b0c6036767', 'e72cf584-76e2-44ee-bd50-f75316274e6d'],
      }),
    },
  },
  {
    id: 'forest-proposed',
    about: 'In a proposed forest zone only: in force, but uncertain',
    utm32: { xUtm32: 647900, yUtm32: 6314000 },
    wgs84: { lon: 11.4314248, lat: 56.9459477 },
    areas: codes('1091 0092 9902 1191 1491 0001'),
    lines: {
      skov: inside(-100, {
        count: 2,
        hit: 'e6dda907-2932-45bb-8c43-1dde26ca983e',
        uncertain: true,
        repealed: ['abe2393e-1db8-4e4f-b5cf-21b0c6036767', 'e72cf584-76e2-44ee-bd50-f75316274e6d'],
      }),
    },
  },
  {
    id: 'forest-repealed',
    about: 'In a repealed forest zone: outside, with the repealed one listed',
    utm32: { xUtm32: 647500, yUtm32: 6313650 },
    wgs84: { lon: 11.4246516, lat: 56.9429338 },
    areas: codes('1091 0091 9908 1192 1492 0003'),
    lines: { skov: outside(200, { count: 2, repealed: ['e72cf584-76e2-44ee-bd50-f75316274e6d'] }) },
  },
  {
    id: 'forest-hole',
    about: 'In a hole of the forest zone',
    utm32: { xUtm32: 647420, yUtm32: 6314000 },
    wgs84: { lon: 11.4235418, lat: 56.9461007 },
    areas: codes('1091 0091 9908 1192 1492 0003'),
    lines: {
      skov: outside(40, {
        count: 2,
        repealed: ['abe2393e-1db8-4e4f-b5cf-21b0c6036767', 'e72cf584-76e2-44ee-bd50-f75316274e6d'],
      }),
    },
  },
  {
    id: 'forest-hidden',
    about: 'Where only an ended version and rows not public lie',
    utm32: { xUtm32: 647000, yUtm32: 6314000 },
    wgs84: { lon: 11.4166441, lat: 56.9462343 },
    areas: codes('1091 0092 9907 1192 1491 0002'),
    lines: {
      skov: outside(300, {
        count: 1,
        repealed: ['abe2393e-1db8-4e4f-b5cf-21b0c6036767', 'e72cf584-76e2-44ee-bd50-f75316274e6d'],
      }),
    },
  },
  {
    id: 'dyke',
    about: 'On a dyke',
    utm32: { xUtm32: 652000, yUtm32: 6315200 },
    wgs84: { lon: 11.4994766, lat: 56.9553899 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: {
      dige: inside(0, {
        count: 2,
        hit: 'd7c0dea7-fe78-487b-aaa5-c0e4929d1128',
        repealed: ['b205fcab-833c-4dd3-88a9-7a90967388a0'],
      }),
      vandloeb: outside(300, { count: 1 }),
    },
  },
  {
    id: 'dyke-tolerance',
    about: 'One and a half metres from a dyke: on it, within the tolerance',
    utm32: { xUtm32: 652000, yUtm32: 6315201.5 },
    wgs84: { lon: 11.4994775, lat: 56.9554033 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: {
      dige: inside(1.5, {
        count: 2,
        hit: 'd7c0dea7-fe78-487b-aaa5-c0e4929d1128',
        repealed: ['b205fcab-833c-4dd3-88a9-7a90967388a0'],
      }),
    },
  },
  {
    id: 'dyke-beside',
    about: 'Three metres from a dyke: beside it',
    utm32: { xUtm32: 652000, yUtm32: 6315203 },
    wgs84: { lon: 11.4994784, lat: 56.9554168 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: { dige: outside(3, { count: 2, repealed: ['b205fcab-833c-4dd3-88a9-7a90967388a0'] }) },
  },
  {
    id: 'dyke-unadopted',
    about: 'On a dyke of unknown status: uncertain',
    utm32: { xUtm32: 652000, yUtm32: 6315400 },
    wgs84: { lon: 11.4995968, lat: 56.9571849 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: {
      dige: inside(0, {
        count: 2,
        hit: 'd68575c1-4b7d-48ff-b7bb-e4419f2fb3e1',
        uncertain: true,
        repealed: ['b205fcab-833c-4dd3-88a9-7a90967388a0'],
      }),
    },
  },
  {
    id: 'stream',
    about: 'Exactly two metres from a stream: on it',
    utm32: { xUtm32: 652000, yUtm32: 6315502 },
    wgs84: { lon: 11.4996581, lat: 56.9581003 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: { vandloeb: inside(2, { count: 1, hit: '9337a189-4319-4e8d-a88b-182c7ac6dffa' }) },
  },
  {
    id: 'lake-proposed',
    about: 'In a lake zone that is only proposed',
    utm32: { xUtm32: 652400, yUtm32: 6315200 },
    wgs84: { lon: 11.506047, lat: 56.9552583 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: {
      soe: inside(-100, { count: 1, hit: '091b8f00-9bb8-435f-8f8b-b1ae890652c3', uncertain: true }),
    },
  },
  {
    id: 'monument',
    about: 'In two zones of one locality',
    utm32: { xUtm32: 651740, yUtm32: 6315200 },
    wgs84: { lon: 11.4952058, lat: 56.9554752 },
    areas: codes('1092 0094 9904 1193 1492 0004'),
    lines: { fortidsminde: inside(-102.4, { count: 2, hit: '9990001' }) },
  },
  {
    id: 'bog',
    about: 'In a bog and in a lake within the bog',
    utm32: { xUtm32: 651500, yUtm32: 6312300 },
    wgs84: { lon: 11.4895276, lat: 56.9295261 },
    areas: codes('1092 0094 9911 1193 1492 0004'),
    lines: { natur: inside(-100, { count: 6, hit: '58dec6e0-e705-4b5f-9cfc-8087966bee2b' }) },
  },
  {
    id: 'bow-tie',
    about: 'In one wing of an area whose ring crosses itself',
    utm32: { xUtm32: 651715, yUtm32: 6312350 },
    wgs84: { lon: 11.4930867, lat: 56.9299045 },
    areas: codes('1092 0094 9911 1193 1492 0004'),
    lines: { natur: inside(-15, { count: 6, hit: 'e7396ca4-8512-4971-a9ea-ba7b38d27970' }) },
  },
  {
    id: 'pinched',
    about: 'In an area whose ring touches itself and walls in a hole',
    utm32: { xUtm32: 651290, yUtm32: 6312210 },
    wgs84: { lon: 11.4860267, lat: 56.9287869 },
    areas: codes('1091 0091 9910 1193 1492 0003'),
    lines: { natur: inside(-10, { count: 6, hit: '349f7cd9-2f1c-4fe8-beb9-abdbe24f70f1' }) },
  },
  {
    id: 'pinched-hole',
    about: 'In the hole walled in by that ring',
    utm32: { xUtm32: 651250, yUtm32: 6312270 },
    wgs84: { lon: 11.4854059, lat: 56.9293385 },
    areas: codes('1091 0091 9910 1193 1492 0003'),
    lines: { natur: outside(15.4, { count: 6 }) },
  },
  {
    id: 'nature-proposed',
    about: 'In protected nature that is only proposed',
    utm32: { xUtm32: 651500, yUtm32: 6312550 },
    wgs84: { lon: 11.4896771, lat: 56.9317698 },
    areas: codes('1092 0094 9911 1193 1492 0004'),
    lines: {
      natur: inside(-50, {
        count: 6,
        hit: '7aef2837-8f4b-4a05-94be-8a48dc1ceb26',
        uncertain: true,
      }),
    },
  },
  {
    id: 'quiet',
    about: 'Inland, with no line within 500 m',
    utm32: { xUtm32: 648600, yUtm32: 6315800 },
    wgs84: { lon: 11.4439783, lat: 56.9618792 },
    areas: codes('1091 0091 9906 1192 1492 0003'),
    lines: NOTHING_NEAR,
  },
];

/** A point by its id. @throws RangeError when there is none. */
export function samplePoint(id: string): SamplePoint {
  const found = SAMPLE_POINTS.find((point) => point.id === id);
  if (found === undefined) throw new RangeError(`No sample point ${id}`);
  return found;
}
