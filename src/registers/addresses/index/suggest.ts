/**
 * Autocomplete: road, house number, then floor and door. A level with a single choice is skipped
 * (upstream/registers-geo.md 3.4).
 */
import { NO_FILTER } from '../addresses.ts';
import type {
  AccessAddress,
  SearchFilter,
  SearchHit,
  SearchQuestion,
  SuggestQuestion,
  Suggestion,
} from '../addresses.ts';
import { composePlace } from '../../../layers/address-text.ts';
import type { OpenAddressIndex } from './address-index.ts';
import type { Lexicon } from './lexicon.ts';
import type { Ranking, RankedName } from './ranked.ts';
import { Scope } from './scope.ts';
import { readTyped } from './typed.ts';
import type { Typed } from './typed.ts';

interface Parts {
  readonly addressIndex: OpenAddressIndex;
  readonly lexicon: Lexicon;
  readonly ranking: Ranking;
}

const SEEN = 5;
/** More where the number is known and the road unfinished. */
const MOST_NAMES = 30;
const MOST_HOUSED_NAMES = 300;
const MOST_WAYS = 4;
/** Added to the road's distance from the typed text. */
const COST = { placeStart: 0.5, loneUnit: 1, noUnit: 1.5, way: 0.25, allRead: -0.5 } as const;

type Place = Pick<Typed, 'postcode' | 'places'>;

interface Found<T> {
  readonly typed: Typed;
  readonly cost: number;
  readonly items: readonly T[];
  /** Shown only after the items of every reading. */
  readonly more?: readonly T[];
}

interface SuggestRequest {
  readonly typed: Typed;
  readonly scope: Scope;
  readonly limit: number;
  readonly status: SearchFilter['status'];
}

