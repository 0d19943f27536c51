import { isLikeParcel } from '../../layers/parcel-text.ts';
import type { AddressSuggestion, NamedParcel, NamedPlace, Reply } from './answers.ts';
import { inLanguage, t } from './language.ts';
import type { Named } from './place-address.ts';
import { subjectOfAddress, subjectOfParcel, subjectOfPlace } from './subject.ts';
import type { Ask, Subject } from './subject.ts';
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

interface Meta {
  /** Absent: the country. */
  readonly daekning?: string;
}

/** A register answers with its own of the lists. */
interface Told {
  readonly forslag: readonly AddressSuggestion[];
  readonly stednavne: readonly NamedPlace[];
  readonly jordstykker: readonly NamedParcel[];
  readonly meta: Meta;
}

const MOST = { adresser: '8', stednavne: '4', jordstykker: '5' };
const LEAST_LETTERS = 3;

/** Nothing is asked of a number yet. */
export function suggestedNumbers({
  bfe,
  cvr,
}: Extract<Typed, { kind: 'number' }>): readonly Suggestion[] {
  const numbers = [
    ['virksomhed', cvr, 'CVR', t('CVR-nummer', 'CVR number'), t('virksomhed', 'company')],
    ['ejendom', bfe, 'BFE', t('BFE-nummer', 'BFE number'), t('ejendom', 'property')],
  ] as const;
  return numbers.flatMap(([kind, id, shown, about, sort]): readonly Suggestion[] =>
    id === null
      ? []
      : [{ text: `${shown} ${id}`, about, sort, choice: { kind: 'named', named: { kind, id } } }],
  );
}

interface Typing {
  readonly text: string;
  readonly caret: number;
  readonly isOfRoad: boolean;
}

interface Heard {
  readonly reply: Reply<{ readonly meta: Meta }>;
  readonly found: readonly Suggestion[];
  readonly names: string;
}

/** Addresses and, where the text can be one, parcels or place names: side by side. */
export async function suggestNames(
  ask: Ask,
  { text: given, caret, isOfRoad }: Typing,
  signal: AbortSignal,
): Promise<Suggested> {
  const text = given.trim();
  const canBePlace = !isOfRoad && !/\d/.test(text) && text.length >= LEAST_LETTERS;
  const hear = async (
    path: string,
    query: Readonly<Record<string, string>>,
    names: string,
    read: (told: Told) => readonly Suggestion[],
  ): Promise<Heard> => {
    const reply = await ask<Told>(`v1/${path}?${new URLSearchParams(query)}`, signal);
    return { reply, names, found: reply.ok ? read(reply.body) : [] };
  };
  const [addresses, parcels, places] = await Promise.all([
    hear(
      'adresser/autocomplete',
      { q: given, caretpos: String(caret), per_side: MOST.adresser },
      t('Adresser', 'Addresses'),
      ({ forslag }) => forslag.map(ofAddress),
    ),
    !isOfRoad && isLikeParcel(text)
      ? hear(
          'matrikel/jordstykke',
          { q: text, per_side: MOST.jordstykker },
          t('Jordstykker', 'Parcels'),
          ({ jordstykker }) => jordstykker.flatMap(ofParcel),
        )
      : null,
    canBePlace
      ? hear(
          'stednavne',
          { q: text, per_side: MOST.stednavne },
          t('Stednavne', 'Place names'),
          ({ stednavne }) => stednavne.map(ofPlace),
        )
      : null,
  ]);
  const isSame = (each: Suggestion) => each.text.toLowerCase() === text.toLowerCase();
  const named = [...(parcels?.found ?? []), ...(places?.found ?? []).filter(isSame)];
  const others = (places?.found ?? []).filter((each) => !isSame(each));
  const found = [...named, ...addresses.found, ...others];
  const heard = [addresses, parcels, places].filter((each) => each !== null);
  return { found, trouble: troubleOf(heard, found) };
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

const ofSubject = (
  subject: Subject,
  sort: string,
  about = '',
  text = subject.name,
): Suggestion => ({ text, about, sort, choice: { kind: 'subject', subject } });

function ofParcel(parcel: NamedParcel): readonly Suggestion[] {
  const subject = subjectOfParcel(parcel);
  const town = parcel.kommune?.navn ?? '';
  return subject === null ? [] : [ofSubject(subject, t('jordstykke', 'parcel'), town)];
}

function ofAddress({
  tekst: text,
  forslagstekst: shown,
  caretpos: caret,
  data,
}: AddressSuggestion): Suggestion {
  if ('koordinat' in data)
    return ofSubject(subjectOfAddress(data), t('adresse', 'address'), '', shown);
  const choice = { kind: 'text', text, caret } as const;
  return { text: shown, about: '', sort: t('vej', 'road'), choice };
}

function ofPlace(place: NamedPlace): Suggestion {
  const { undertype, hovedtype, kommuner } = place;
  const about = [undertype ?? hovedtype, kommuner?.map(({ navn }) => navn).join(', ')];
  const words = about.filter((text) => text).join(', ');
  return ofSubject(subjectOfPlace(place), t('sted', 'place'), words);
}

/** undefined: the country. */
function coveredWords(land: string | undefined): string {
  if (land === undefined) return '';
  return inLanguage({
    da: ` Her dækkes kun ${land}: det kan findes andre steder.`,
    en: ` Only ${land} is covered here: it may exist elsewhere.`,
  });
}
