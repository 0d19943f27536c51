/** What a job gives, before anybody signs in: up to a hundred addresses, answered by the open trial. */
import { Refused, wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { HeldKey, mintTrialKey } from '../shared/held-key.ts';
import { t } from '../shared/language.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { scrolled, table } from '../shared/table.ts';
import { drawPlot } from './plot.ts';
import { csvOf } from './example-file.ts';
import type { ExampleRow } from './example-file.ts';

const MOST_ROWS = 100;
const MOST_FILE_BYTES = 1_000_000;
/** The trial has requests a minute: a row waits for the next, for so long in all. */
const REST_MS = 3_000;
const MOST_RESTS = 60;

interface Cleansed {
  readonly kategori: string | null;
  readonly resultater: readonly {
    readonly aktueladresse: {
      readonly betegnelse: string;
      readonly bfe_nummer: number | null;
      readonly koordinat: { readonly lon: number; readonly lat: number } | null;
    };
  }[];
}

const { proeve, sted = '' } = document.body.dataset;
const key = proeve === 'open' ? null : new HeldKey(mintTrialKey);

let rows: readonly ExampleRow[] = [];
/** Answered before the others were corrected. */
let kept: readonly ExampleRow[] = [];
let run = 0;

/** Shows the example, its rows those of the address nearest to the service's example place. */
export async function beginExample(): Promise<void> {
  if (proeve === 'off') return;
  show(byId('example'), true);
  const field = byIdAs('example-rows', HTMLTextAreaElement);
  byId('example-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void answer();
  });
  byIdAs('example-file', HTMLInputElement).addEventListener('change', (event) => {
    void readFile((event.target as HTMLInputElement).files?.[0]);
  });
  byId('example-save').addEventListener('click', save);
  byId('example-mend').addEventListener('click', mend);
  const lines = await exampleLines();
  if (field.value === '') field.value = lines.join('\n');
}

/** In the language of now. */
export function drawExample(): void {
  const answered = rows.filter(({ address }) => address !== null);
  const failed = rows.filter(({ failure }) => failure !== null);
  show(byId('example-files'), rows.length > 0);
  show(byId('example-mend'), failed.length > 0);
  const plot = drawPlot(
    answered.flatMap(({ lon, lat }, at) =>
      lon === null || lat === null ? [] : [{ row: String(at + 1), lon, lat }],
    ),
  );
  byId('example-found').replaceChildren(
    ...(answered.length === 0 ? [] : [answersTable(answered)]),
    ...(plot === null ? [] : [plot]),
    ...causesOf(failed).map((cause) => {
      const of = failed.filter(({ failure }) => failure === cause);
      const lines = of.map(({ written }) => h('li', {}, h('bdi', {}, written)));
      return h(
        'details',
        { open: true },
        h('summary', {}, `${cause} (${of.length})`),
        h('ul', {}, ...lines),
      );
    }),
  );
}

function causesOf(failed: readonly ExampleRow[]): readonly string[] {
  return [...new Set(failed.map(({ failure }) => failure ?? ''))];
}

function answersTable(answered: readonly ExampleRow[]): HTMLElement {
  const name = t('Svar', 'Answers');
  const head = [
    ...[t('Hvor sikker', 'Certainty'), t('Skrevet', 'Written'), t('Adresse', 'Address')],
    t('Ejendom (BFE)', 'Property (BFE)'),
  ];
  const cells = answered.map(({ written, certainty, address, bfe }) => [
    h('span', { class: `badge ${certainty === 'C' ? 'warn' : 'good'}` }, certainty ?? '–'),
    h('bdi', {}, written),
    address ?? '',
    String(bfe ?? '–'),
  ]);
  return scrolled(name, table({ head, rows: cells, caption: name }));
}

/** As people write them: whole, short, misspelled, and one that is not there. */
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

