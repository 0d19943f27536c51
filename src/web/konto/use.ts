/** What the account used in a month: the chart against what is included, and the same as tables. */
import { number } from '../shared/format.ts';
import { badNotice, html, note, nothing } from '../shared/html.ts';
import { rowsTable, scrolledPart, selectField } from '../shared/html.ts';
import type { Content, SelectField, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { readUsage } from './api.ts';
import { billOf } from './bill.ts';
import { Part, account, redraw } from './board.ts';
import { alarmView } from './first-steps.ts';
import { section } from './pieces.ts';
import type { Environment, Usage } from './types.ts';
import { daysChart, fillName, perDayWords, swatch, toDateChart, toDateWords } from './use-chart.ts';
import type { NameOf } from './use-chart.ts';
import { FILLS, monthsBack, sumUse } from './use-sums.ts';
import type { Group, UseSums } from './use-sums.ts';
import { dayWords, keyName, monthWords, operationWords, percent } from './words.ts';

/** Months a reader may go back. */
const MONTHS = 24;
/** Narrower, the picture is not readable; it scrolls. */
const LEAST_WIDTH = 260;

const ENVIRONMENTS = [
  ['live', 'Live'],
  ['test', 'Test'],
] as const;

/** null: what the reader has not chosen. */
let month: string | null = null;
let environment: Environment | null = null;
let group: Group = 'operation';
let width = 0;

/** Of the month chosen; a month that could not be read is shown as that, never as one without use. */
export const use = new Part(
  async () => {
    const current = account?.usage;
    const usage = month === null && current ? current : await readUsage(month ?? undefined);
    billOf(usage);
    return usage;
  },
  () => {
    [month, environment] = [null, null];
    billOf(null);
  },
);

/** Draws the picture anew where it has another width. */
export function observeWidth(board: HTMLElement): void {
  new ResizeObserver(() => {
    const now = document.getElementById('use')?.clientWidth ?? 0;
    if (now === 0 || now === width) return;
    width = now;
    redraw();
  }).observe(board);
}

/** Takes what was chosen in a field. */
function take({ target }: Event): void {
  const { id, value } = target as HTMLSelectElement;
  if (id === 'use-environment') environment = value as Environment;
  else if (id === 'use-group') group = value as Group;
  else {
    month = value;
    void use.read();
  }
  redraw();
}

/** @param current the usage of this month */
export function useView(current: Usage, createdAt: string): TemplateResult {
  const { live, test } = current;
  environment ??= live.requests === 0 && test.requests > 0 ? 'test' : 'live';
  const months = monthsBack(current.month, createdAt.slice(0, 7), MONTHS);
  const choices = months.map((each) => [each, monthWords(each)] as const);
  const fields: readonly SelectField[] = [
    ['use-month', t('Måned', 'Month'), choices, month ?? current.month],
    ['use-environment', t('Miljø', 'Environment'), ENVIRONMENTS, environment],
    [
      'use-group',
      t('Fordel på', 'Split by'),
      [
        ['operation', t('Opslag', 'Lookup')],
        ['key', t('Nøgle', 'Key')],
      ],
      group,
    ],
  ];
  return section(
    { id: 'use', title: t('Forbrug', 'Usage') },
    html`<div class="card part">
      <div class="choices" @change=${take}>
        ${fields.map((field) => html`<p>${selectField(field)}</p>`)}
      </div>
      ${badNotice(use.trouble)}
      <div id="use">${use.value === null ? nothing : monthView(use.value, environment)}</div>
      ${alarmView()}
    </div>`,
  );
}

function monthView(usage: Usage, shown: Environment): TemplateResult {
  const sums = sumUse(usage.days, { month: usage.month, environment: shown, group });
  if (sums.requests === 0) {
    return note(`${t('Intet forbrug', 'No usage')} (${monthWords(usage.month)}).`);
  }
  const nameOf: NameOf = ({ id }) =>
    group === 'key' ? keyName(account?.keys, id) : operationWords(id);
  const options = { width: Math.max(LEAST_WIDTH, width), allowance: usage[shown].allowance };
  return html`${figure(perDayWords(), daysChart(sums, options, nameOf))}
  ${figure(toDateWords(), toDateChart(sums, options, today()))} ${partsTable(sums, nameOf)}
  ${daysTable(sums, nameOf)}`;
}

function figure(caption: string, picture: TemplateResult): TemplateResult {
  return html`<figure>
    <figcaption>${caption}</figcaption>
    <div class="scroll">${picture}</div>
  </figure>`;
}

const isNumber = (column: number): boolean => column > 0;

/** The legend of the chart, with every number. */
function partsTable({ parts, units, requests }: UseSums, nameOf: NameOf): TemplateResult {
  const [title, name] =
    group === 'key'
      ? [t('Nøgle', 'Key'), t('Enheder efter nøgle', 'Units by key')]
      : [t('Opslag', 'Lookup'), t('Enheder efter opslag', 'Units by lookup')];
  const head = [title, t('Enheder', 'Units'), t('Andel', 'Share'), t('Kald', 'Calls')];
  const share = (of: number): string => (units === 0 ? '–' : percent(of / units));
  const rows = parts.map((part): Content[] => [
    html`<span class="named">${swatch(part.fill)} <bdi>${nameOf(part)}</bdi></span>`,
    ...[number(part.units), share(part.units), number(part.requests)],
  ]);
  const total = [t('I alt', 'Total'), number(units), share(units), number(requests)];
  return scrolledPart(name, rowsTable({ isNumber, head, rows: [...rows, total] }));
}

/** Where there are more parts than fills, the rest share a column. */
function daysTable(sums: UseSums, nameOf: NameOf): TemplateResult {
  const fills = Array.from({ length: Math.min(FILLS, sums.parts.length) }, (_, fill) => fill);
  const names = fills.map((fill) => html`<bdi>${fillName(sums, fill, nameOf)}</bdi>`);
  const title = t('Dag for dag som tabel', 'Day by day as a table');
  const head = [t('Dag', 'Day'), ...names, t('Enheder', 'Units'), toDateWords()];
  const rows = sums.days
    .filter(({ units }) => units > 0)
    .map(({ day, byFill, units, toDate }) => [
      dayWords(day),
      ...fills.map((fill) => number(byFill[fill] ?? 0)),
      ...[number(units), number(toDate)],
    ]);
  return html`<details>
    <summary>${title}</summary>
    ${scrolledPart(title, rowsTable({ isNumber, head, rows }))}
  </details>`;
}

/** The day it is in Denmark, as the service writes days. */
function today(): string {
  return new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Copenhagen' });
}
