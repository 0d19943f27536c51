import type {
  AddressFinder,
  AddressListing,
  Keep,
  Page,
  RoadExtent,
  SearchHit,
  SearchQuestion,
} from '../addresses.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { CandidateFinder } from './candidates.ts';
import { Judge } from './judge.ts';
import { Lexicon } from './lexicon.ts';
import { RoadNames } from './road-names.ts';
import { Ranking } from './ranked.ts';
import { Suggester } from './suggest.ts';
import { Cleanser } from './cleanse.ts';
import { AddressWalk } from './walk.ts';

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
    listing: listingOf(addressIndex),
    cleanse: (written, kind, limit) => cleanser.cleanse(written, kind, limit),
    suggest: (question) => suggester.suggest(question),
    search: (question) => {
      const found = suggester.search(question);
      return found.length > 0 ? found : alike(question, cleanser);
    },
  };
}

function listingOf(addressIndex: OpenAddressIndex): AddressListing {
  const walk = new AddressWalk(addressIndex);
  return {
    walk: ({ kind, skip, take, ...filter }) => {
      const isAccess = kind === 'access';
      const places = (): IteratorObject<number> =>
        (isAccess ? walk.accesses(filter) : walk.units(filter)).drop(skip).take(take);
      const read = (place: number) =>
        isAccess ? addressIndex.accessAt(place) : addressIndex.unitAt(place);
      return { count: places().reduce((count) => count + 1, 0), rows: places().map(read) };
    },
    addresses: ({ kind, skip, take, keep, ...filter }) =>
      kind === 'access'
        ? pageOf(walk.accesses(filter), { skip, take, keep }, (place) =>
            addressIndex.accessAt(place),
          )
        : pageOf(walk.units(filter), { skip, take, keep }, (place) => addressIndex.unitAt(place)),
    roads: ({ skip, take, keep, ...filter }) =>
      pageOf(walk.roads(filter), { skip, take, keep }, (place) => {
        let known: RoadExtent | null = null;
        const extent = () => (known ??= walk.extentOf(place));
        return {
          road: addressIndex.road(place),
          get postcodes() {
            return extent().postcodes;
          },
          get box() {
            return extent().box;
          },
        };
      }),
  };
}

function pageOf<T>(
  places: Iterable<number>,
  { skip, take, keep }: Page & { readonly keep: Keep<T> },
  read: (place: number) => T,
): readonly T[] {
  const page: T[] = [];
  let at = 0;
  for (const place of places) {
    if (at >= skip + take) break;
    const row = keep === null && at < skip ? null : read(place);
    if (row !== null && keep?.(row) === false) continue;
    if (row !== null && at >= skip) page.push(row);
    at += 1;
  }
  return page;
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
    if (within !== null && (position === null || !within.covers(position))) return [];
    const isIn =
      (municipalityCodes.length === 0 || municipalityCodes.includes(road.municipalityCode)) &&
      (postcodes.length === 0 || postcodes.includes(postcode?.code ?? ''));
    return isIn ? [{ kind: 'access', address }] : [];
  });
}
