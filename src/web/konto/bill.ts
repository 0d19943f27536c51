import { exactMoment, monthWords, number } from '../shared/format.ts';
import { badNotice, factList, html, note } from '../shared/html.ts';
import { nothing, rowsTable, scrolledPart } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { priceWords } from '../shared/price.ts';
import { billFile, readBillLines, readMe } from './api.ts';
import { Part, account, attempt, may, redraw } from './board.ts';
import { section } from './pieces.ts';
import type { BillLine, Usage } from './types.ts';
import { keyName, operationWords, unitsOf } from './words.ts';

const LINES_SHOWN = 50;

let month = '';
let isOpen = false;
const lines = new Part(() => readBillLines(month, LINES_SHOWN));

export function billOf(usage: Usage | null): void {
  if (usage?.month !== month) {
    lines.forget();
    [month, isOpen] = [usage?.month ?? '', false];
  }
  if (isOpen) void lines.read();
}

/** @param usage null: no month is known */
export function billView(usage: Usage | null): Content {
  const title = t('Regning', 'Bill');
  if (!may('pays')) return nothing;
  if (usage === null) return section({ id: 'bill', title }, html`<div class="card part"></div>`);
  const { live } = usage;
  const price = priceWords(live.overage_units);
  const facts: readonly (readonly [string, string])[] = [
    [t('Forbrug på livenøgler', 'Usage of live keys'), unitsOf(live.units)],
    [
      t('Heraf ud over det inkluderede', 'Of which beyond what is included'),
      unitsOf(live.overage_units),
    ],
    ...(price === null
      ? []
      : [[t('Pris ud over det inkluderede', 'Price beyond what is included'), price] as const]),
    [t('Besvarede kald', 'Answered calls'), number(live.requests)],
  ];
  return section(
    { id: 'bill', title: `${title}: ${monthWords(usage.month)}` },
    html`<div class="card part">
      ${factList(facts)}
      ${note(t('Testnøgler kommer aldrig på regningen.', 'Test keys are never billed.'))}
      <p class="buttons start">
        <a class="button" href=${billFile(usage.month)} @click=${fetchFile}>
          ${t('Hent alle linjer (CSV)', 'Download all lines (CSV)')}
        </a>
      </p>
      <details ?open=${isOpen} @toggle=${onToggle}>
        <summary>${t('Vis linjer', 'Show lines')}</summary>
        <div id="bill-table">${isOpen ? linesView() : nothing}</div>
      </details>
    </div>`,
  );
}

function linesView(): Content {
  const { value, trouble } = lines;
  if (trouble !== '') return badNotice(trouble);
  if (value === null) return note(t('Henter…', 'Loading…'));
  if (value.lines.length === 0)
    return note(t('Måneden har ingen linjer.', 'The month has no lines.'));
  const which = value.hasMore
    ? t('De første linjer. Filen har dem alle.', 'The first lines. The file has them all.')
    : t('Alle månedens linjer.', 'All lines of the month.');
  return html`${note(which)} ${linesTable(value.lines)}`;
}

function linesTable(all: readonly BillLine[]): TemplateResult {
  const head = t('Tid,Opslag,Enheder,Nøgle,Kald-id', 'Time,Lookup,Units,Key,Request id').split(',');
  const rows = all.map((line) => [
    exactMoment(line.time),
    operationWords(line.operation),
    number(line.units),
    html`<bdi>${keyName(account?.keys, line.key_id)}</bdi>`,
    html`<code>${line.request_id}</code>`,
  ]);
  const name = t('Linjer på regningen', 'Lines of the bill');
  return scrolledPart(name, rowsTable({ head, rows }));
}

function onToggle({ target }: Event): void {
  isOpen = (target as HTMLDetailsElement).open;
  redraw();
  if (isOpen && lines.value === null) void lines.read();
}

/** Without a session the saved file would be an error. */
async function fetchFile(event: Event): Promise<void> {
  event.preventDefault();
  const href = billFile(month);
  await attempt(async () => {
    await readMe();
    Object.assign(document.createElement('a'), { href, download: '' }).click();
  });
}
