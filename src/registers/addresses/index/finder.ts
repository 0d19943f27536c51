import type { AddressFinder, SearchHit, SearchQuestion } from '../addresses.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { CandidateFinder } from './candidates.ts';
import { Judge } from './judge.ts';
import { Lexicon } from './lexicon.ts';
import { RoadNames } from './road-names.ts';
import { Ranking } from './ranked.ts';
import { Suggester } from './suggest.ts';
import { Cleanser } from './cleanse.ts';

/** The text index is stored in the index, so a finder is ready in milliseconds. */
export function createAddressFinder(addressIndex: OpenAddressIndex): AddressFinder {
  const names = new RoadNames(addressIndex);
  const lexicon = new Lexicon(addressIndex);
  const candidates = new CandidateFinder(addressIndex, names, lexicon);
  const judge = new Judge(addressIndex, lexicon);
  const cleanser = new Cleanser({ addressIndex, lexicon, candidates, judge });
  const suggester = new Suggester({
    addressIndex,
    lexicon,
    ranking: new Ranking({ addressIndex, names, lexicon }),
  });
  return {
    addressIndex,
    cleanse: (written, kind, limit) => cleanser.cleanse(written, kind, limit),
    suggest: (question) => suggester.suggest(question),
    search: (question) => {
      const found = suggester.search(question);
      return found.length > 0 ? found : alike(question, cleanser);
    },
  };
}

function alike(
  { text, limit, municipalityCodes, postcodes, within, status: wanted }: SearchQuestion,
  cleanser: Cleanser,
): readonly SearchHit[] {
  const { candidates } = cleanser.cleanse({ text }, 'access', limit);
  return candidates.flatMap(({ address }) => {
    if (!('road' in address) || address.status > 3) return [];
    const { road, postcode, position, status } = address;
    if (wanted !== null && status !== wanted) return [];
    if (within !== null && (position === null || !within.holds(position))) return [];
    const isIn =
      (municipalityCodes.length === 0 || municipalityCodes.includes(road.municipalityCode)) &&
      (postcodes.length === 0 || postcodes.includes(postcode?.code ?? ''));
    return isIn ? [{ kind: 'access', address }] : [];
  });
}
