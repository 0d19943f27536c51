/** The bill of a month: its sums, its first lines, and all of them as a file. */
import { byId, byIdAs, h, show } from '../shared/dom.ts';
import { toast } from '../shared/notices.ts';
import { billFile, readBillLines, readMe } from './api.ts';
import type { BillLine, Usage } from './types.ts';
import { troubleOf } from './trouble.ts';
import { number } from '../shared/format.ts';
import { priceWords } from '../shared/price.ts';
import { scrolled, table } from '../shared/table.ts';
import { exactMoment, monthWords, operationWords, words } from './words.ts';

/** Lines that are shown; the file has them all. */
const LINES_SHOWN = 50;

interface Shown {
  readonly usage: Usage;
  readonly keyNames: ReadonlyMap<string, string>;
}

type Lines = Awaited<ReturnType<typeof readBillLines>>;

let shown: Shown | null = null;
/** Of the month shown; null: not asked for. */
let lines: Lines | { readonly failure: string } | null = null;

const details = byIdAs('bill-lines', HTMLDetailsElement);
const file = byIdAs('bill-file', HTMLAnchorElement);

/** In the language of now. Lines that are open stay, where the month does. */
export function drawBill(usage: Usage, keyNames: ReadonlyMap<string, string>): void {
  const isOther = shown?.usage.month !== usage.month;
  const isNewer = shown?.usage !== usage;
  shown = { usage, keyNames };
  if (isOther) {
    lines = null;
    details.open = false;
  }
  const said = words();
  byId('bill-title').textContent = `${said.bill}: ${monthWords(usage.month)}`;
  const { live } = usage;
  const facts: readonly (readonly [string, string])[] = [
    [said.linesTotal, `${number(live.units)} ${said.units}`],
    [said.linesOverage, `${number(live.overage_units)} ${said.units}`],
    ...priced(said.linesPrice, live.overage_units),
    [said.linesRequests, number(live.requests)],
  ];
  byId('bill').replaceChildren(
    h(
      'dl',
      { class: 'facts' },
      ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
    ),
    h('p', { class: 'muted' }, said.notBilled),
  );
  file.href = billFile(usage.month);
  for (const part of [byId('bill'), file, details]) show(part, true);
  if (details.open && isNewer && !isOther) void readLines();
  else drawLines();
}

function priced(name: string, units: number): readonly (readonly [string, string])[] {
  const price = priceWords(units);
  return price === null ? [] : [[name, price]];
}

/** No month is known: neither sums nor a file. */
export function noBill(): void {
  shown = null;
  lines = null;
  details.open = false;
  byId('bill-title').textContent = words().bill;
  for (const part of [byId('bill'), byId('bill-table')]) part.replaceChildren();
  for (const part of [byId('bill'), file, details]) show(part, false);
}

async function readLines(): Promise<void> {
  const asked = shown;
  if (asked === null) return;
  let read: typeof lines;
  try {
    read = await readBillLines(asked.usage.month, LINES_SHOWN);
  } catch (error) {
    const failure = troubleOf(error);
    if (failure === null) return;
    read = { failure };
  }
  if (shown?.usage.month !== asked.usage.month) return;
  lines = read;
  drawLines();
}

function drawLines(): void {
  const place = byId('bill-table');
  const said = words();
  if (shown === null || !details.open) place.replaceChildren();
  else if (lines === null) place.replaceChildren(h('p', { class: 'muted' }, said.loading));
  else if ('failure' in lines)
    place.replaceChildren(h('p', { class: 'notice bad' }, lines.failure));
  else if (lines.lines.length === 0)
    place.replaceChildren(h('p', { class: 'muted' }, said.noLines));
  else
    place.replaceChildren(
      h('p', { class: 'muted' }, lines.hasMore ? said.firstLines : said.allLines),
      linesTable(lines.lines, shown.keyNames),
    );
}

function linesTable(all: readonly BillLine[], keyNames: ReadonlyMap<string, string>): HTMLElement {
  const said = words();
  const head = [said.time, said.operation, said.unitsHead, said.key, said.requestId];
  const rows = all.map((line) => [
    exactMoment(line.time),
    operationWords(line.operation),
    number(line.units),
    h('bdi', {}, keyNames.get(line.key_id) ?? line.key_id),
    h('code', {}, line.request_id),
  ]);
  const part = scrolled(said.billLines, table({ head, rows }));
  part.classList.add('lines');
  return part;
}

/** The lines when they are unfolded, and the file. */
export function installBill(): void {
  details.addEventListener('toggle', () => {
    drawLines();
    if (details.open && lines === null) void readLines();
  });
  file.addEventListener('click', (event) => {
    event.preventDefault();
    void fetchFile();
  });
}

/** Without a session the saved file would be an error. */
async function fetchFile(): Promise<void> {
  if (shown === null) return;
  const { month } = shown.usage;
  try {
    await readMe();
    h('a', { href: billFile(month), download: '' }).click();
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) toast(why, 'bad');
  }
}
