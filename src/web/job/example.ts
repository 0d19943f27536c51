/** Before anybody signs in: up to a hundred addresses, answered by the open trial. */
import { Refused, wordsOf } from '../shared/ask.ts';
import type { Cleansed } from '../shared/answers.ts';
import { byId, byIdAs, show } from '../shared/dom.ts';
import { keepFile } from '../shared/keep-file.ts';
import { HeldKey, mintTrialKey } from '../shared/held-key.ts';
import { badNotice, button, fileField, html, nothing, render, rowsTable } from '../shared/html.ts';
import { scrolledPart, selectField } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { plotView } from './plot.ts';
import { csvOf } from './example-file.ts';
import type { ExampleRow } from './example-file.ts';
import type { Looked } from './source.ts';
import type { RoleColumns } from '../../jobs/for-pages.ts';

const MOST_ROWS = 100;
/** Said beforehand of so many: they take longer than a look. */
const MANY_ROWS = 61;
const MOST_FILE_BYTES = 1_000_000;
/** The trial has requests a minute: a row waits for the next, for so long in all. */
const REST_MS = 3_000;
const MOST_RESTS = 60;

const { proeve, sted = '' } = document.body.dataset;
const key = proeve === 'open' ? null : new HeldKey(mintTrialKey);

let rows: readonly ExampleRow[] = [];
/** Answered before the others were corrected. */
let kept: readonly ExampleRow[] = [];
let run = 0;
/** A file without a column of addresses that was found. */
let table: Looked | null = null;
/** Rows of the file that are not in the field. */
let beyond = 0;
let trouble = '';
let said: () => string = () => '';

/** Its rows are those of the address nearest to the service's example place. */
export async function beginExample(): Promise<void> {
  if (proeve === 'off') return;
  drawExample();
  const lines = await exampleLines();
  if (run > 0 || field().value !== '') return;
  field().value = lines.join('\n');
  drawExample();
}

function field(): HTMLTextAreaElement {
  return byIdAs('example-rows', HTMLTextAreaElement);
}

export function drawExample(): void {
  show(byId('example'), proeve !== 'off');
  render(exampleView(), byId('example'));
}

function exampleView(): TemplateResult {
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void answer();
  };
  const onInput = (): void => {
    beyond = 0;
    drawExample();
  };
  return html`<h2 id="example-title">${t('Prøv det med adresser', 'Try it with addresses')}</h2>
    <p>
      ${t(
        'Op til hundrede rækker besvares her og nu, uden konto. Sæt en kolonne fra et regneark ind, eller vælg en fil: Excel, CSV eller tekst.',
        'Up to a hundred rows, answered here and now, without an account. Paste a column of a spreadsheet, or choose a file: Excel, CSV or text.',
      )}
    </p>
    <form @submit=${onSubmit}>
      <label for="example-rows">${t('Adresser, én pr. linje', 'Addresses, one a line')}</label>
      <textarea
        id="example-rows"
        rows="8"
        maxlength="30000"
        spellcheck="false"
        aria-describedby="example-plan"
        @input=${onInput}
      ></textarea>
      <p class="muted" id="example-plan">${planWords()}</p>
      ${fileField({
        ...{ id: 'example-file', accept: '.xlsx,.xlsm,.csv,.txt', open: readFile },
        label: t('Eller en fil', 'Or a file'),
      })}
      ${badNotice(trouble)} ${table === null ? nothing : columnField(table)}
      <button type="submit" class="primary">${t('Besvar rækkerne', 'Answer the rows')}</button>
    </form>
    <p class="muted" id="example-said" role="status">${said()}</p>
    <div id="example-found">${foundView()}</div>
    ${rows.length === 0 ? nothing : fileButtons()}
    <p class="muted">
      ${t(
        'Med en konto: filer på op til en million rækker, byggelinjer, områder, ejendomme, og svaret som Excel, CSV, NDJSON og GeoJSON.',
        'With an account: files of up to a million rows, building lines, areas, properties, and the answer as Excel, CSV, NDJSON and GeoJSON.',
      )}
    </p>`;
}

function fileButtons(): TemplateResult {
  const hasFailed = rows.some(({ failure }) => failure !== null);
  return html`<div class="buttons start" id="example-files">
    ${button(t('Hent som CSV', 'Download as CSV'), save)}
    <button type="button" ?hidden=${!hasFailed} @click=${mend}>
      ${t('Ret rækkerne uden svar', 'Correct rows without an answer')}
    </button>
  </div>`;
}

