/** What the search field suggests. */
import type { Reply } from './answers.ts';
import { coveredWords } from './covered.ts';
import { t } from './language.ts';
import type { Address, Named } from './place-address.ts';
import { subjectOfAddress, subjectOfPlace } from './subject.ts';
import type { Ask, NamedPlace, Subject } from './subject.ts';
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

const MOST = { adresser: 8, stednavne: 4 };
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

/** Asks for addresses and, where the text can be one, for place names. */
export async function suggestNames(
  ask: Ask,
  {
    text,
    caret,
    isOfRoad,
  }: { readonly text: string; readonly caret: number; readonly isOfRoad: boolean },
  signal: AbortSignal,
): Promise<Suggested> {
  const query = new URLSearchParams({
    ...{ q: text, caretpos: String(caret), per_side: String(MOST.adresser) },
  });
  const places = new URLSearchParams({ q: text.trim(), per_side: String(MOST.stednavne) });
  const canBePlace = !isOfRoad && !/\d/.test(text) && text.trim().length >= LEAST_LETTERS;
  const [ofAddresses, ofPlaces] = await Promise.all([
    ask<Addresses>(`v1/adresser/autocomplete?${query}`, signal),
    canBePlace ? ask<Places>(`v1/stednavne?${places}`, signal) : null,
  ]);
  return merged(text, ofAddresses, ofPlaces);
}

/** "None" is said only where all were asked. */
function merged(
  text: string,
  addresses: Reply<Addresses>,
  places: Reply<Places> | null,
): Suggested {
  const found = addresses.ok ? addresses.body.forslag.map(ofAddress) : [];
  const named = places?.ok === true ? places.body.stednavne.map(ofPlace) : [];
  const typed = text.trim().toLowerCase();
  const same = named.filter((each) => each.text.toLowerCase() === typed);
  const others = named.filter((each) => !same.includes(each));
  const all = [...same, ...found, ...others];
  const failures = [
    ...(addresses.ok
      ? []
      : [
          t('Adresser kunne ikke søges', 'Addresses could not be searched') +
            `: ${addresses.message}`,
        ]),
    ...(places === null || places.ok
      ? []
      : [
          t('Stednavne kunne ikke søges', 'Place names could not be searched') +
            `: ${places.message}`,
        ]),
  ];
  if (failures.length > 0 || all.length > 0) return { found: all, trouble: failures.join(' ') };
  const land = addresses.ok ? addresses.body.meta.daekning : undefined;
  const none =
    places === null
      ? t('Ingen adresser passer.', 'No address fits.')
      : t('Ingen adresser eller stednavne passer.', 'No address or place name fits.');
  return { found: [], trouble: none + coveredWords(land) };
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
