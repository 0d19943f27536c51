/** Loaded apart: who is not signed in has no use. */
import { dayWords, isoDay, monthWords, number } from '../shared/format.ts';
import { html, note, rowsTable, scrolledPart } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { account } from './board.ts';
import type { Environment, Usage } from './types.ts';
import { daysChart, fillName, perDayWords, swatch, toDateChart, toDateWords } from './use-chart.ts';
import type { NameOf } from './use-chart.ts';
import { FILLS, sumUse } from './use-sums.ts';
import type { Group, UseSums } from './use-sums.ts';
import { keyName, operationWords, percent } from './words.ts';

/** Narrower, the picture is not readable; it scrolls. */
const LEAST_WIDTH = 260;

interface Chosen {
  readonly environment: Environment;
  readonly group: Group;
  /** Of the page's part, pixels. */
  readonly width: number;
}

export function monthView(
  usage: Usage,
  { environment: shown, group, width }: Chosen,
): TemplateResult {
  const sums = sumUse(usage.days, { month: usage.month, environment: shown, group });
  if (sums.requests === 0) {
    return note(`${t('Intet forbrug', 'No usage')} (${monthWords(usage.month)}).`);
  }
  const nameOf: NameOf = ({ id }) =>
    group === 'key' ? keyName(account?.keys, id) : operationWords(id);
  const options = { width: Math.max(LEAST_WIDTH, width), allowance: usage[shown].allowance };
  return html`${figure(perDayWords(), daysChart(sums, options, nameOf))}
  ${figure(toDateWords(), toDateChart(sums, options, isoDay(Date.now())))}
  ${partsTable(sums, group, nameOf)} ${daysTable(sums, nameOf)}`;
}

function figure(caption: string, picture: TemplateResult): TemplateResult {
  return html`<figure>
    <figcaption>${caption}</figcaption>
    <div class="scroll">${picture}</div>
  </figure>`;
}

const isNumber = (column: number): boolean => column > 0;

function partsTable(
  { parts, units, requests }: UseSums,
  group: Group,
  nameOf: NameOf,
): TemplateResult {
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
