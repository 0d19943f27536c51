import { cellWords, columnWords } from '../../jobs/column-words.ts';
import { rowErrorInDanish, withoutRole } from '../../core/rows/row-errors.ts';
import { number } from '../shared/format.ts';
import { language, t } from '../shared/language.ts';
import { html, nothing, rowsTable } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { placesOf } from './first-page.ts';
import type { Page } from './first-page.ts';
import { plotView } from './plot.ts';

const SHOWN_ROWS = 50;

export function mapPart(results: Page, all: number): Content {
  const places = placesOf(results);
  const plot = plotView(places);
  if (plot === nothing) return nothing;
  const shown = results.rows.length;
  return html`<h3>${t('Hvor rækkerne ligger', 'Where the rows are')}</h3>
    ${plot}
    <p class="muted">${plotWords(shown, all, shown - places.length)}</p>`;
}

function plotWords(shown: number, all: number, missing: number): string {
  const some = t(
    `De første ${number(shown)} af ${number(all)} besvarede rækker.`,
    `The first ${number(shown)} of ${number(all)} answered rows.`,
  );
  const every = t('Alle besvarede rækker.', 'All answered rows.');
  const without = t(
    ` ${number(missing)} har intet sted og er ikke tegnet.`,
    ` ${number(missing)} have no place and are not drawn.`,
  );
  return `${shown < all ? some : every}${missing > 0 ? without : ''}`;
}

/** Say again where the row lies; the files have them. */
const IN_THE_MAP = /^(punkt_(lon|lat)|epsg25832_[xy]|soegeradius_m)(_svar)*$/;

/** Said by the verdict and the distance; the files have them. */
const IN_THE_VERDICT = /_(status|usikker|antal|objekt_id)(_svar)*$/;

const FIRST: readonly string[] = ['kategori', 'betegnelse'];

export function answersTable(page: Page, all: number, isWorded: boolean): TemplateResult {
  const title = t('Svar', 'Answers');
  if (!isWorded) return pageTable('found-svar', title, { ...page, shown: page.head }, all);
  const answers = page.given + 1;
  // A heading that the file has already got an end of its own.
  const columns = page.head.slice(answers).map((name) => name.replace(/(?:_svar)+$/, ''));
  const ours = ['raekke', ...columns].map((name) => columnWords(name, language()));
  const words = cellWords(columns, language());
  return pageTable(
    'found-svar',
    title,
    {
      ...page,
      hidden: IN_THE_VERDICT,
      shown: [...page.head.slice(0, page.given), ...ours],
      rows: page.rows.map((cells) => [
        ...cells.slice(0, answers),
        ...words(cells.slice(answers)).map(withMark),
      ]),
    },
    all,
  );
}

const DECIMAL = /^-?\d+\.\d+$/;

function withMark(cell: string): string {
  return DECIMAL.test(cell) ? t(cell.replace('.', ','), cell) : cell;
}

/** The reasons are English on file. */
export function errorsTable(page: Page, all: number): TemplateResult {
  const why = page.given + 1;
  const shown = [
    ...page.head.slice(0, page.given),
    ...['raekke', 'error', 'status'].map((name) => columnWords(name, language())),
  ];
  const rows = page.rows.map((cells) =>
    cells
      .slice(0, why + 1)
      .map((cell, at) => (at === why ? withoutRole(t(rowErrorInDanish(cell), cell)) : cell)),
  );
  const told = { ...page, head: page.head.slice(0, why + 1), shown, rows };
  const about = html`<ul class="causes">
      ${causesOf(rows.map((cells) => cells[why] ?? '')).map((cause) => html`<li>${cause}</li>`)}
    </ul>
    <p class="muted">
      ${t(
        'Hent filen med fejlene, ret rækkerne, og slip den under Nyt job.',
        'Download the file of errors, correct the rows, and drop it under A new job.',
      )}
    </p>`;
  return pageTable('found-fejl', t('Uden svar', 'Without an answer'), { ...told, about }, all);
}

/** By how many rows; what follows a colon is the row's own. */
function causesOf(sentences: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences) {
    const cause = sentence.replace(/: .*$/s, '').replace(/\.$/, '');
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a);
  return most.map(([cause, count]) => `${cause}: ${number(count)}`);
}

interface ShownPage extends Page {
  readonly shown: readonly string[];
  readonly hidden?: RegExp;
  readonly about?: Content;
}

function pageTable(
  id: string,
  name: string,
  { head, shown: names, hidden, about = '', rows, given }: ShownPage,
  all: number,
): TemplateResult {
  const shown = rows.slice(0, SHOWN_ROWS);
  const of = t('af', 'of');
  const title = `${name}: ${number(shown.length)} ${of} ${number(all)}`;
  const isShown = (each: string) => !IN_THE_MAP.test(each) && hidden?.test(each) !== true;
  const answers = head.flatMap((each, at) => (at > given && isShown(each) ? [at] : []));
  const isFirst = (at: number) => FIRST.includes(head[at] ?? '');
  const places = [...answers.filter(isFirst), ...answers.filter((at) => !isFirst(at))];
  const order = <Cell>(cells: readonly Cell[]): Cell[] => [
    ...cells.slice(given, given + 1),
    ...cells.slice(0, Math.min(1, given)),
    ...places.flatMap((at) => cells.slice(at, at + 1)),
    ...cells.slice(1, given),
  ];
  return html`<h3 id=${id}>${title}</h3>
    ${about}
    <div class="scroll" tabindex="0" role="region" aria-labelledby=${id}>
      ${rowsTable({ caption: title, head: order(names), rows: shown.map((cells) => order(cells)) })}
    </div>`;
}
