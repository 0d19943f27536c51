/**
 * What the front page asks, by the routes any customer has: with the key of the open trial, or without
 * one where the service asks nobody for a key.
 */
import { Refused, request } from '../shared/ask.ts';

export interface Point {
  readonly lon: number;
  readonly lat: number;
}

export interface Address {
  readonly id: string;
  readonly betegnelse: string;
  readonly bfe_nummer: number | null;
  readonly koordinat: Point | null;
}

export interface Suggestion {
  readonly type: 'vejnavn' | 'adgangsadresse' | 'adresse';
  readonly tekst: string;
  readonly forslagstekst: string;
  readonly caretpos: number;
  readonly data: Address | { readonly id: string; readonly vejnavn: string };
}

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

/** How the service was started: `data-proeve` of the page. */
const ASKS_FOR_KEY = document.body.dataset['proeve'] !== 'open';

let key: Promise<string> | null = null;

export interface Suggested {
  readonly forslag: readonly Suggestion[];
  /** Absent: the register covers the country. */
  readonly meta: { readonly daekning?: string };
}

/** While it is typed, only the last question is answered. */
let typing = new AbortController();

export async function suggest(q: string, caretpos: number): Promise<Suggested> {
  typing.abort();
  typing = new AbortController();
  const query = new URLSearchParams({ q, caretpos: String(caretpos), per_side: '8' });
  const { answer } = await lookup<Suggested>(`v1/adresser/autocomplete?${query}`, typing.signal);
  return answer;
}

/** As far as the service looks; it says 404 where there is none. */
export async function nearestAddress(point: Point): Promise<NearestAddress> {
  const { answer } = await lookup<{ readonly adresse: NearestAddress }>(
    `v1/adresser/reverse?${coordinates(point)}&radius=${FAR_M}`,
  );
  return answer.adresse;
}

/** Metres: the most the service takes. */
const FAR_M = 1000;

export interface NearestAddress {
  readonly id: string;
  readonly betegnelse: string;
  readonly bfe_nummer: number | null;
  readonly koordinat: Point | null;
}

export function linesAt(point: Point): Promise<Reported<Lines>> {
  return lookup(linesPath(point));
}

/** The question as a program asks it. */
export function linesPath(point: Point): string {
  return `v1/natur/byggelinjer?${coordinates(point)}`;
}

export function areasAt(point: Point): Promise<Reported<Areas>> {
  return lookup(`v1/dagi/reverse?${coordinates(point)}`);
}

export function propertyOf(bfe: number): Promise<Reported<Property>> {
  return lookup(`v1/bbr/ejendom/${bfe}`);
}

export async function readStatus(): Promise<Status> {
  return (await (await request('v1/status')).json()) as Status;
}

function coordinates({ lon, lat }: Point): string {
  return new URLSearchParams({ lon: String(lon), lat: String(lat) }).toString();
}

/** Asks; a key that has ended in the meantime is replaced once. */
async function lookup<Answer>(path: string, signal?: AbortSignal): Promise<Reported<Answer>> {
  try {
    return await ask(path, signal);
  } catch (error) {
    if (!ASKS_FOR_KEY || !(error instanceof Refused) || error.status !== 401) throw error;
    key = null;
    return await ask(path, signal);
  }
}

async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Reported<Answer>> {
  const headers: Record<string, string> = ASKS_FOR_KEY
    ? { authorization: `Bearer ${await trialKey()}` }
    : {};
  const response = await request(path, {
    headers,
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

/** In this tab's memory alone. */
function trialKey(): Promise<string> {
  key ??= mintKey().catch((error: unknown) => {
    key = null;
    throw error;
  });
  return key;
}

async function mintKey(): Promise<string> {
  const response = await request('v1/demo/noegle', {
    method: 'POST',
    referrerPolicy: 'same-origin',
  });
  return ((await response.json()) as { readonly noegle: string }).noegle;
}
