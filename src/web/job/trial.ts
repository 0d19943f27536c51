/** By ordinary lookups with the test key, before anything is sent. */
import { answeredKind, numberOf, numberWritten, textOf } from '../../jobs/for-pages.ts';
import type {
  Address,
  Areas,
  BuildingLines,
  Cleansed,
  NearestAddress,
  Property,
} from '../shared/answers.ts';
import { isNothing, unreadColumnsOf, withLetter } from '../../jobs/intake/for-pages.ts';
import type { Kind, Role, RoleColumns, Row, Srid } from '../../jobs/for-pages.ts';
import { Refused } from '../shared/ask.ts';
import { addressQuery } from './address-query.ts';
import { read } from './api.ts';
import { t, wordOf } from '../shared/language.ts';
import type { Words } from '../../layers/words.ts';
import { builtWords, decimal } from '../shared/format.ts';

export type Tried = { readonly answer: string } | { readonly failure: string };

export interface TrialOptions {
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly srid: Srid;
  readonly inputColumns: readonly string[];
  /** Set where the reader corrected it. */
  readonly decimal: 'comma' | 'point' | null;
  readonly signal: AbortSignal;
}

/** Throws only for an abort. */
export async function tryRow(row: Row, options: TrialOptions): Promise<Tried> {
  try {
    return { answer: await answerOf(new RoleRow(row, options), options) };
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (error instanceof Refused || error instanceof RowFault) return { failure: error.message };
    throw error;
  }
}

/** null: it has none. */
export function addressText(row: Row, options: RowOptions): string | null {
  const of = new RoleRow(row, options);
  const [road, number] = [of.text('vej'), of.text('husnr')];
  const written = of.text('adresse') ?? (road === null ? null : `${road} ${number ?? ''}`.trim());
  return written === null ? null : wholeText(written, of);
}

type RowOptions = Pick<TrialOptions, 'columns' | 'inputColumns' | 'decimal'>;

/** The row itself cannot be asked about. */
class RowFault extends Error {}

class RoleRow {
  readonly #row: Row;
  readonly #options: RowOptions;

  constructor(row: Row, options: RowOptions) {
    this.#row = row;
    this.#options = options;
  }

