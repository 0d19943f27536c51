/**
 * A month's use as two pictures: units per day by part, and the sum. Parts differ by pattern too.
 */
import { s } from '../shared/dom.ts';
import type { Part, UseSums } from './use-sums.ts';
import { FILLS, roundUp } from './use-sums.ts';
import { number } from '../shared/format.ts';
import { dayWords, percent, words } from './words.ts';

const DAYS_HEIGHT = 150;
const TO_DATE_HEIGHT = 110;
/** Room above for a label, below for the days. */
const TOP = 16;
const BOTTOM = 18;
/** Rough width of a digit of the labels. */
const DIGIT = 7;
/** Days that are named under the picture. */
const NAMED_DAYS = [1, 8, 15, 22, 29];

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  /** Width of one day. */
  readonly step: number;
  /** What the top of the picture stands for. */
  readonly most: number;
  readonly y: (value: number) => number;
}

/** How wide the pictures are, and what the plan includes. */
export interface ChartOptions {
  readonly width: number;
  readonly allowance: number;
}

/** Days lie above one another: both pictures leave the room that the larger number takes. */
function frameOf(
  sums: UseSums,
  { width, allowance }: ChartOptions,
  { height, most }: { height: number; most: number },
): Frame {
  const left = number(mostToDate(sums, allowance)).length * DIGIT + 8;
  const plot = height - TOP - BOTTOM;
  return {
    ...{ width, height, left, most },
    step: (width - left) / sums.days.length,
    y: (value) => TOP + plot * (1 - value / most),
  };
}

function mostToDate({ units }: UseSums, allowance: number): number {
  return roundUp(Math.max(allowance, units));
}

/** What a part is called; those that share a fill go by one name. */
export type NameOf = (part: Part) => string;

export function fillName({ parts }: UseSums, fill: number, nameOf: NameOf): string {
  const [part, ...more] = parts.filter((each) => each.fill === fill);
  return part === undefined || more.length > 0 ? words().others : nameOf(part);
}

export function daysChart(sums: UseSums, options: ChartOptions, nameOf: NameOf): SVGElement {
  const most = roundUp(Math.max(...sums.days.map(({ units }) => units)));
  const frame = frameOf(sums, options, { height: DAYS_HEIGHT, most });
  const { width } = options;
  const columns = sums.days.map((day, index) => {
    if (day.units === 0) return null;
    let below = 0;
    const told: string[] = [];
    const rects = day.byFill.flatMap((units, fill) => {
      if (units === 0) return [];
      const y = frame.y(below + units);
      const height = frame.y(below) - y;
      below += units;
      told.push(`${fillName(sums, fill, nameOf)} ${number(units)}`);
      return [s('rect', { ...columnAt(frame, index), y, height, fill: `url(#fill-${fill})` })];
    });
    const title = `${dayWords(day.day)}: ${number(day.units)} ${words().units} (${told.join(', ')})`;
    return s('g', { class: 'column' }, s('title', {}, title), ...rects);
  });
  return s(
    'svg',
    { class: 'use-chart', width, height: frame.height, role: 'img', 'aria-label': ofDays(sums) },
    s('defs', {}, ...Array.from({ length: FILLS }, (_, fill) => pattern(fill))),
    ...axes(frame, sums),
    ...columns,
  );
}

/** The picture ends with the last day there is something to say of. */
export function toDateChart(sums: UseSums, options: ChartOptions, today: string): SVGElement {
  const { width, allowance } = options;
  const frame = frameOf(sums, options, {
    height: TO_DATE_HEIGHT,
    most: mostToDate(sums, allowance),
  });
  const known = sums.days.filter(({ day, units }, index) => {
    const later = sums.days.slice(index + 1).some((other) => other.units > 0);
    return day <= today || units > 0 || later;
  });
  const points = known.map(({ toDate }, index) => {
    const x = frame.left + frame.step * (index + 1);
    return `${x.toFixed(1)},${frame.y(toDate).toFixed(1)}`;
  });
  const begin = `${frame.left},${frame.y(0)}`;
  const end = frame.left + frame.step * known.length;
  const line = frame.y(allowance);
  const label = `${words().included} ${number(allowance)}`;
  return s(
    'svg',
    {
      class: 'use-chart',
      ...{ width, height: frame.height, role: 'img', 'aria-label': ofMonth(sums, allowance) },
    },
    ...axes(frame, sums),
    s('polygon', {
      class: 'to-date-area',
      points: [begin, ...points, `${end.toFixed(1)},${frame.y(0)}`].join(' '),
    }),
    s('polyline', { class: 'to-date', points: [begin, ...points].join(' ') }),
    s('line', { class: 'allowance', x1: frame.left, x2: width, y1: line, y2: line }),
    s('text', { class: 'allowance-name', x: width, y: line - 4, 'text-anchor': 'end' }, label),
  );
}

function columnAt({ left, step }: Frame, index: number) {
  const gap = step > 8 ? 2 : 1;
  return { x: left + step * index + gap / 2, width: Math.max(1, step - gap) };
}

function axes({ width, height, left, most, step, y }: Frame, { days }: UseSums): SVGElement[] {
  const lines = [0, most / 2, most].filter((value) => Number.isInteger(value));
  return [
    ...lines.flatMap((value) => [
      s('line', {
        class: value === 0 ? 'axis' : 'grid',
        x1: left,
        x2: width,
        y1: y(value),
        y2: y(value),
      }),
      s('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, number(value)),
    ]),
    ...NAMED_DAYS.filter((day) => day <= days.length).map((day) =>
      s(
        'text',
        { x: left + step * (day - 0.5), y: height - 4, 'text-anchor': 'middle' },
        String(day),
      ),
    ),
  ];
}

const SIDE = 8;
/** What lies over the ground of each fill. */
const MARKS: readonly (string | null)[] = [
  null,
  'M-2 10L10 -2M-2 2L2 -2M6 10L10 6',
  'M0 2H8M0 6H8',
  'M-2 -2L10 10M6 -2L10 2M-2 6L2 10',
  'M2 0V8M6 0V8',
  'M0 4H8M4 0V8',
];

function pattern(fill: number): SVGElement {
  const mark = MARKS[fill];
  return s(
    'pattern',
    { id: `fill-${fill}`, width: SIDE, height: SIDE, patternUnits: 'userSpaceOnUse' },
    s('rect', { class: `fill-${fill}`, width: SIDE, height: SIDE }),
    typeof mark === 'string' && s('path', { class: 'fill-mark', d: mark }),
  );
}

/** The fill of a part, beside its name. */
export function swatch(fill: number): SVGElement {
  return s(
    'svg',
    { class: 'swatch', width: 16, height: 16, 'aria-hidden': 'true' },
    s('rect', { width: 16, height: 16, fill: `url(#fill-${fill})` }),
  );
}

function ofDays({ days, units }: UseSums): string {
  const said = words();
  const largest = days.reduce((most, day) => (day.units > most.units ? day : most));
  return (
    `${said.perDay}: ${number(units)} ${said.units}, ` +
    `${said.most} ${number(largest.units)} ${said.at} ${dayWords(largest.day)}`
  );
}

function ofMonth({ units }: UseSums, allowance: number): string {
  const said = words();
  const share = allowance === 0 ? '' : ` (${percent(units / allowance)})`;
  return `${said.toDate}: ${number(units)} ${said.of} ${number(allowance)} ${said.units}${share}`;
}
