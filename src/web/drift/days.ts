/** The self-audit and jobs over the last days, as two pictures and as a table. */
import { h, s } from '../shared/dom.ts';
import { date, number } from '../shared/format.ts';
import type { Day } from './types.ts';

const WIDTH = 600;
const HEIGHT = 70;
const BASE = 58;
const TALLEST = 46;

export function daysPart(days: readonly Day[]): HTMLElement[] {
  return [
    h('div', { class: 'days' }, auditPicture(days), jobPicture(days)),
    h(
      'details',
      {},
      h('summary', {}, 'Tallene dag for dag'),
      h(
        'div',
        {
          class: 'scroll',
          tabindex: 0,
          role: 'region',
          'aria-label': 'Selvkontrol og job pr. dag',
        },
        table(days.toReversed()),
      ),
    ),
  ];
}

interface Bar {
  readonly kind: string;
  readonly count: number;
}

interface DayBars {
  readonly day: string;
  /** From the ground up; null: nothing is on record. */
  readonly bars: readonly Bar[] | null;
  /** Wants a person's eye. */
  readonly isBad: boolean;
  readonly told: string;
}

function auditPicture(days: readonly Day[]): HTMLElement {
  const known = days.flatMap(({ kontrol }) => (kontrol === null ? [] : [kontrol]));
  const total = (of: (day: (typeof known)[number]) => number) =>
    known.reduce((sum, day) => sum + of(day), 0);
  const differences = total(({ afvigelser }) => afvigelser);
  const alarms = total(({ alarmer }) => alarmer);
  const without = days.length - known.length;
  const text =
    known.length === 0
      ? 'ingen kontrol på skrift'
      : `${number(total(({ sammenlignet }) => sammenlignet))} svar sammenlignet med lageret, ` +
        `${number(differences)} afveg, ${alarmsOf(alarms)}` +
        (without === 0 ? '' : `; ${number(without)} dage uden kontrol på skrift`);
  return figure('Selvkontrol', text, differences + alarms > 0, {
    days: days.map(({ dag, kontrol }) => ({
      day: dag,
      bars: kontrol === null ? null : [{ kind: 'compared', count: kontrol.sammenlignet }],
      isBad: kontrol !== null && kontrol.afvigelser + kontrol.alarmer > 0,
      told:
        kontrol === null
          ? 'ingen kontrol på skrift'
          : `${number(kontrol.sammenlignet)} sammenlignet, ${number(kontrol.afvigelser)} afveg, ` +
            `${alarmsOf(kontrol.alarmer)}, ${number(kontrol.sprunget_over)} omgange sprunget over`,
    })),
  });
}

function alarmsOf(count: number): string {
  return count === 1 ? '1 alarm' : `${number(count)} alarmer`;
}

function jobPicture(days: readonly Day[]): HTMLElement {
  const total = (of: (job: Day['job']) => number) =>
    days.reduce((sum, { job }) => sum + of(job), 0);
  const failed = total(({ fejlede }) => fejlede);
  const words = ({ faerdige, fejlede, annullerede, raekker, raekker_med_fejl: bad }: Day['job']) =>
    `${number(faerdige)} færdige, ${number(fejlede)} fejlede, ${number(annullerede)} annullerede; ` +
    `${number(raekker)} rækker besvaret, ${number(bad)} med fejl`;
  const sum = {
    faerdige: total(({ faerdige }) => faerdige),
    fejlede: failed,
    annullerede: total(({ annullerede }) => annullerede),
    raekker: total(({ raekker }) => raekker),
    raekker_med_fejl: total(({ raekker_med_fejl: bad }) => bad),
  };
  return figure('Job', words(sum), failed > 0, {
    days: days.map(({ dag, job }) => ({
      day: dag,
      bars: [
        { kind: 'done', count: job.faerdige },
        { kind: 'cancelled', count: job.annullerede },
        { kind: 'failed', count: job.fejlede },
      ],
      isBad: job.fejlede > 0,
      told: words(job),
    })),
  });
}

function figure(
  title: string,
  text: string,
  isBad: boolean,
  { days }: { readonly days: readonly DayBars[] },
): HTMLElement {
  return h(
    'figure',
    { class: 'card' },
    h('figcaption', {}, h('h3', {}, title), h('p', { class: isBad ? 'bad' : 'muted' }, text)),
    s(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: 'img',
        'aria-label': `${title} over ${days.length} dage: ${text}.`,
      },
      s('line', { class: 'axis', x1: 0, x2: WIDTH, y1: BASE + 0.5, y2: BASE + 0.5 }),
      ...columns(days),
    ),
    h(
      'p',
      { class: 'ends muted', 'aria-hidden': 'true' },
      h('span', {}, shortDay(days[0]?.day)),
      h('span', {}, 'i dag'),
    ),
  );
}

function columns(days: readonly DayBars[]): SVGElement[] {
  const sum = (bars: readonly Bar[] | null) =>
    (bars ?? []).reduce((total, { count }) => total + count, 0);
  const most = Math.max(1, ...days.map(({ bars }) => sum(bars)));
  const step = WIDTH / Math.max(1, days.length);
  return days.map(({ day, bars, isBad, told }, index) => {
    const x = index * step + 2;
    const width = step - 4;
    let y = BASE;
    const parts: SVGElement[] = (bars ?? []).flatMap(({ kind, count }) => {
      if (count === 0) return [];
      const height = Math.max(1.5, (count / most) * TALLEST);
      y -= height;
      return [s('rect', { class: kind, x, width, y, height })];
    });
    if (bars === null) {
      parts.push(s('rect', { class: 'unknown', x, width, y: BASE - TALLEST, height: TALLEST }));
    }
    if (isBad) {
      const middle = x + width / 2;
      parts.push(s('path', { class: 'alarm', d: `M${middle} ${BASE + 3}l5 8h-10Z` }));
    }
    return s('g', {}, s('title', {}, `${shortDay(day)}: ${told}`), ...parts);
  });
}

/** Noon of a day lies in the same day everywhere in Denmark. */
function shortDay(day: string | undefined): string {
  return day === undefined ? '' : date(Date.parse(`${day}T12:00:00Z`));
}

function table(days: readonly Day[]): HTMLElement {
  const head = ['Dag', 'Sammenlignet', 'Afveg', 'Alarmer', 'Sprunget over'].concat([
    'Job færdige',
    'Fejlede',
    'Annullerede',
    'Rækker',
    'Rækker med fejl',
  ]);
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ...head.map((title, index) =>
          h('th', { scope: 'col', class: index === 0 ? '' : 'number' }, title),
        ),
      ),
    ),
    h('tbody', {}, ...days.map(tableRow)),
  );
}

function tableRow({ dag, kontrol, job }: Day): HTMLElement {
  const audit =
    kontrol === null
      ? [null, null, null, null]
      : [kontrol.sammenlignet, kontrol.afvigelser, kontrol.alarmer, kontrol.sprunget_over];
  const jobs = [job.faerdige, job.fejlede, job.annullerede, job.raekker, job.raekker_med_fejl];
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, shortDay(dag)),
    ...[...audit, ...jobs].map((count) =>
      h('td', { class: 'number' }, count === null ? '–' : number(count)),
    ),
  );
}