export class Suggester {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  suggest(question: SuggestQuestion): readonly Suggestion[] {
    const found = this.#weighed(question, question.caret, (asked) => {
      return this.#suggest(asked, question.depth);
    });
    const fits = found.filter(({ address }) => hasStatus(address, question));
    const keyOf = ({ kind, label, address }: Suggestion) => address?.id ?? `${kind} ${label}`;
    return distinctBy(fits, keyOf).slice(0, question.limit);
  }

  search(question: SearchQuestion): readonly SearchHit[] {
    const found = this.#weighed(question, question.text.length, (asked) => this.#search(asked));
    const fits = found.filter(({ address }) => hasStatus(address, question));
    return distinctBy(fits, ({ address }) => address.id).slice(0, question.limit);
  }

  /**
   * Best reading first; without matches in the typed places, what the first reading finds anywhere.
   */
  #weighed<T>(
    question: SearchQuestion,
    caret: number,
    ask: (asked: SuggestRequest) => Found<T>,
  ): readonly T[] {
    const readings = readTyped(question.text, caret, this.#parts.lexicon).filter(
      ({ road }) => road !== '',
    );
    const ways: Found<T>[] = [];
    for (const typed of readings) {
      const found = ask(this.#asked(question, typed));
      if (found.items.length === 0) continue;
      ways.push(found);
      // Words alone are read one way; a number may be the road's, the house's or the floor's.
      const isWords = typed.houseNumber === null && !typed.isToTheLetter;
      if (isWords || ways.length >= MOST_WAYS) break;
    }
    if (ways.length > 0) return inTurn(ways.toSorted((a, b) => a.cost - b.cost));
    for (const typed of readings) {
      if (typed.postcode === null && typed.places.length === 0) continue;
      const anywhere = { ...typed, postcode: null, places: [] };
      const found = ask(this.#asked(question, anywhere));
      if (found.items.length > 0) return found.items;
    }
    return [];
  }

  /** A status is the unit's where one may be read; its house may have another. */
  #asked(question: SearchQuestion, typed: Typed): SuggestRequest {
    const { limit, status } = question;
    const isOfUnit = typed.wantsUnit || readsUnit(typed);
    const filter = isOfUnit ? { ...question, status: null } : question;
    return { typed, scope: new Scope(this.#parts, filter, typed), limit, status };
  }

  #search({ typed, scope, limit, status }: SuggestRequest): Found<SearchHit> {
    const { addressIndex, ranking } = this.#parts;
    const names = ranking.names(typed, scope, MOST_NAMES);
    const accesses = ranking.accesses(names, typed, scope, limit);
    const cost = costOf(typed, names);
    if (!typed.wantsUnit || !readsUnit(typed)) {
      const items = accesses.map((access) => {
        return { kind: 'access', address: addressIndex.accessAt(access) } as const;
      });
      return { typed, cost, items };
    }
    const items = accesses
      .flatMap((access) => ranking.units(access, typed, status))
      .slice(0, limit)
      .map((unit) => ({ kind: 'unit', address: addressIndex.unitAt(unit) }) as const);
    return { typed, cost, items };
  }

  #suggest(asked: SuggestRequest, depth: SuggestQuestion['depth']): Found<Suggestion> {
    const { typed, scope, limit } = asked;
    const { ranking } = this.#parts;
    const most = typed.isRoadOpen && typed.houseNumber !== null ? MOST_HOUSED_NAMES : MOST_NAMES;
    const names = ranking.names(typed, scope, Math.max(limit, most));
    const cost = costOf(typed, names);
    const none: Found<Suggestion> = { typed, cost, items: [] };
    if (names.length === 0) return none;
    if (depth === 'road') return { ...none, items: this.#roads(names, asked) };
    if (typed.houseNumber !== null)
      return { ...none, ...this.#addresses(names, asked, depth, cost) };
    // A road written out and followed by a space, or the only one, is chosen.
    const chosen = names.filter(({ rank }) => rank < 1);
    const isChosen = names.length === 1 || (!typed.isRoadOpen && chosen.length > 0);
    if (!isChosen) {
      return { ...none, ...this.#roadsAndAddresses(names, asked, depth) };
    }
    const own = chosen.length > 0 ? chosen : names;
    const longer = names.filter((name) => !own.includes(name));
    const { items } = this.#addresses(own, asked, depth, cost);
    return { ...none, items: [...items, ...this.#roads(longer, asked)].slice(0, limit) };
  }

  /** After a few roads that begin as typed, their addresses too. */
  #roadsAndAddresses(
    names: readonly RankedName[],
    asked: SuggestRequest,
    depth: SuggestQuestion['depth'],
  ): Pick<Found<Suggestion>, 'items' | 'more'> {
    const begun = names.filter(({ rank }) => rank <= 1);
    const others = names.slice(begun.length);
    if (begun.length === 0 || begun.length >= SEEN) return { items: this.#roads(names, asked) };
    const { items: addresses } = this.#addresses(begun, asked, depth, 0);
    const roads = begun.length === 1 ? [] : this.#roads(begun, asked);
    const seen = SEEN - roads.length;
    return {
      items: [...roads, ...addresses.slice(0, seen), ...this.#roads(others, asked)],
      more: addresses.slice(seen),
    };
  }

  #roads(
    names: readonly RankedName[],
    { typed, scope, limit }: SuggestRequest,
  ): readonly Suggestion[] {
    const placed = this.#placeOf(typed);
    const inPlace = placed === null ? null : new Scope(this.#parts, NO_FILTER, placed.typed);
    return names.slice(0, limit).map(({ name }) => {
      // The typed place is kept only where the road exists there.
      const isThere = inPlace !== null && this.#parts.ranking.hasName(name, inPlace);
      const suffix = isThere ? placed!.text : '';
      const road = this.#parts.ranking.roadOf(name, isThere ? inPlace : scope);
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

  /** null: none, or several. */
  #placeOf({ postcode, places }: Typed): { text: string; typed: Place } | null {
    const { addressIndex, lexicon } = this.#parts;
    const [place = ''] = places;
    const known = postcode === null ? undefined : lexicon.posts.get(postcode);
    const [only, ...more] =
      known !== undefined ? [known] : place === '' ? [] : lexicon.postsBeginning(place);
    if (only === undefined || more.length > 0) return null;
    const post = addressIndex.postcodes[only - 1]!;
    const text = composePlace({ supplementaryTown: null, postcode: post });
    return { text, typed: { postcode: post.code, places: [] } };
  }

  #addresses(
    names: readonly RankedName[],
    { typed, scope, limit, status }: SuggestRequest,
    depth: SuggestQuestion['depth'],
    cost: number,
  ): Pick<Found<Suggestion>, 'cost' | 'items' | 'more'> {
    const { addressIndex, ranking } = this.#parts;
    const accesses = ranking.accesses(names, typed, scope, Math.max(limit, 2));
    const [first] = accesses;
    if (first === undefined) return { cost, items: [] };
    const isUnit = readsUnit(typed);
    const houses = typed.wantsUnit ? exactOnly(accesses, typed, addressIndex) : [first];
    // With several houses one is chosen before its units.
    const hasChoice = typed.wantsUnit && !isUnit && houses.length > 1;
    if (depth === 'unit' && !hasChoice && (typed.wantsUnit || accesses.length === 1)) {
      const units = houses.flatMap((access) => [...ranking.units(access, typed, status)]);
      // A bare number may be a floor; less likely the more houses there are.
      const dear = isUnit && typed.isUnitLone && houses.length > 1 ? COST.loneUnit : 0;
      const items = units.slice(0, limit).map((unit) => this.#unit(unit));
      const all = this.#besideHouse(items, { first, typed, limit });
      if (items.length > 0) return { cost: cost + dear, items: all };
    }
    const items = accesses.slice(0, limit).map((access) => this.#access(access, depth));
    if (isUnit && depth === 'unit') return { cost: cost + COST.noUnit, items };
    // If few other house numbers begin with it.
    const isShort = depth === 'unit' && items.length < SEEN && typed.houseNumber !== null;
    const own = isShort ? exactOnly(accesses, typed, addressIndex).slice(0, 1) : [];
    const flats = own.flatMap((access) => [...ranking.units(access, typed, status)]);
    const more = flats.length < 2 ? [] : flats.slice(0, limit).map((unit) => this.#unit(unit));
    return { cost, items, more };
  }

  #besideHouse(
    flats: readonly Suggestion[],
    { first, typed, limit }: { first: number; typed: Typed; limit: number },
  ): readonly Suggestion[] {
    if (!typed.isHouseOpen || flats.length < 2) return flats;
    return [this.#access(first, 'unit'), ...flats].slice(0, limit);
  }

  #access(place: number, depth: SuggestQuestion['depth']): Suggestion {
    const { addressIndex, ranking } = this.#parts;
    const address = addressIndex.accessAt(place);
    const label = address.designation;
    const hasUnits = depth === 'unit' && ranking.hasSeveralUnits(place);
    const start = `${address.road.name} ${address.houseNumber}, `;
    const text = hasUnits ? `${start}, ${composePlace(address)}` : label;
    const caret = hasUnits ? start.length : text.length;
    return { kind: 'access', label, text, caret, road: roadOf(address), address };
  }

  #unit(place: number): Suggestion {
    const address = this.#parts.addressIndex.unitAt(place);
    const text = address.designation;
    const road = roadOf(address.access);
    return { kind: 'unit', label: text, text, caret: text.length, road, address };
  }
}

const readsUnit = ({ floor, door, unitStart }: Typed): boolean =>
  (floor ?? door ?? unitStart) !== null;

function hasStatus(address: Suggestion['address'], { status }: SearchFilter): boolean {
  return address === null || status === null || address.status === status;
}

function roadOf({ road }: AccessAddress): Suggestion['road'] {
  return { roadId: road.roadId, name: road.name };
}

/** Numbers with extra letters do not count. */
function exactOnly(
  accesses: readonly number[],
  typed: Typed,
  addressIndex: OpenAddressIndex,
): number[] {
  const { accessHouse, houses } = addressIndex.columns;
  const exact = accesses.filter((access) => houses.at(accessHouse[access]!) === typed.houseNumber);
  return exact.length > 0 ? exact : [...accesses];
}

function costOf(
  { isPlaceStart, isPlain, isToTheLetter }: Typed,
  [best]: readonly RankedName[],
): number {
  const rank = best?.rank ?? 0;
  // Prefers a road that begins with the whole text, number included.
  const allRead = isToTheLetter && rank >= 1 ? COST.allRead : 0;
  return rank + allRead + (isPlaceStart ? COST.placeStart : 0) + (isPlain ? 0 : COST.way);
}

/** Interleaved; of a partly typed postcode the first alone comes before the alternatives. */
function inTurn<T>([best, ...others]: readonly Found<T>[]): readonly T[] {
  const rest = others.flatMap(({ items }) => items);
  const { items, more = [], typed } = best!;
  const lead = typed.isPlaceStart ? 1 : items.length;
  return [...items.slice(0, lead), ...rest, ...items.slice(lead), ...more];
}

function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}
