/**
 * Autocomplete: road, then house number, then floor and door. A level with nothing to choose is
 * skipped (upstream/registers-geo.md 3.4).
 */
import type {
  AccessAddress,
  SearchHit,
  SearchQuestion,
  SuggestQuestion,
  Suggestion,
} from '../../layers/addresses.ts';
import { composePlace } from '../../layers/address-text.ts';
import type { OpenAddressBook } from './book.ts';
import type { Lexicon } from './lexicon.ts';
import type { Ranking, RankedName } from './ranked.ts';
import { Scope } from './scope.ts';
import { readTyped } from './typed.ts';
import type { Typed } from './typed.ts';

interface Parts {
  readonly book: OpenAddressBook;
  readonly lexicon: Lexicon;
  readonly ranking: Ranking;
}

/** Road names whose addresses are looked at. */
const MOST_NAMES = 30;

interface Asked {
  readonly typed: Typed;
  readonly scope: Scope;
  readonly limit: number;
}

export class Suggester {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  suggest(question: SuggestQuestion): readonly Suggestion[] {
    for (const asked of this.#ways(question, question.caret)) {
      const found = this.#suggest(asked, question.depth);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Addresses, not roads: those of the best road names in the order of their numbers. */
  search(question: SearchQuestion): readonly SearchHit[] {
    for (const asked of this.#ways(question, question.text.length)) {
      const found = this.#search(asked);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Each reading where it was typed to be; then anywhere the filters allow. */
  *#ways(question: SearchQuestion, caret: number): Generator<Asked> {
    const readings = readTyped(question.text, caret, this.#parts.lexicon);
    const { limit } = question;
    const far: Asked[] = [];
    for (const typed of readings) {
      if (typed.road === '') continue;
      yield { typed, scope: new Scope(this.#parts, question, typed), limit };
      if (typed.postcode === null && typed.places.length === 0) continue;
      const anywhere = { ...typed, postcode: null, places: [] };
      far.push({ typed, scope: new Scope(this.#parts, question, anywhere), limit });
    }
    yield* far;
  }

  #search({ typed, scope, limit }: Asked): readonly SearchHit[] {
    const { book, ranking } = this.#parts;
    const names = ranking.names(typed, scope, MOST_NAMES);
    const accesses = ranking.accesses(names, typed, scope, limit);
    if (!typed.wantsUnit || (typed.floor ?? typed.door ?? typed.unitStart) === null) {
      return accesses.map((access) => ({ kind: 'access', address: book.accessAt(access) }));
    }
    return accesses
      .flatMap((access) => ranking.units(access, typed))
      .slice(0, limit)
      .map((unit) => ({ kind: 'unit', address: book.unitAt(unit) }));
  }

  #suggest(asked: Asked, depth: SuggestQuestion['depth']): readonly Suggestion[] {
    const { typed, scope, limit } = asked;
    const { ranking } = this.#parts;
    const names = ranking.names(typed, scope, Math.max(limit, MOST_NAMES));
    if (names.length === 0) return [];
    if (depth === 'road') return this.#roads(names, asked);
    if (typed.houseNumber !== null) return this.#addresses(names, asked, depth);
    // A road written out and followed by a space, or the only one there is, is chosen.
    const chosen = names.filter(({ rank }) => rank === 0);
    const isChosen = names.length === 1 || (!typed.isRoadOpen && chosen.length > 0);
    if (!isChosen) return this.#roads(names, asked);
    const own = chosen.length > 0 ? chosen : names;
    const longer = names.filter((name) => !own.includes(name));
    const addresses = this.#addresses(own, asked, depth);
    return [...addresses, ...this.#roads(longer, asked)].slice(0, limit);
  }

  #roads(names: readonly RankedName[], { typed, scope, limit }: Asked): readonly Suggestion[] {
    const suffix = this.#placeText(typed);
    return names.slice(0, limit).map(({ name }) => {
      const road = this.#parts.ranking.roadOf(name, scope);
      const start = `${road.name} `;
      return {
        kind: 'road',
        label: suffix === '' ? road.name : `${road.name}, ${suffix}`,
        text: suffix === '' ? start : `${start}, ${suffix}`,
        caret: start.length,
        road: { roadId: road.roadId, name: road.name },
        address: null,
      };
    });
  }

  /** The place typed, kept behind a road that is taken. */
  #placeText({ postcode, places }: Typed): string {
    const { book, lexicon } = this.#parts;
    const post = postcode === null ? undefined : lexicon.posts.get(postcode);
    if (post !== undefined)
      return composePlace({ supplementaryTown: null, postcode: book.postcodes[post - 1]! });
    const [place = ''] = places;
    const [only, ...more] = place === '' ? [] : lexicon.postsBeginning(place);
    if (only === undefined || more.length > 0) return '';
    return composePlace({ supplementaryTown: null, postcode: book.postcodes[only - 1]! });
  }

  #addresses(
    names: readonly RankedName[],
    { typed, scope, limit }: Asked,
    depth: SuggestQuestion['depth'],
  ): readonly Suggestion[] {
    const { book, ranking } = this.#parts;
    const accesses = ranking.accesses(names, typed, scope, Math.max(limit, 2));
    const [first] = accesses;
    if (first === undefined) return [];
    if (depth === 'unit' && (typed.wantsUnit || accesses.length === 1)) {
      const houses = typed.wantsUnit ? exactOnly(accesses, typed, book) : [first];
      const units = houses.flatMap((access) => [...ranking.units(access, typed)]);
      if (units.length > 0) return units.slice(0, limit).map((unit) => this.#unit(unit));
    }
    return accesses.slice(0, limit).map((access) => this.#access(access, depth));
  }

  #access(place: number, depth: SuggestQuestion['depth']): Suggestion {
    const { book, ranking } = this.#parts;
    const address = book.accessAt(place);
    const label = address.designation;
    const hasUnits = depth === 'unit' && ranking.hasSeveralUnits(place);
    const start = `${address.road.name} ${address.houseNumber}, `;
    const text = hasUnits ? `${start}, ${composePlace(address)}` : label;
    const caret = hasUnits ? start.length : text.length;
    return { kind: 'access', label, text, caret, road: roadOf(address), address };
  }

  #unit(place: number): Suggestion {
    const address = this.#parts.book.unitAt(place);
    const text = address.designation;
    const road = roadOf(address.access);
    return { kind: 'unit', label: text, text, caret: text.length, road, address };
  }
}

function roadOf({ road }: AccessAddress): Suggestion['road'] {
  return { roadId: road.roadId, name: road.name };
}

/** Floors and doors are asked of the number written, not of those with a letter more. */
function exactOnly(accesses: readonly number[], typed: Typed, book: OpenAddressBook): number[] {
  const { accessHouse, houses } = book.columns;
  const exact = accesses.filter((access) => houses.at(accessHouse[access]!) === typed.houseNumber);
  return exact.length > 0 ? exact : [...accesses];
}
