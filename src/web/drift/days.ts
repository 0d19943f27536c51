import { dayWords, number } from '../shared/format.ts';
import { html, note, rowsTable, scrolledPart, svg } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { Day } from './types.ts';

const WIDTH = 600;
const HEIGHT = 70;
const BASE = 58;
const TALLEST = 46;

export function daysPart(days: readonly Day[]): TemplateResult {
  const name = t('Selvkontrol og job pr. dag', 'Self-checks and jobs by day');
  const head = t(
    'Dag,Sammenlignet,Afveg,Alarmer,Sprunget over,Job færdige,Fejlede,Annullerede,Rækker,Rækker med fejl',
    'Day,Compared,Differed,Alarms,Skipped,Jobs completed,Failed,Cancelled,Rows,Rows with errors',
  ).split(',');
  const rows = days.toReversed().map(cellsOf);
  return html`<div class="days">${auditPicture(days)}${jobPicture(days)}</div>
    <details>
      <summary>${t('Tallene dag for dag', 'The numbers day by day')}</summary>
      ${scrolledPart(name, rowsTable({ head, rows, isNumber: (at) => at > 0 }))}
    </details>`;
}

interface DayBars {
  readonly day: string;
  /** From the ground up; null: nothing is on record. */
  readonly bars: readonly (readonly [kind: string, count: number])[] | null;
  readonly isBad: boolean;
  readonly told: string;
}

const AUDIT_FIELDS = ['sammenlignet', 'afvigelser', 'alarmer', 'sprunget_over'] as const;
type Audit = NonNullable<Day['kontrol']>;

function auditPicture(days: readonly Day[]): TemplateResult {
  const known = days.flatMap(({ kontrol }) => (kontrol === null ? [] : [kontrol]));
  const sum = summed(known, AUDIT_FIELDS);
  const without = days.length - known.length;
  const none = t('ingen kontrol på skrift', 'no check on record');
  const gaps = t(
    `; ${number(without)} dage uden kontrol på skrift`,
    without === 1
      ? '; 1 day with no check on record'
      : `; ${number(without)} days with no check on record`,
  );
  const text = known.length === 0 ? none : auditWords(sum) + (without === 0 ? '' : gaps);
  const bars = days.map(({ dag: day, kontrol }): DayBars => {
    if (kontrol === null) return { day, bars: null, isBad: false, told: none };
    const skipped = number(kontrol.sprunget_over);
    const rounds = t(`${skipped} omgange sprunget over`, `${skipped} rounds skipped`);
    return {
      day,
      bars: [['compared', kontrol.sammenlignet]],
      isBad: kontrol.afvigelser + kontrol.alarmer > 0,
      told: `${auditWords(kontrol)}, ${rounds}`,
    };
  });
  return figure(t('Selvkontrol', 'Self-audit'), text, bars);
}

function summed<Field extends string>(
  all: readonly Readonly<Record<Field, number>>[],
  fields: readonly Field[],
): Record<Field, number> {
  return Object.fromEntries(
    fields.map((field) => [field, all.reduce((sum, each) => sum + each[field], 0)]),
  ) as Record<Field, number>;
}

function auditWords({ sammenlignet, afvigelser, alarmer }: Audit): string {
  return t(
    `${number(sammenlignet)} svar sammenlignet med lageret, ${number(afvigelser)} afveg, ` +
      (alarmer === 1 ? '1 alarm' : `${number(alarmer)} alarmer`),
    `${number(sammenlignet)} answers compared with the store, ${number(afvigelser)} differed, ` +
      (alarmer === 1 ? '1 alarm' : `${number(alarmer)} alarms`),
  );
}

const JOB_FIELDS = ['faerdige', 'fejlede', 'annullerede', 'raekker', 'raekker_med_fejl'] as const;

function jobPicture(days: readonly Day[]): TemplateResult {
  const words = ({ faerdige, fejlede, annullerede, raekker, raekker_med_fejl: bad }: Day['job']) =>
    t(
      `${number(faerdige)} færdige, ${number(fejlede)} fejlede, ${number(annullerede)} annullerede; ` +
        `${number(raekker)} rækker besvaret, ${number(bad)} med fejl`,
      `${number(faerdige)} completed, ${number(fejlede)} failed, ${number(annullerede)} cancelled; ` +
        `${number(raekker)} rows answered, ${number(bad)} with errors`,
    );
  const all = days.map(({ job }) => job);
  const bars = days.map(({ dag: day, job }): DayBars => {
    const { faerdige, annullerede, fejlede } = job;
    return {
      day,
      bars: [
        ['done', faerdige],
        ['cancelled', annullerede],
        ['failed', fejlede],
      ],
      isBad: fejlede > 0,
      told: words(job),
    };
  });
  return figure(t('Job', 'Jobs'), words(summed(all, JOB_FIELDS)), bars);
}

function figure(title: string, text: string, days: readonly DayBars[]): TemplateResult {
  const label = `${title} over ${days.length} ${t('dage', 'days')}: ${text}.`;
  return html`<figure class="card">
    <figcaption>
      <h3>${title}</h3>
      ${note(text, days.some(({ isBad }) => isBad) ? 'bad' : 'muted')}
    </figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
      <line class="axis" x2=${WIDTH} y1=${BASE + 0.5} y2=${BASE + 0.5}></line>
      ${columns(days)}
    </svg>
    <p class="ends muted" aria-hidden="true">
      <span>${days[0] && dayWords(days[0].day)}</span><span>${t('i dag', 'today')}</span>
    </p>
  </figure>`;
}

function columns(days: readonly DayBars[]): readonly TemplateResult[] {
  const sums = days.map(({ bars }) => (bars ?? []).reduce((sum, [, count]) => sum + count, 0));
  const most = Math.max(1, ...sums);
  const step = WIDTH / Math.max(1, days.length);
  const width = step - 4;
  return days.map(({ day, bars, isBad, told }, index) => {
    const x = index * step + 2;
    let y = BASE;
    const rect = (kind: string, height: number) => {
      y -= height;
      return svg`<rect class=${kind} x=${x} width=${width} y=${y} height=${height}></rect>`;
    };
    const drawn =
      bars === null
        ? rect('unknown', TALLEST)
        : bars.map(([kind, count]) =>
            count === 0 ? null : rect(kind, Math.max(1.5, (count / most) * TALLEST)),
          );
    const alarm = svg`<path class="alarm" d=${`M${x + width / 2} ${BASE + 3}l5 8h-10Z`}></path>`;
    return svg`<g><title>${dayWords(day)}: ${told}</title>${drawn}${isBad ? alarm : null}</g>`;
  });
}

function cellsOf({ dag, kontrol, job }: Day): readonly string[] {
  const counts = [
    ...AUDIT_FIELDS.map((field) => kontrol?.[field] ?? null),
    ...JOB_FIELDS.map((field) => job[field]),
  ];
  return [dayWords(dag), ...counts.map((count) => (count === null ? '–' : number(count)))];
}
