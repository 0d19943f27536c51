/** The self-audit and jobs over the last days, as two pictures and as a table. */
import { h, s } from '../shared/dom.ts';
import { date, number } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';
import { scrolled, table } from '../shared/table.ts';
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
      h('summary', {}, t('Tallene dag for dag', 'The numbers day by day')),
      scrolled(
        t('Selvkontrol og job pr. dag', 'Self-checks and jobs by day'),
        table({
          head: inLanguage(HEAD),
          rows: days.toReversed().map(cellsOf),
          isNumber: (at) => at > 0,
        }),
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
      ? noAudit()
      : auditWords(
          total(({ sammenlignet }) => sammenlignet),
          differences,
          alarms,
        ) + (without === 0 ? '' : `; ${daysWithout(without)}`);
  return figure(t('Selvkontrol', 'Self-audit'), text, differences + alarms > 0, {
    days: days.map(({ dag, kontrol }) => ({
      day: dag,
      bars: kontrol === null ? null : [{ kind: 'compared', count: kontrol.sammenlignet }],
      isBad: kontrol !== null && kontrol.afvigelser + kontrol.alarmer > 0,
      told:
        kontrol === null
          ? noAudit()
          : `${auditWords(kontrol.sammenlignet, kontrol.afvigelser, kontrol.alarmer)}, ` +
            t(
              `${number(kontrol.sprunget_over)} omgange sprunget over`,
              `${number(kontrol.sprunget_over)} rounds skipped`,
            ),
    })),
  });
}

function noAudit(): string {
  return t('ingen kontrol på skrift', 'no check on record');
}

function auditWords(compared: number, differing: number, alarms: number): string {
  return t(
    `${number(compared)} svar sammenlignet med lageret, ${number(differing)} afveg, ` +
      (alarms === 1 ? '1 alarm' : `${number(alarms)} alarmer`),
    `${number(compared)} answers compared with the store, ${number(differing)} differed, ` +
      (alarms === 1 ? '1 alarm' : `${number(alarms)} alarms`),
  );
}

function daysWithout(count: number): string {
  return t(
    `${number(count)} dage uden kontrol på skrift`,
    count === 1 ? '1 day with no check on record' : `${number(count)} days with no check on record`,
  );
}

function jobPicture(days: readonly Day[]): HTMLElement {
  const total = (of: (job: Day['job']) => number) =>
    days.reduce((sum, { job }) => sum + of(job), 0);
  const failed = total(({ fejlede }) => fejlede);
  const words = ({ faerdige, fejlede, annullerede, raekker, raekker_med_fejl: bad }: Day['job']) =>
    t(
      `${number(faerdige)} færdige, ${number(fejlede)} fejlede, ${number(annullerede)} annullerede; ` +
        `${number(raekker)} rækker besvaret, ${number(bad)} med fejl`,
      `${number(faerdige)} completed, ${number(fejlede)} failed, ${number(annullerede)} cancelled; ` +
        `${number(raekker)} rows answered, ${number(bad)} with errors`,
    );
  const sum = {
    faerdige: total(({ faerdige }) => faerdige),
    fejlede: failed,
    annullerede: total(({ annullerede }) => annullerede),
    raekker: total(({ raekker }) => raekker),
    raekker_med_fejl: total(({ raekker_med_fejl: bad }) => bad),
  };
  return figure(t('Job', 'Jobs'), words(sum), failed > 0, {
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
        'aria-label': `${title} over ${days.length} ${t('dage', 'days')}: ${text}.`,
      },
      s('line', { class: 'axis', x1: 0, x2: WIDTH, y1: BASE + 0.5, y2: BASE + 0.5 }),
      ...columns(days),
    ),
    h(
      'p',
      { class: 'ends muted', 'aria-hidden': 'true' },
      h('span', {}, shortDay(days[0]?.day)),
      h('span', {}, t('i dag', 'today')),
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

const HEAD: { readonly da: readonly string[]; readonly en: readonly string[] } = {
  da: ['Dag', 'Sammenlignet', 'Afveg', 'Alarmer', 'Sprunget over'].concat([
    'Job færdige',
    'Fejlede',
    'Annullerede',
    'Rækker',
    'Rækker med fejl',
  ]),
  en: ['Day', 'Compared', 'Differed', 'Alarms', 'Skipped'].concat([
    'Jobs completed',
    'Failed',
    'Cancelled',
    'Rows',
    'Rows with errors',
  ]),
};

function cellsOf({ dag, kontrol, job }: Day): string[] {
  const audit =
    kontrol === null
      ? [null, null, null, null]
      : [kontrol.sammenlignet, kontrol.afvigelser, kontrol.alarmer, kontrol.sprunget_over];
  const jobs = [job.faerdige, job.fejlede, job.annullerede, job.raekker, job.raekker_med_fejl];
  const counts = [...audit, ...jobs].map((count) => (count === null ? '–' : number(count)));
  return [shortDay(dag), ...counts];
}
