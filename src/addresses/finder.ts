/** The finder: an open book with its names indexed, which searches, suggests and washes. */
import type { AddressFinder, SearchHit, SearchQuestion } from '../layers/addresses.ts';
import type { OpenAddressBook } from './book.ts';
import { CandidateFinder } from './candidates.ts';
import { Judge } from './judge.ts';
import { Lexicon } from './lexicon.ts';
import { NameIndex } from './names.ts';
import { Ranking } from './ranked.ts';
import { Suggester } from './suggest.ts';
import { Wash } from './wash.ts';

/** The index lies in the book, so that a finder is ready in milliseconds. */
export function createAddressFinder(book: OpenAddressBook): AddressFinder {
  const names = new NameIndex(book);
  const lexicon = new Lexicon(book);
  const candidates = new CandidateFinder(book, names, lexicon);
  const judge = new Judge(book, lexicon);
  const washer = new Wash({ book, lexicon, candidates, judge });
  const suggester = new Suggester({
    book,
    lexicon,
    ranking: new Ranking({ book, names, lexicon }),
  });
  return {
    book,
    wash: (written, kind, limit) => washer.wash(written, kind, limit),
    suggest: (question) => suggester.suggest(question),
    search: (question) => {
      const found = suggester.search(question);
      return found.length > 0 ? found : alike(question, washer);
    },
  };
}

/** What is only like the text, where nothing fits it as it stands. */
function alike(
  { text, limit, municipalityCodes, postcodes }: SearchQuestion,
  washer: Wash,
): readonly SearchHit[] {
  const { candidates } = washer.wash({ text }, 'access', limit);
  return candidates.flatMap(({ address }) => {
    if (!('road' in address) || address.status > 3) return [];
    const { road, postcode } = address;
    const isIn =
      (municipalityCodes.length === 0 || municipalityCodes.includes(road.municipalityCode)) &&
      (postcodes.length === 0 || postcodes.includes(postcode?.code ?? ''));
    return isIn ? [{ kind: 'access', address }] : [];
  });
}
