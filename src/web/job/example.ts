/** What a job gives, before anybody signs in: up to a hundred addresses, answered by the open trial. */
import { Refused, wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { HeldKey, mintTrialKey } from '../shared/held-key.ts';
import { t } from '../shared/language.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { scrolled, table } from '../shared/table.ts';
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
let run = 0;

/** Shows the example, its rows those of the address nearest to the service's example place. */
export async function beginExample(): Promise<void> {
  if (proeve === 'off') return;
  show(byId('example'), true);
  byId('example-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void answer();
  });
  byIdAs('example-file', HTMLInputElement).addEventListener('change', (event) => {
    void readFile((event.target as HTMLInputElement).files?.[0]);
  });
  byId('example-save').addEventListener('click', save);
  const field = byIdAs('example-rows', HTMLTextAreaElement);
  const lines = await exampleLines();
  if (field.value === '') field.value = lines.join('\n');
}

/** In the language of now. */
export function drawExample(): void {
  const answered = rows.filter(({ address }) => address !== null);
  const failed = rows.filter(({ failure }) => failure !== null);
  show(byId('example-files'), rows.length > 0);
  byId('example-found').replaceChildren(
    ...(answered.length === 0 ? [] : [answersTable(answered)]),
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
    ...[t('Skrevet', 'Written'), t('Hvor sikker', 'Certainty'), t('Adresse', 'Address')],
    ...[
      t('Ejendom (BFE)', 'Property (BFE)'),
      t('Længdegrad', 'Longitude'),
      t('Breddegrad', 'Latitude'),
    ],
  ];
  const cells = answered.map((row) => [
    h('bdi', {}, row.written),
    h('span', { class: `badge ${row.certainty === 'C' ? 'warn' : 'good'}` }, row.certainty ?? '–'),
    row.address ?? '',
    String(row.bfe ?? '–'),
    String(row.lon ?? '–'),
    String(row.lat ?? '–'),
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
  byIdAs('example-rows', HTMLTextAreaElement).value = await file.text();
  await answer();
}

async function answer(): Promise<void> {
  run += 1;
  const mine = run;
  const written = byIdAs('example-rows', HTMLTextAreaElement)
    .value.split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const some = written.slice(0, MOST_ROWS);
  rows = [];
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