async function readFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  if (file.size > MOST_FILE_BYTES) {
    say(byId('example-error'), t('Filen er over 1 MB.', 'The file is above 1 MB.'));
    return;
  }
  say(byId('example-error'), '');
  try {
    byIdAs('example-rows', HTMLTextAreaElement).value = await linesOf(file);
  } catch (error) {
    say(byId('example-error'), wordsOf(error));
    return;
  }
  kept = [];
  await answer();
}

/** An address of each row; a file of text has one on each line. */
async function linesOf(file: File): Promise<string> {
  if (/\.txt$/i.test(file.name)) return await file.text();
  const { lookThrough, guess } = await import('./source.ts');
  const { addressText } = await import('./trial.ts');
  const { columns: inputColumns, rows: found } = await lookThrough(file);
  const { columns } = guess(inputColumns, found);
  const lines = found.flatMap((row) => {
    const text = addressText(row, { columns, inputColumns, decimal: null });
    return text === null ? [] : [text];
  });
  if (lines.length > 0) return lines.join('\n');
  throw new Error(
    t('Ingen kolonne i filen er en adresse.', 'No column of the file is an address.'),
  );
}

/** Puts the rows without an answer back into the field; the others stay answered. */
function mend(): void {
  const field = byIdAs('example-rows', HTMLTextAreaElement);
  kept = rows.filter(({ address }) => address !== null);
  field.value = rows
    .filter(({ address }) => address === null)
    .map(({ written }) => written)
    .join('\n');
  field.focus();
}

async function answer(): Promise<void> {
  run += 1;
  const mine = run;
  const written = byIdAs('example-rows', HTMLTextAreaElement)
    .value.split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const some = written.slice(0, MOST_ROWS);
  rows = kept;
  kept = [];
  const said = byId('example-said');
  try {
    for (const [at, line] of some.entries()) {
      said.textContent = t(`${at} af ${some.length} besvaret`, `${at} of ${some.length} answered`);
      const row = await cleanse(line, () => mine === run);
      if (mine !== run || row === null) return;
      rows = [...rows, row];
      drawExample();
    }
    const more = written.length - some.length;
    said.textContent =
      t(`${some.length} rækker besvaret`, `${some.length} rows answered`) +
      (more > 0 ? t(`; ${more} flere kræver en konto`, `; ${more} more take an account`) : '');
  } catch (error) {
    said.textContent = wordsOf(error);
  }
}

/** null: another run began. */
async function cleanse(written: string, isWanted: () => boolean): Promise<ExampleRow | null> {
  const none = { address: null, certainty: null, bfe: null, lon: null, lat: null, failure: null };
  for (let rests = 0; isWanted(); rests++) {
    const query = new URLSearchParams({ betegnelse: written.slice(0, 300) });
    const reply = await lookUpWith<Cleansed>(key, `v1/datavask?${query}`);
    if (reply.ok) {
      const { kategori: certainty, resultater } = reply.body;
      const best = resultater[0]?.aktueladresse;
      if (best === undefined) {
        return {
          ...none,
          written,
          failure: t('Ingen adresse ligner den', 'No address resembles it'),
        };
      }
      const { betegnelse: address, bfe_nummer: bfe, koordinat } = best;
      return {
        ...{ ...none, written, certainty, address, bfe },
        ...(koordinat !== null && { lon: koordinat.lon, lat: koordinat.lat }),
      };
    }
    if (reply.status !== 429) return { ...none, written, failure: reply.message };
    if (rests >= MOST_RESTS) throw new Refused(429, 'rate_limited', reply.message);
    byId('example-said').textContent = t(
      'Prøven har besvaret alt, den må i dette minut, og fortsætter af sig selv.',
      'The trial answered all it may this minute, and goes on by itself.',
    );
    await new Promise((resolve) => {
      setTimeout(resolve, REST_MS);
    });
  }
  return null;
}

function save(): void {
  const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
  h('a', { href: url, download: t('adresser-svar.csv', 'addresses-answered.csv') }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
