/**
 * A layer's age over the last days. The scale is that of the square root, so that a limit of a day and one of a
 * month are both in the picture; the line is broken where no age is on record. Under it, in a row of their own,
 * are refusals, failures, releases and reverts.
 */
import { h, s } from '../shared/dom.ts';
import { date, duration, limit, list, moment, number, span } from '../shared/format.ts';
import { ageAt, ageSummary, stretches } from './ages.ts';
import type { Stretch } from './ages.ts';
import type { EndedRun, History } from './types.ts';
import { GUARD_WORDS, KIND_WORDS, RUN_WORDS } from './words.ts';

const SIZE = { wide: { width: 860, height: 168 }, narrow: { width: 320, height: 168 } };
const TOP = 12;
const BASE = 118;
const MARKS = 134;
const DAYS = 160;
const DAY_MS = 86_400_000;
/** Points of one stretch: the scale makes curves of straight lines. */
const POINTS = 12;

interface Scale {
  readonly width: number;
  readonly x: (ms: number) => number;
  readonly y: (ageS: number) => number;
}

export function ageChart(history: History, narrow: boolean): HTMLElement {
  const { width, height } = narrow ? SIZE.narrow : SIZE.wide;
  const scale = scaleOf(history, width);
  const parts = stretches(history);
  return h(
    'figure',
    { class: 'age-chart' },
    s(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': described(history) },
      ...bands(history, scale),
      ...dayTicks(history, scale, narrow ? 10 : 5),
      s('path', {
        class: 'line',
        d: parts.map((part, at) => curve(part, parts[at - 1], scale)).join(''),
      }),
      ...history.koersler.flatMap((run) => marksOf(run, scale)),
      ...limits(history, scale),
    ),
    parts.length === 0
      ? h('p', { class: 'muted' }, 'Der har ikke været nogen kopi i perioden.')
      : null,
    legend(),
  );
}

function scaleOf(history: History, width: number): Scale {
  const [fromMs, toMs] = [Date.parse(history.fra), Date.parse(history.til)];
  const { oldestS } = ageSummary(history);
  const top = Math.max(history.yderste_frist_s * 1.15, (oldestS ?? 0) * 1.05);
  return {
    width,
    x: (ms) => ((ms - fromMs) / Math.max(1, toMs - fromMs)) * width,
    y: (ageS) => BASE - Math.sqrt(ageS / top) * (BASE - TOP),
  };
}

/** Joined to the stretch before, where the copy was proved anew. */
function curve(
  { fromMs, toMs, provedMs }: Stretch,
  before: Stretch | undefined,
  { x, y }: Scale,
): string {
  if (provedMs === null) return '';
  const points = Array.from({ length: POINTS + 1 }, (_, index) => {
    const ms = fromMs + ((toMs - fromMs) * index) / POINTS;
    return `${x(ms).toFixed(1)} ${y(ageAt({ provedMs }, ms)).toFixed(1)}`;
  });
  const joins = (before?.provedMs ?? null) !== null;
  return `${joins ? 'L' : 'M'}${points.join('L')}`;
}

/** Where a copy is late, and where it does not answer any more. */
function bands({ frist_s: late, yderste_frist_s: dead }: History, { width, y }: Scale) {
  const band = (kind: string, from: number, to: number) =>
    s('rect', { class: kind, x: 0, width, y: to, height: Math.max(0, from - to) });
  return [band('in-time', BASE, y(late)), band('late', y(late), y(dead)), band('dead', y(dead), 0)];
}

/** Over the line of age, so that it hides none of them. */
function limits({ frist_s: late, yderste_frist_s: dead }: History, { width, y }: Scale) {
  const line = (kind: string, ageS: number, text: string) => [
    s('line', { class: `limit ${kind}`, x1: 0, x2: width, y1: y(ageS), y2: y(ageS) }),
    s('text', { class: `halo ${kind}`, x: 4, y: y(ageS) - 3 }, text),
  ];
  return [
    ...line('warn', late, `frist ${limit(late)}`),
    ...line('stale', dead, `svarer ikke efter ${limit(dead)}`),
  ];
}