function foundView(): TemplateResult {
  const answered = rows.filter(({ address }) => address !== null);
  const failed = rows.filter(({ failure }) => failure !== null);
  const places = answered.flatMap(({ address }, at) =>
    address?.koordinat ? [{ row: String(at + 1), ...address.koordinat }] : [],
  );
  const causes = [...new Set(failed.map(({ failure }) => failure ?? ''))];
  return html`${answered.length === 0 ? nothing : answersTable(answered)} ${plotView(places)}
  ${causes.map((cause) => {
    const of = failed.filter(({ failure }) => failure === cause);
    return html`<details open>
      <summary>${cause} (${of.length})</summary>
      <ul>
        ${of.map(({ written }) => html`<li><bdi>${written}</bdi></li>`)}
      </ul>
    </details>`;
  })}`;
}

function answersTable(answered: readonly ExampleRow[]): TemplateResult {
  const name = t('Svar', 'Answers');
  const head = [
    ...[t('Hvor sikker', 'Certainty'), t('Skrevet', 'Written'), t('Adresse', 'Address')],
    t('Ejendom (BFE)', 'Property (BFE)'),
  ];
  const cells = answered.map(({ written, certainty, address }) => [
    html`<span class="badge ${certainty === 'C' ? 'warn' : 'good'}">${certainty ?? '–'}</span>`,
    html`<bdi>${written}</bdi>`,
    ...[address?.betegnelse ?? '', String(address?.bfe_nummer ?? '–')],
  ]);
  return scrolledPart(name, rowsTable({ head, rows: cells, caption: name }));
}

/** Whole, short, misspelled, and one that is not there. */
async function exampleLines(): Promise<readonly string[]> {
  const [lon, lat] = sted.split(' ');
  if (lon === undefined || lat === undefined) return [];
  const near = await lookUpWith<{ readonly adresse: { readonly vejnavn: string | null } }>(
    key,
    `v1/adresser/reverse?lon=${lon}&lat=${lat}&radius=1000`,
  );
  const road = near.ok ? near.body.adresse.vejnavn : null;
  if (road === null) return [];
  const found = await lookUpWith<{ readonly adresser: readonly { readonly betegnelse: string }[] }>(
    key,
    `v1/adresser?q=${encodeURIComponent(road)}&per_side=6`,
  );
  if (!found.ok) return [];
  const [first = road, second = road, ...rest] = found.body.adresser.map((each) => each.betegnelse);
  const misspelled = second.replace(/^(.{3})(.)(.)/, '$1$3$2');
  return [
    ...[first, first.split(',')[0]?.toLowerCase() ?? first, misspelled, ...rest],
    `${t('Vejen der ikke findes', 'The road that is not there')} 1`,
  ];
}

function planWords(): string {
  const written = document.getElementById('example-rows') === null ? 0 : linesIn().length;
  const all = written + beyond;
  const some = Math.min(written, MOST_ROWS);
  if (some < MANY_ROWS) return '';
  const time = t('Det tager op til et par minutter.', 'That takes up to a few minutes.');
  if (all === some) return time;
  const more = number(all - some);
  const left = t(
    `De første ${some} besvares her; ${more} flere kræver en konto.`,
    `The first ${some} are answered here; ${more} more take an account.`,
  );
  return `${left} ${time}`;
}

function columnField(looked: Looked): TemplateResult {
  const names = looked.columns.map((name) => [name, name] as const);
  const choices = [['', t('(vælg)', '(choose)')] as const, ...names];
  const label = t('Kolonnen med adresserne', 'The column of the addresses');
  const onChange = ({ target }: Event) => takeColumn(looked, (target as HTMLSelectElement).value);
  return html`<div class="field" @change=${onChange}>
    ${selectField(['example-column', label, choices, ''])}
  </div>`;
}

interface Lines {
  readonly lines: readonly string[];
  /** Rows of the file that are not among them. */
  readonly more: number;
}

