/** What the search field suggests. */
import { isLikeParcel } from '../../layers/parcel-text.ts';
import type { Reply } from './answers.ts';
import { coveredWords } from './covered.ts';
import { t } from './language.ts';
import type { Address, Named } from './place-address.ts';
import { subjectOfAddress, subjectOfParcel, subjectOfPlace } from './subject.ts';
import type { Ask, NamedParcel, NamedPlace, Subject } from './subject.ts';
import type { Typed } from './typed.ts';

export type Choice =
  /** A road: its houses come next. */
  | { readonly kind: 'text'; readonly text: string; readonly caret: number }
  | { readonly kind: 'subject'; readonly subject: Subject }
  /** Read once chosen. */
  | { readonly kind: 'named'; readonly named: Named };

export interface Suggestion {
  readonly text: string;
  readonly about: string;
  readonly sort: string;
  readonly choice: Choice;
}

export interface Suggested {
  readonly found: readonly Suggestion[];
  /** Empty: none. */
  readonly trouble: string;
}

interface AddressSuggestion {
  readonly type: 'vejnavn' | 'adgangsadresse' | 'adresse';
  readonly tekst: string;
  readonly forslagstekst: string;
  readonly caretpos: number;
  readonly data: Address | { readonly id: string };
}

interface Meta {
  /** Absent: the country. */
  readonly daekning?: string;
}

interface Addresses {
  readonly forslag: readonly AddressSuggestion[];
  readonly meta: Meta;
}

interface Places {
  readonly stednavne: readonly NamedPlace[];
  readonly meta: Meta;
}

interface Parcels {
  readonly jordstykker: readonly NamedParcel[];
  readonly meta: Meta;
}

const MOST = { adresser: 8, stednavne: 4, jordstykker: 5 };
const LEAST_LETTERS = 3;

/** Nothing is asked of a number yet. */
export function suggestedNumbers({
  bfe,
  cvr,
}: Extract<Typed, { kind: 'number' }>): readonly Suggestion[] {
  const of = (kind: Named['kind'], id: string | null, words: readonly [string, string, string]) => {
    const [sort, about, shown] = words;
    if (id === null) return [];
    return [
      {
        text: `${shown} ${id}`,
        about,
        sort,
        choice: { kind: 'named', named: { kind, id } },
      } as const,
    ];
  };
  return [
    ...of('virksomhed', cvr, [t('virksomhed', 'company'), t('CVR-nummer', 'CVR number'), 'CVR']),
    ...of('ejendom', bfe, [t('ejendom', 'property'), t('BFE-nummer', 'BFE number'), 'BFE']),
  ];
}

interface Typing {
  readonly text: string;
  readonly caret: number;
  readonly isOfRoad: boolean;
}

/** What one register suggests. */
interface Heard {
  readonly reply: Reply<{ readonly meta: Meta }>;
  readonly found: readonly Suggestion[];
  /** Its names, as a list of them begins or goes on. */
  readonly names: string;
}

/** Asks for addresses and, where the text can be one, for parcels or place names: side by side. */
export async function suggestNames(
  ask: Ask,
  typing: Typing,
  signal: AbortSignal,
): Promise<Suggested> {
  const text = typing.text.trim();
  const canBePlace = !typing.isOfRoad && !/\d/.test(text) && text.length >= LEAST_LETTERS;
  const [addresses, parcels, places] = await Promise.all([
    addressesOf(ask, typing, signal),
    !typing.isOfRoad && isLikeParcel(text) ? parcelsOf(ask, text, signal) : null,
    canBePlace ? placesOf(ask, text, signal) : null,
  ]);
  const isSame = (each: Suggestion) => each.text.toLowerCase() === text.toLowerCase();
  const named = [...(parcels?.found ?? []), ...(places?.found ?? []).filter(isSame)];
  const others = (places?.found ?? []).filter((each) => !isSame(each));
  const found = [...named, ...addresses.found, ...others];
  return {
    found,
    trouble: troubleOf(
      [addresses, parcels, places].filter((heard) => heard !== null),
      found,
    ),
  };
}

/** "None" is said only where all were asked. */
function troubleOf(heard: readonly Heard[], found: readonly Suggestion[]): string {
  const failed = heard.flatMap(({ reply, names }) =>
    reply.ok
      ? []
      : [`${names}: ${t('kunne ikke søges', 'could not be searched')}. ${reply.message}`],
  );
  if (failed.length > 0 || found.length > 0) return failed.join(' ');
  const names = heard.map((each) => each.names.toLowerCase());
  const none = t(
    `Ingen ${names.join(t(' eller ', ' or '))} passer.`,
    `No ${names.join(' or ')} fit.`,
  );
  const land = heard.map(({ reply }) => (reply.ok ? reply.body.meta.daekning : undefined));
  return none + coveredWords(land.find((each) => each !== undefined));
}

async function addressesOf(
  ask: Ask,
  { text: q, caret }: Typing,
  signal: AbortSignal,
): Promise<Heard> {
  const query = new URLSearchParams({
    q,
    caretpos: String(caret),
    per_side: String(MOST.adresser),
  });
  const reply = await ask<Addresses>(`v1/adresser/autocomplete?${query}`, signal);
  const found = reply.ok ? reply.body.forslag.map(ofAddress) : [];
  return { reply, found, names: t('Adresser', 'Addresses') };
}

async function placesOf(ask: Ask, q: string, signal: AbortSignal): Promise<Heard> {
  const query = new URLSearchParams({ q, per_side: String(MOST.stednavne) });
  const reply = await ask<Places>(`v1/stednavne?${query}`, signal);
  const found = reply.ok ? reply.body.stednavne.map(ofPlace) : [];
  return { reply, found, names: t('Stednavne', 'Place names') };
}

async function parcelsOf(ask: Ask, q: string, signal: AbortSignal): Promise<Heard> {
  const query = new URLSearchParams({ q, per_side: String(MOST.jordstykker) });
  const reply = await ask<Parcels>(`v1/matrikel/jordstykke?${query}`, signal);
  const found = reply.ok ? reply.body.jordstykker.flatMap(ofParcel) : [];
  return { reply, found, names: t('Jordstykker', 'Parcels') };
}

function ofParcel(parcel: NamedParcel): readonly Suggestion[] {
  const subject = subjectOfParcel(parcel);
  if (subject === null) return [];
  const about = parcel.kommune?.navn ?? '';
  const sort = t('jordstykke', 'parcel');
  return [{ text: subject.name, about, sort, choice: { kind: 'subject', subject } }];
}

function ofAddress({
  tekst: text,
  forslagstekst: shown,
  caretpos: caret,
  data,
}: AddressSuggestion): Suggestion {
  if (!('koordinat' in data)) {
    return {
      text: shown,
      about: '',
      sort: t('vej', 'road'),
      choice: { kind: 'text', text, caret },
    };
  }
  const subject = subjectOfAddress(data);
  return {
    text: shown,
    about: '',
    sort: t('adresse', 'address'),
    choice: { kind: 'subject', subject },
  };
}

function ofPlace(place: NamedPlace): Suggestion {
  const { undertype, hovedtype, kommuner } = place;
  const about = [undertype ?? hovedtype, kommuner?.map(({ navn }) => navn).join(', ')].filter(
    (text) => text,
  );
  const subject = subjectOfPlace(place);
  return {
    text: place.navn,
    about: about.join(', '),
    sort: t('sted', 'place'),
    choice: { kind: 'subject', subject },
  };
}
