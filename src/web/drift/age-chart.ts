/** On a square-root scale; broken where no age is on record. */
import { date, moment, number, span } from '../shared/format.ts';
import { html, note, svg } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import { ageAt, ageSummary, stretches } from './ages.ts';
import type { AgeSummary, Stretch } from './ages.ts';
import type { EndedRun, History } from './types.ts';
import { guardWord, kindWord, runWord } from './words.ts';
import { duration, list } from './units.ts';

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

export function ageChart(history: History, narrow: boolean): TemplateResult {
  const { width, height } = narrow ? SIZE.narrow : SIZE.wide;
  const scale = scaleOf(history, width);
  const parts = stretches(history);
  const none = t(
    'Der har ikke været nogen kopi i perioden.',
    'There was no copy during this time.',
  );
  return html`<figure class="age-chart">
    <svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${described(history)}>
      ${bands(history, scale)}${dayTicks(history, scale, narrow ? 10 : 5)}
      <path
        class="line"
        d=${parts.map((part, at) => curve(part, parts[at - 1], scale)).join('')}
      ></path>
      ${history.koersler.map((run) => marksOf(run, scale))}${limits(history, scale)}
    </svg>
    ${parts.length === 0 ? note(none) : null}${legend()}
  </figure>`;
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

function bands({ frist_s: late, yderste_frist_s: dead }: History, { width, y }: Scale): unknown {
  const band = (kind: string, from: number, to: number) =>
    svg`<rect class=${kind} width=${width} y=${to} height=${Math.max(0, from - to)}></rect>`;
  return [band('late', y(late), y(dead)), band('dead', y(dead), 0)];
}

/** Drawn over the line of age. */
function limits({ frist_s: late, yderste_frist_s: dead }: History, { width, y }: Scale): unknown {
  const line = (kind: string, ageS: number, text: string) =>
    svg`<line class=${`limit ${kind}`} x2=${width} y1=${y(ageS)} y2=${y(ageS)}></line>
      <text class=${`halo ${kind}`} x="4" y=${y(ageS) - 3}>${text}</text>`;
  return [
    line('warn', late, `${t('frist', 'limit')} ${span(late)}`),
    line('stale', dead, t(`svarer ikke efter ${span(dead)}`, `no answers after ${span(dead)}`)),
  ];
}

function dayTicks({ fra, til }: History, { x, width }: Scale, every: number): TemplateResult {
  const [fromMs, toMs] = [Date.parse(fra), Date.parse(til)];
  const count = Math.floor((toMs - fromMs) / DAY_MS / every);
  const ticks = Array.from({ length: count }, (_, index) => {
    const ms = toMs - (index + 1) * every * DAY_MS;
    const at = x(ms);
    // A word at the very edge would be cut.
    const word = svg`<text class="day" x=${at} y=${DAYS} text-anchor="middle">${date(ms)}</text>`;
    return svg`<line class="tick" x1=${at} x2=${at} y1=${BASE} y2=${BASE + 4}></line>
      ${at > 18 ? word : null}`;
  });
  return svg`<line class="axis" x2=${width} y1=${BASE + 0.5} y2=${BASE + 0.5}></line>${ticks}
    <text class="day" x=${width - 2} y=${DAYS} text-anchor="end">${t('nu', 'now')}</text>`;
}

const SHAPES = {
  afvist: { word: { da: 'afvist', en: 'refused' }, d: 'M0 -6L6 5H-6Z' },
  fejlet: { word: { da: 'fejlet', en: 'failed' }, d: 'M-4 -4L4 4M4 -4L-4 4' },
  frigivet: { word: { da: 'frigivet', en: 'released' }, d: 'M0 -5L5 0L0 5L-5 0Z' },
  fortrudt: { word: { da: 'ført tilbage', en: 'reverted' }, d: 'M5 -5V5L-5 0Z' },
} as const;
type Mark = keyof typeof SHAPES;

function marksOf(run: EndedRun, { x }: Scale): readonly TemplateResult[] {
  const kinds: Mark[] = [];
  if (run.tilstand === 'afvist' || run.tilstand === 'fejlet') kinds.push(run.tilstand);
  if (run.frigivet.length > 0) kinds.push('frigivet');
  if (run.slags === 'fortryd') kinds.push('fortrudt');
  const place = `translate(${x(Date.parse(run.sluttet)).toFixed(1)} ${MARKS})`;
  return kinds.map(
    (kind) =>
      svg`<g class=${`mark ${kind}`} transform=${place}><title>${describe(run)}</title><path d=${SHAPES[kind].d}></path></g>`,
  );
}

function describe(run: EndedRun): string {
  const guards = (names: readonly string[]) => list(names.map(guardWord));
  const refused = run.afvist_af.length > 0 ? ` ${t('af', 'by')} ${guards(run.afvist_af)}` : '';
  const parts = [`${moment(run.sluttet)}: ${runWord(run.tilstand)}${refused}`];
  if (run.slags !== 'synk') parts.push(kindWord(run.slags));
  if (run.frigivet.length > 0) parts.push(`${t('frigivet', 'released')}: ${guards(run.frigivet)}`);
  if (run.bedt_af !== null) parts.push(`${t('af', 'by')} ${run.bedt_af}`);
  parts.push(duration(run.varighed_ms));
  return parts.join(', ');
}

function legend(): TemplateResult {
  return html`<figcaption class="muted marks">
    ${Object.entries(SHAPES).map(
      ([kind, { word, d }]) =>
        html`<span>
          <svg viewBox="-8 -8 16 16" aria-hidden="true" class=${`mark ${kind}`}>
            <path d=${d}></path>
          </svg>
          ${inLanguage(word)}
        </span>`,
    )}
  </figcaption>`;
}

function described(history: History): string {
  const count = (of: (run: EndedRun) => boolean) => history.koersler.filter(of).length;
  const counts: readonly (readonly [number, string])[] = [
    [count(({ tilstand }) => tilstand === 'afvist'), inLanguage(SHAPES.afvist.word)],
    [count(({ tilstand }) => tilstand === 'fejlet'), inLanguage(SHAPES.fejlet.word)],
    [count(({ frigivet }) => frigivet.length > 0), inLanguage(SHAPES.frigivet.word)],
    [count(({ slags }) => slags === 'fortryd'), inLanguage(SHAPES.fortrudt.word)],
  ];
  const happened = counts.flatMap(([n, word]) => (n === 0 ? [] : [`${number(n)} ${word}`]));
  const days = Math.round((Date.parse(history.til) - Date.parse(history.fra)) / DAY_MS);
  const runs =
    happened.length === 0
      ? t('ingen kørsler afvist eller fejlet', 'none refused or failed')
      : list(happened);
  const [late, dead] = [span(history.frist_s), span(history.yderste_frist_s)];
  const age = ageWords(ageSummary(history));
  return t(
    `Alder over ${days} døgn: ${age}. Frist ${late}, svarer højst ${dead}. Kørsler: ${runs}.`,
    `Age over ${days} days: ${age}. Limit ${late}, answers for ${dead} at most. Runs: ${runs}.`,
  );
}

function ageWords({ oldestS, nowS, lateS, knownS }: AgeSummary): string {
  if (oldestS === null) return t('ingen alder er på skrift', 'no age is on record');
  const late =
    lateS === 0
      ? t('aldrig over fristen', 'never over the limit')
      : `${span(lateS)} ${t('over fristen', 'over the limit')}`;
  const now = nowS === null ? t('nu ukendt', 'now unknown') : `${t('nu', 'now')} ${span(nowS)}`;
  return t(
    `højst ${span(oldestS)}, ${now}; kendt i ${span(knownS)}, ${late}`,
    `${span(oldestS)} at most, ${now}; known for ${span(knownS)}, ${late}`,
  );
}
