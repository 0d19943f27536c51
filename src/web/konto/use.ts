/** What the account used in a month: the chart against what is included, and the same as tables. */
import { byId, byIdAs, h, say } from '../shared/dom.ts';
import { readUsage } from './api.ts';
import type { Environment, Key, Me, Usage } from './types.ts';
import { drawBill, noBill } from './bill.ts';
import { daysChart, fillName, swatch, toDateChart } from './use-chart.ts';
import type { NameOf } from './use-chart.ts';
import { troubleOf } from './trouble.ts';
import { FILLS, monthsBack, sumUse } from './use-sums.ts';
import type { Group, UseSums } from './use-sums.ts';
import { number } from '../shared/format.ts';
import { scrolled, table } from '../shared/table.ts';
import { dayWords, monthWords, operationWords, percent, words } from './words.ts';

/** Months a reader may go back. */
const MONTHS = 24;
/** Narrower, the picture is not readable; it scrolls. */
const LEAST_WIDTH = 260;

interface Shown {
  readonly usage: Usage;
  /** By id; a key that is not among the account's any more goes by its id. */
  readonly keyNames: ReadonlyMap<string, string>;
}

let shown: Shown | null = null;
let drawnWidth = 0;
/** Whether the table of days is unfolded: it stays so when it is drawn anew. */
let areDaysOpen = false;
let reads = 0;

const monthSelect = byIdAs('use-month', HTMLSelectElement);
const environmentSelect = byIdAs('use-environment', HTMLSelectElement);
const groupSelect = byIdAs('use-group', HTMLSelectElement);

/** The month shown: the current one, or the one chosen before. */
export async function showUse(
  { account }: Me,
  current: Usage,
  keys: readonly Key[],
): Promise<void> {
  const before = monthSelect.value;
  const months = monthsBack(current.month, account.created_at.slice(0, 7), MONTHS);
  monthSelect.replaceChildren(...months.map((month) => h('option', { value: month })));
  monthSelect.value = months.includes(before) ? before : current.month;
  const isFirst = shown === null;
  shown = { usage: current, keyNames: new Map(keys.map(({ id, name }) => [id, name])) };
  if (isFirst) {
    const { live, test } = current;
    environmentSelect.value = live.requests === 0 && test.requests > 0 ? 'test' : 'live';
  }
  if (monthSelect.value === current.month) drawUse();
  else await changeMonth();
}

/** Nothing of the account stays in the page. */
export function forgetUse(): void {
  shown = null;
  for (const place of [byId('use'), monthSelect]) place.replaceChildren();
  noBill();
}

async function changeMonth(): Promise<void> {
  reads += 1;
  const read = reads;
  const month = monthSelect.value;
  try {
    const usage = await readUsage(month);
    if (read !== reads || shown === null) return;
    shown = { ...shown, usage };
    say(byId('use-trouble'), '');
    drawUse();
  } catch (error) {
    if (read !== reads) return;
    // A month that could not be read is shown as that, never as one without use.
    byId('use').replaceChildren();
    noBill();
    say(byId('use-trouble'), troubleOf(error) ?? '');
  }
}

/** In the language and width of now. */
export function drawUse(): void {
  for (const option of monthSelect.options) option.textContent = monthWords(option.value);
  if (shown === null || shown.usage.month !== monthSelect.value) return;
  const { usage, keyNames } = shown;
  const environment = environmentSelect.value as Environment;
  const group = groupSelect.value as Group;
  const sums = sumUse(usage.days, { month: usage.month, environment, group });
  const nameOf: NameOf = ({ id }) =>
    group === 'key' ? (keyNames.get(id) ?? id) : operationWords(id);
  const place = byId('use');
  drawnWidth = place.clientWidth;
  const width = Math.max(LEAST_WIDTH, drawnWidth);
  const { allowance } = usage[environment];
  place.replaceChildren(
    ...(sums.requests === 0
      ? [h('p', { class: 'muted' }, `${words().noUse} (${monthWords(usage.month)}).`)]
      : [
          figure(words().perDay, daysChart(sums, { width, allowance }, nameOf)),
          figure(words().toDate, toDateChart(sums, { width, allowance }, today())),
          partsTable(sums, { group, nameOf }),
          daysTable(sums, nameOf),
        ]),
  );
  drawBill(usage, keyNames);
}

function figure(caption: string, picture: SVGElement): HTMLElement {
  const held = h('div', { class: 'scroll' }, picture);
  return h('figure', {}, h('figcaption', {}, caption), held);
}

const isNumber = (column: number): boolean => column > 0;

/** The legend of the chart, with every number. */
function partsTable(
  { parts, units, requests }: UseSums,
  { group, nameOf }: { group: Group; nameOf: NameOf },
): HTMLElement {
  const said = words();
  const title = group === 'key' ? said.key : said.operation;
  return scrolled(
    `${said.unitsBy} ${title.toLowerCase()}`,
    table({
      isNumber,
      head: [title, said.unitsHead, said.share, said.requests],
      rows: [
        ...parts.map((part) => [
          h('span', { class: 'named' }, swatch(part.fill), h('bdi', {}, nameOf(part))),
          number(part.units),
          units === 0 ? '–' : percent(part.units / units),
          number(part.requests),
        ]),
        [said.total, number(units), units === 0 ? '–' : percent(1), number(requests)],
      ],
    }),
  );
}

/** Where there are more parts than fills, the rest share a column. */
function daysTable(sums: UseSums, nameOf: NameOf): HTMLElement {
  const said = words();
  const fills = Array.from({ length: Math.min(FILLS, sums.parts.length) }, (_, fill) => fill);
  const names = fills.map((fill) => h('bdi', {}, fillName(sums, fill, nameOf)));
  const used = sums.days.filter(({ units }) => units > 0);
  const onToggle = (event: Event): void => {
    areDaysOpen = (event.target as HTMLDetailsElement).open;
  };
  return h(
    'details',
    { open: areDaysOpen, ontoggle: onToggle },
    h('summary', {}, said.tableOfDays),
    scrolled(
      said.tableOfDays,
      table({
        isNumber,
        head: [said.day, ...names, said.unitsHead, said.toDate],
        rows: used.map(({ day, byFill, units, toDate }) => [
          dayWords(day),
          ...fills.map((fill) => number(byFill[fill] ?? 0)),
          number(units),
          number(toDate),
        ]),
      }),
    ),
  );
}

/** The day it is in Denmark, as the service writes days. */
function today(): string {
  return new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Copenhagen' });
}

/** The selects, and the picture's width. */
export function installUse(): void {
  const form = byIdAs('use-form', HTMLFormElement);
  form.addEventListener('submit', (event) => event.preventDefault());
  monthSelect.addEventListener('change', () => void changeMonth());
  for (const select of [environmentSelect, groupSelect]) {
    select.addEventListener('change', () => drawUse());
  }
  const place = byId('use');
  new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== drawnWidth) drawUse();
  }).observe(place);
}