/** Nothing of an earlier file or run is left. */
async function readFile(file: File): Promise<void> {
  run += 1;
  const mine = run;
  [rows, kept, table, beyond, trouble, said] = [[], [], null, 0, '', () => ''];
  field().value = '';
  drawExample();
  try {
    if (file.size > MOST_FILE_BYTES)
      throw new Refused(0, 'too_large', t('Filen er over 1 MB.', 'The file is above 1 MB.'));
    const { lookThrough, guess } = await import('./source.ts');
    const isText = /\.txt$/i.test(file.name);
    const looked = isText ? null : await lookThrough(file);
    const read =
      looked === null
        ? { lines: nonBlank(await file.text()), more: 0 }
        : await addressesOf(looked, guess(looked.columns, looked.rows).columns);
    if (mine !== run) return;
    if (read.lines.length === 0) {
      table = looked;
      const why = t('Ingen kolonne i filen er en adresse.', 'No column of the file is an address.');
      throw new Refused(0, 'no_address', why);
    }
    await take(read);
  } catch (error) {
    if (mine !== run) return;
    trouble = `${file.name}: ${wordsOf(error)}`;
    drawExample();
  }
}

/** Few rows are answered at once; of many it is said first what that means. */
async function take({ lines, more }: Lines): Promise<void> {
  field().value = lines.join('\n');
  beyond = more;
  if (lines.length + more <= MOST_ROWS) await answer();
  else drawExample();
}

async function takeColumn(looked: Looked, column: string): Promise<void> {
  [table, trouble] = [null, ''];
  await take(await addressesOf(looked, { adresse: column }));
}

async function addressesOf(looked: Looked, columns: RoleColumns): Promise<Lines> {
  const { addressText } = await import('./trial.ts');
  const { columns: inputColumns, rows: found, totalRows } = looked;
  const lines = found.flatMap(
    (row) => addressText(row, { columns, inputColumns, decimal: null }) ?? [],
  );
  return { lines, more: totalRows - found.length };
}

function nonBlank(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function linesIn(): readonly string[] {
  return nonBlank(field().value);
}

/** Puts the rows without an answer back into the field. */
function mend(): void {
  [beyond, kept] = [0, rows.filter(({ address }) => address !== null)];
  const others = rows.filter(({ address }) => address === null);
  field().value = others.map(({ written }) => written).join('\n');
  field().focus();
}

function say(words: () => string): void {
  said = words;
  drawExample();
}

async function answer(): Promise<void> {
  run += 1;
  const mine = run;
  const written = linesIn();
  const some = written.slice(0, MOST_ROWS);
  trouble = some.length > 0 ? '' : t('Skriv mindst én adresse.', 'Write at least one address.');
  if (some.length === 0) {
    drawExample();
    return;
  }
  rows = kept;
  kept = [];
  try {
    for (const [at, line] of some.entries()) {
      say(() => t(`${at} af ${some.length} besvaret`, `${at} of ${some.length} answered`));
      const row = await cleanse(line, () => mine === run);
      if (mine !== run || row === null) return;
      rows = [...rows, row];
    }
    const more = written.length - some.length + beyond;
    const rest = () => t(`; ${more} flere kræver en konto`, `; ${more} more take an account`);
    const good = rows.slice(-some.length).filter(({ address }) => address !== null).length;
    const all = () =>
      t(`${good} af ${some.length} rækker besvaret`, `${good} of ${some.length} rows answered`);
    say(() => all() + (more > 0 ? rest() : ''));
  } catch (error) {
    say(() => wordsOf(error));
  }
}

/** null: another run began. */
async function cleanse(written: string, isWanted: () => boolean): Promise<ExampleRow | null> {
  const failed = (failure: string) => ({ written, certainty: null, address: null, failure });
  for (let rests = 0; isWanted(); rests++) {
    const query = new URLSearchParams({ betegnelse: written.slice(0, 300) });
    const reply = await lookUpWith<Cleansed>(key, `v1/datavask?${query}`);
    if (reply.ok) {
      const { kategori: certainty, resultater } = reply.body;
      const address = resultater[0]?.aktueladresse;
      if (address !== undefined) return { written, certainty, address, failure: null };
      return failed(t('Ingen adresse ligner den', 'No address resembles it'));
    }
    if (reply.status !== 429) return failed(reply.message);
    if (rests >= MOST_RESTS) throw new Refused(429, 'rate_limited', reply.message);
    say(() =>
      t(
        'Prøven har besvaret alt, den må i dette minut, og fortsætter af sig selv.',
        'The trial answered all it may this minute, and goes on by itself.',
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return null;
}

function save(): void {
  const file = new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' });
  keepFile(file, t('adresser-svar.csv', 'addresses-answered.csv'));
}