  text(role: Role): string | null {
    return textOf(this.#cell(role));
  }

  number(role: 'x' | 'y'): number {
    const { decimal } = this.#options;
    const cell = this.#cell(role);
    const isText = typeof cell === 'string' && decimal !== null;
    const value = numberOf(isText ? (numberWritten(cell, decimal) ?? cell) : cell);
    if (value !== null) return value;
    const column = this.#options.columns[role] ?? role;
    throw new RowFault(
      t(`Kolonnen ${column} er ikke et tal.`, `The column ${column} is not a number.`),
    );
  }

  /** With a value that the job does not read and that may decide the address (D154). */
  get unread(): readonly string[] {
    const { columns, inputColumns } = this.#options;
    return unreadColumnsOf(columns, inputColumns).flatMap(
      ({ column, place, part, isOfAnother }) => {
        const text = textOf(this.#row[place]);
        const decides =
          !isOfAnother && DECIDING.includes(part) && text !== null && !isNothing(text);
        return decides ? [column] : [];
      },
    );
  }

  #cell(role: Role) {
    const { columns, inputColumns } = this.#options;
    const column = columns[role];
    return column === undefined ? null : this.#row[inputColumns.indexOf(column)];
  }
}

const DECIDING: readonly string[] = [
  ...['husnr', 'bogstav', 'opgang', 'etage', 'doer', 'enhed', 'postnr', 'by', 'linje'],
];

type Trial = (row: RoleRow, options: TrialOptions) => Promise<string>;

/** Others: the job alone. */
const TRIALS: Readonly<Partial<Record<ReturnType<typeof answeredKind>, Trial>>> = {
  datavask: cleansed,
  bbr: property,
  miljoe: async (...of) => linesText(await atPoint('natur/byggelinjer', ...of)),
  dagi: async (...of) => areasText(await atPoint('dagi/reverse', ...of)),
  reverse: async (...of) => {
    const { adresse } = await atPoint<NearestAddress>('adresser/reverse', ...of);
    return `${adresse.betegnelse} (${decimal(adresse.afstand_m)} m)`;
  },
};

async function answerOf(row: RoleRow, options: TrialOptions): Promise<string> {
  const trial = TRIALS[answeredKind(options)];
  if (trial !== undefined) return await trial(row, options);
  return t('besvares, når jobbet er sendt', 'answered when the job is sent');
}

function ask<Body>(path: string, { signal }: TrialOptions): Promise<Body> {
  return read<Body>('test', path, { signal });
}

async function atPoint<Body>(path: string, row: RoleRow, options: TrialOptions): Promise<Body> {
  return await ask(`v1/${path}?${await placeOf(row, options)}`, options);
}

/** x and y; where there is nothing in either, the address. */
async function placeOf(row: RoleRow, options: TrialOptions): Promise<URLSearchParams> {
  if (row.text('x') === null && row.text('y') === null) {
    const { koordinat } = await addressOf(row, options);
    if (koordinat === null) {
      throw new RowFault(t('Adressen har intet sted.', 'The address has no location.'));
    }
    return new URLSearchParams({ lon: String(koordinat.lon), lat: String(koordinat.lat) });
  }
  const [x, y] = [String(row.number('x')), String(row.number('y'))];
  return new URLSearchParams({ x, y, srid: String(options.srid) });
}

/** By the id, else by what is written. */
async function addressOf(row: RoleRow, options: TrialOptions): Promise<Address> {
  const id = row.text('adgangsadresse_id');
  if (id === null) return await sureAddress(row, options);
  return await ask<Address>(`v1/adresser/${encodeURIComponent(id)}`, options);
}

/** How many addresses an unsure row names, as in the job's errors (D145). */
const CANDIDATES_NAMED = 3;

/** A guess (C) is no address to answer for (D97, D145). */
async function sureAddress(row: RoleRow, options: TrialOptions): Promise<Address> {
  const { kategori, resultater } = await cleanse(row, options);
  const [best] = resultater;
  if (best === undefined) throw noneAlike();
  if (kategori === 'A' || kategori === 'B') return best.aktueladresse;
  const some = resultater.slice(0, CANDIDATES_NAMED);
  const nearest = some.map(({ aktueladresse: { betegnelse } }) => betegnelse).join('; ');
  throw new RowFault(
    t(
      `Ingen adresse er sikkert eller næsten sikkert denne. De nærmeste: ${nearest}.`,
      `No address matches with certainty or near certainty. The closest: ${nearest}.`,
    ),
  );
}

/** A line that was not answered is named: it is no "no". */
function linesText({ linjer }: BuildingLines): string {
  const lines = Object.values(linjer);
  const within = lines.filter(({ inden_for: isWithin }) => isWithin === true);
  const unknown = lines.filter(({ inden_for: isWithin }) => isWithin === null);
  const found =
    within.length === 0
      ? t('ingen af de besvarede linjer', 'none of the lines answered')
      : within.map(({ navn }) => navn).join(', ');
  if (unknown.length === 0) {
    return within.length === 0 ? t('ingen af linjerne', 'none of the lines') : found;
  }
  const missing = unknown.map(({ navn }) => navn).join(', ');
  return `${found}; ${t('ikke besvaret', 'not answered')}: ${missing}`;
}

function areasText({ omraader }: Areas): string {
  const shown = omraader.filter(({ tema }) => tema === 'kommune' || tema === 'sogn');
  const named = (shown.length > 0 ? shown : omraader).map(({ navn }) => navn);
  return named.length === 0 ? t('intet område', 'no area') : named.join(', ');
}

async function cleanse(row: RoleRow, options: TrialOptions): Promise<Cleansed> {
  const query = addressQuery((role) => row.text(role));
  if (query === null) throw new RowFault(t('Rækken har ingen adresse.', 'The row has no address.'));
  const found = await ask<Cleansed>(`v1/datavask?${new URLSearchParams(query)}`, options);
  return row.unread.length > 0 && found.kategori !== null ? { ...found, kategori: 'C' } : found;
}

/** Floor, door, postcode and town beside the text belong to it. */
function wholeText(written: string, row: RoleRow): string {
  const [street = '', ...places] = withLetter(written, row.text('bogstav')).split(',');
  const floor = row.text('etage');
  const unit = [floor === null ? null : `${floor}.`, row.text('doer')];
  // A spreadsheet's number has lost its noughts.
  const code =
    row.text('postnr')?.replace(/^\d{1,3}$/, (digits) => digits.padStart(4, '0')) ?? null;
  const town = code !== null && written.includes(code) ? [] : [code, row.text('by')];
  const parts = [[street], unit, ...places.map((place) => [place.trim()]), town];
  return parts
    .map((part) => part.filter((text) => text !== null).join(' '))
    .filter((part) => part !== '')
    .join(', ');
}

async function cleansed(row: RoleRow, options: TrialOptions): Promise<string> {
  const { kategori, resultater } = await cleanse(row, options);
  const [best] = resultater;
  if (best === undefined) throw noneAlike();
  const unread = row.unread.map((column) => t(`${column} læses ikke`, `${column} is not read`));
  const notes = [kategori === null ? '–' : wordOf(CATEGORIES, kategori), ...unread];
  return `${best.aktueladresse.betegnelse} (${notes.join('; ')})`;
}

const CATEGORIES: Readonly<Record<string, Words>> = {
  A: { da: 'A, sikker', en: 'A, certain' },
  B: { da: 'B, næsten sikker', en: 'B, almost certain' },
  C: { da: 'C, et gæt', en: 'C, a guess' },
};

function noneAlike(): RowFault {
  return new RowFault(t('Ingen adresse ligner den.', 'No address resembles it.'));
}

async function property(row: RoleRow, options: TrialOptions): Promise<string> {
  const bfe = await bfeOf(row, options);
  const found = await ask<Property>(`v1/bbr/ejendom/${encodeURIComponent(bfe)}`, options);
  const buildings = t(`${found.antal_bygninger} bygninger`, `${found.antal_bygninger} buildings`);
  const [first] = found.bygninger;
  const about =
    first === undefined
      ? []
      : [first.anvendelse?.tekst, builtWords(first.opfoerelsesaar)].filter(
          (part) => part !== undefined,
        );
  return [`BFE ${found.bfe_nummer ?? '–'}`, buildings, ...about].join(', ');
}

async function bfeOf(row: RoleRow, options: TrialOptions): Promise<string> {
  const written = row.text('bfe');
  if (written !== null) return written;
  const { bfe_nummer: number } = await addressOf(row, options);
  if (number !== null) return String(number);
  throw new RowFault(t('Adressen har intet BFE-nummer.', 'No property is known for this address.'));
}
