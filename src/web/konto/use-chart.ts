/** Units per day by part, and their sum. Parts differ by pattern too. */
import type { Part, UseSums } from './use-sums.ts';
import { roundUp } from './use-sums.ts';
import { dayWords, number } from '../shared/format.ts';
import { percent, unitsOf } from './words.ts';
import { html, nothing, svg } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';

const DAYS_HEIGHT = 150;
const TO_DATE_HEIGHT = 110;
const TOP = 16;
const BOTTOM = 18;
const DIGIT = 7;
const NAMED_DAYS = [1, 8, 15, 22, 29];

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly step: number;
  /** At the top of the picture. */
  readonly most: number;
  readonly y: (value: number) => number;
}

export interface ChartOptions {
  readonly width: number;
  readonly allowance: number;
}

/** Both pictures leave the room that the larger number takes: days lie above one another. */
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

/** Parts that share a fill go by one name. */
export type NameOf = (part: Part) => string;

export function fillName({ parts }: UseSums, fill: number, nameOf: NameOf): string {
  const [part, ...more] = parts.filter((each) => each.fill === fill);
  return part === undefined || more.length > 0 ? t('Øvrige', 'Others') : nameOf(part);
}

export function perDayWords(): string {
  return t('Enheder pr. dag', 'Units per day');
}

export function toDateWords(): string {
  return t('Måneden til dato', 'Month to date');
}

export function daysChart(sums: UseSums, options: ChartOptions, nameOf: NameOf): TemplateResult {
  const most = roundUp(Math.max(...sums.days.map(({ units }) => units)));
  const frame = frameOf(sums, options, { height: DAYS_HEIGHT, most });
  const columns = sums.days.map((day, index) => {
    if (day.units === 0) return nothing;
    const { x, width } = columnAt(frame, index);
    let below = 0;
    const told: string[] = [];
    const rects = day.byFill.flatMap((units, fill) => {
      if (units === 0) return [];
      const y = frame.y(below + units);
      const height = frame.y(below) - y;
      below += units;
      told.push(`${fillName(sums, fill, nameOf)} ${number(units)}`);
      return svg`<rect x=${x} width=${width} y=${y} height=${height} fill="url(#fill-${fill})" />`;
    });
    const title = `${dayWords(day.day)}: ${unitsOf(day.units)} (${told.join(', ')})`;
    return svg`<g class="column"><title>${title}</title>${rects}</g>`;
  });
  return picture(
    ofDays(sums),
    frame,
    svg`<defs>${PATTERNS.map(pattern)}</defs>${axes(frame, sums)}${columns}`,
  );
}

function picture(label: string, { width, height }: Frame, content: TemplateResult<2>) {
  return html`<svg class="use-chart" width=${width} height=${height} role="img" aria-label=${label}>
    ${content}
  </svg>`;
}

/** Ends with the last day there is something to say of. */
export function toDateChart(sums: UseSums, options: ChartOptions, today: string): TemplateResult {
  const { width, allowance } = options;
  const most = mostToDate(sums, allowance);
  const frame = frameOf(sums, options, { height: TO_DATE_HEIGHT, most });
  const known = sums.days.filter(({ day, units }, index) => {
    const later = sums.days.slice(index + 1).some((other) => other.units > 0);
    return day <= today || units > 0 || later;
  });
  const points = known.map(({ toDate }, index) => {
    const x = frame.left + frame.step * (index + 1);
    return `${x.toFixed(1)},${frame.y(toDate).toFixed(1)}`;
  });
  const line = [`${frame.left},${frame.y(0)}`, ...points].join(' ');
  const end = (frame.left + frame.step * known.length).toFixed(1);
  const y = frame.y(allowance);
  const label = `${t('Inkluderet', 'Included')} ${number(allowance)}`;
  return picture(
    ofMonth(sums, allowance),
    frame,
    svg`${axes(frame, sums)}
    <polygon class="to-date-area" points="${line} ${end},${frame.y(0)}" />
    <polyline class="to-date" points=${line} />
    <line class="allowance" x1=${frame.left} x2=${width} y1=${y} y2=${y} />
    <text class="allowance-name" x=${width} y=${y - 4} text-anchor="end">${label}</text>`,
  );
}

function columnAt({ left, step }: Frame, index: number) {
  const gap = step > 8 ? 2 : 1;
  return { x: left + step * index + gap / 2, width: Math.max(1, step - gap) };
}

function axes({ width, height, left, most, step, y }: Frame, { days }: UseSums) {
  const lines = [0, most / 2, most].filter((value) => Number.isInteger(value));
  const named = NAMED_DAYS.filter((day) => day <= days.length);
  return svg`${lines.map(
    (value) =>
      svg`<line class=${value === 0 ? 'axis' : 'grid'} x1=${left} x2=${width} y1=${y(value)} y2=${y(value)} />
      <text x=${left - 6} y=${y(value) + 4} text-anchor="end">${number(value)}</text>`,
  )}${named.map(
    (day) =>
      svg`<text x=${left + step * (day - 0.5)} y=${height - 4} text-anchor="middle">${day}</text>`,
  )}`;
}

const SIDE = 8;
const PATTERNS: readonly (readonly [colour: string, mark: string])[] = [
  ['var(--accent)', ''],
  ['light-dark(#b4530a, var(--warn))', 'M-2 10L10 -2M-2 2L2 -2M6 10L10 6'],
  ['light-dark(#5b3fa8, #b9a5f5)', 'M0 2H8M0 6H8'],
  ['var(--good)', 'M-2 -2L10 10M6 -2L10 2M-2 6L2 10'],
  ['var(--bad)', 'M2 0V8M6 0V8'],
  ['var(--muted)', 'M0 4H8M4 0V8'],
];

function pattern([colour, mark]: readonly [string, string], fill: number) {
  return svg`<pattern id="fill-${fill}" width=${SIDE} height=${SIDE} patternUnits="userSpaceOnUse">
    <rect fill=${colour} width=${SIDE} height=${SIDE} /><path class="fill-mark" d=${mark} />
  </pattern>`;
}

export function swatch(fill: number): TemplateResult {
  return html`<svg class="swatch" width="16" height="16" aria-hidden="true">
    <rect width="16" height="16" fill="url(#fill-${fill})" />
  </svg>`;
}

function ofDays({ days, units }: UseSums): string {
  const largest = days.reduce((most, day) => (day.units > most.units ? day : most));
  const most = `${number(largest.units)} ${t('den', 'on')} ${dayWords(largest.day)}`;
  return `${perDayWords()}: ${unitsOf(units)}, ${t('mest', 'most')} ${most}`;
}

function ofMonth({ units }: UseSums, allowance: number): string {
  const share = allowance === 0 ? '' : ` (${percent(units / allowance)})`;
  return `${toDateWords()}: ${number(units)} ${t('af', 'of')} ${unitsOf(allowance)}${share}`;
}