function dayTicks({ fra, til }: History, { x, width }: Scale, every: number): SVGElement[] {
  const [fromMs, toMs] = [Date.parse(fra), Date.parse(til)];
  const days = Math.floor((toMs - fromMs) / DAY_MS);
  const ticks: SVGElement[] = [
    s('line', { class: 'axis', x1: 0, x2: width, y1: BASE + 0.5, y2: BASE + 0.5 }),
  ];
  for (let back = every; back <= days; back += every) {
    const ms = toMs - back * DAY_MS;
    const at = x(ms);
    ticks.push(s('line', { class: 'tick', x1: at, x2: at, y1: BASE, y2: BASE + 4 }));
    // One at the very edge would be cut.
    if (at > 18) {
      ticks.push(s('text', { class: 'day', x: at, y: DAYS, 'text-anchor': 'middle' }, date(ms)));
    }
  }
  ticks.push(s('text', { class: 'day', x: width - 2, y: DAYS, 'text-anchor': 'end' }, 'nu'));
  return ticks;
}

/** What a mark means, and its shape around a middle. */
const SHAPES = {
  afvist: { word: 'afvist', d: 'M0 -6L6 5H-6Z' },
  fejlet: { word: 'fejlet', d: 'M-4 -4L4 4M4 -4L-4 4' },
  frigivet: { word: 'frigivet', d: 'M0 -5L5 0L0 5L-5 0Z' },
  fortrudt: { word: 'ført tilbage', d: 'M5 -5V5L-5 0Z' },
} as const;
type Mark = keyof typeof SHAPES;

function marksOf(run: EndedRun, { x }: Scale): SVGElement[] {
  const kinds: Mark[] = [];
  if (run.tilstand === 'afvist' || run.tilstand === 'fejlet') kinds.push(run.tilstand);
  if (run.frigivet.length > 0) kinds.push('frigivet');
  if (run.slags === 'fortryd') kinds.push('fortrudt');
  const at = x(Date.parse(run.sluttet));
  return kinds.map((kind) =>
    s(
      'g',
      { class: `mark ${kind}`, transform: `translate(${at.toFixed(1)} ${MARKS})` },
      s('title', {}, told(run)),
      s('path', { d: SHAPES[kind].d }),
    ),
  );
}

function told(run: EndedRun): string {
  const guards = (names: readonly string[]) => list(names.map((name) => GUARD_WORDS[name] ?? name));
  const refused = run.afvist_af.length > 0 ? ` af ${guards(run.afvist_af)}` : '';
  const parts = [`${moment(run.sluttet)}: ${RUN_WORDS[run.tilstand]}${refused}`];
  if (run.slags !== 'synk') parts.push(KIND_WORDS[run.slags] ?? run.slags);
  if (run.frigivet.length > 0) parts.push(`frigivet: ${guards(run.frigivet)}`);
  if (run.bedt_af !== null) parts.push(`af ${run.bedt_af}`);
  parts.push(duration(run.varighed_ms));
  return parts.join(', ');
}

function legend(): HTMLElement {
  return h(
    'figcaption',
    { class: 'muted marks' },
    ...Object.entries(SHAPES).map(([kind, { word, d }]) =>
      h(
        'span',
        {},
        s(
          'svg',
          { viewBox: '-8 -8 16 16', 'aria-hidden': 'true', class: `mark ${kind}` },
          s('path', { d }),
        ),
        word,
      ),
    ),
  );
}

function described(history: History): string {
  const { oldestS, nowS, lateS, knownS } = ageSummary(history);
  const count = (of: (run: EndedRun) => boolean) => history.koersler.filter(of).length;
  const counts: readonly (readonly [number, string])[] = [
    [count(({ tilstand }) => tilstand === 'afvist'), 'afvist'],
    [count(({ tilstand }) => tilstand === 'fejlet'), 'fejlet'],
    [count(({ frigivet }) => frigivet.length > 0), 'frigivet'],
    [count(({ slags }) => slags === 'fortryd'), 'ført tilbage'],
  ];
  const happened = counts.flatMap(([n, word]) => (n === 0 ? [] : [`${number(n)} ${word}`]));
  const days = Math.round((Date.parse(history.til) - Date.parse(history.fra)) / DAY_MS);
  const late = lateS === 0 ? 'aldrig over fristen' : `${span(lateS)} over fristen`;
  const age =
    oldestS === null
      ? 'ingen alder er på skrift'
      : `højst ${span(oldestS)}, ${nowS === null ? 'nu ukendt' : `nu ${span(nowS)}`}; kendt i ${span(knownS)}, ${late}`;
  const runs = happened.length === 0 ? 'ingen kørsler afvist eller fejlet' : list(happened);
  return (
    `Alder over ${days} døgn: ${age}. Frist ${limit(history.frist_s)}, svarer højst ` +
    `${limit(history.yderste_frist_s)}. Kørsler: ${runs}.`
  );
}
