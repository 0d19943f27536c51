/**
 * What the front page asks, by the routes any customer has: with the key of the open trial, or without
 * one where the service asks nobody for a key.
 */
import type { Suggested } from '../shared/address-search.ts';
import type { Address } from '../shared/place-address.ts';
import { request } from '../shared/ask.ts';
import { queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { HeldKey, mintTrialKey } from '../shared/held-key.ts';

export interface Line {
  readonly navn: string;
  readonly hjemmel: string;
  readonly status: 'ok' | 'utilgaengelig';
  readonly inden_for: boolean | null;
  readonly usikker: boolean;
  readonly afstand_m: number | null;
}

export interface Lines {
  readonly soegeradius_m: number;
  readonly linjer: Readonly<Record<string, Line>>;
  readonly meta: { readonly kilde: string };
}

export interface Areas {
  readonly omraader: readonly {
    readonly tema: string;
    readonly navn: string;
    readonly kode: string | null;
  }[];
}

export interface Property {
  readonly bfe_nummer: number | null;
  readonly jordstykke: {
    readonly matrikelnummer: string | null;
    readonly ejerlav_navn: string | null;
  };
  readonly antal_bygninger: number;
  readonly bygninger: readonly {
    readonly anvendelse: { readonly tekst: string } | null;
    readonly opfoerelsesaar: number | null;
    readonly areal: { readonly samlet_bygningsareal_m2: number | null };
  }[];
}

export interface Status {
  readonly generation: number;
  readonly lag: readonly { readonly alder_s: number | null; readonly tilstand: string }[];
}

/** An answer and what its headers tell of the data behind it. */
export interface Reported<Answer> {
  readonly answer: Answer;
  readonly generation: number | null;
  readonly ageS: number | null;
  readonly isStale: boolean;
}

/** null: the service asks nobody for a key. */
const key = document.body.dataset['proeve'] === 'open' ? null : new HeldKey(mintTrialKey);

export async function suggest(path: string, signal: AbortSignal): Promise<Suggested> {
  return (await lookup<Suggested>(path, signal)).answer;
}

export interface NearestAddress extends Address {
  readonly afstand_m: number;
}

/** As the service answers it: it looks for access addresses alone. */
type Nearest = Omit<NearestAddress, 'id'> & { readonly adgangsadresse_id: string };

/** As far as the service looks; it says 404 where there is none. */
export async function nearestAddress(place: Place): Promise<NearestAddress> {
  const path = `v1/adresser/reverse?${queryOf(place)}&radius=${FAR_M}`;
  const { adresse } = (await lookup<{ readonly adresse: Nearest }>(path)).answer;
  return { ...adresse, id: adresse.adgangsadresse_id };
}

/** Metres: the most the service takes. */
const FAR_M = 1000;

export async function addressOf(id: string): Promise<Address> {
  return (await lookup<Address>(`v1/adresser/${id}`)).answer;
}

export function linesAt(place: Place): Promise<Reported<Lines>> {
  return lookup(linesPath(place));
}

/** The question as a program asks it. */
export function linesPath(place: Place): string {
  return `v1/natur/byggelinjer?${queryOf(place)}`;
}

export function areasAt(place: Place): Promise<Reported<Areas>> {
  return lookup(`v1/dagi/reverse?${queryOf(place)}`);
}

export function propertyOf(bfe: number): Promise<Reported<Property>> {
  return lookup(`v1/bbr/ejendom/${bfe}`);
}

export async function readStatus(): Promise<Status> {
  return (await (await request('v1/status')).json()) as Status;
}

function lookup<Answer>(path: string, signal?: AbortSignal): Promise<Reported<Answer>> {
  const ask = (secret: string | null) => askWith<Answer>(secret, path, signal);
  return key === null ? ask(null) : key.ask(ask);
}

async function askWith<Answer>(
  secret: string | null,
  path: string,
  signal?: AbortSignal,
): Promise<Reported<Answer>> {
  const response = await request(path, {
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
    credentials: 'omit',
    // Tells the service which page asks: the key answers its own alone.
    referrerPolicy: 'same-origin',
    ...(signal !== undefined && { signal }),
  });
  const number = (name: string): number | null => {
    const text = response.headers.get(name);
    return text === null ? null : Number(text);
  };
  return {
    answer: (await response.json()) as Answer,
    generation: number('x-service-generation'),
    ageS: number('x-service-data-age'),
    isStale: response.headers.get('x-service-stale') === 'true',
  };
}
