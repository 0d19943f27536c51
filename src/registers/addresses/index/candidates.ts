/**
 * Exact names first; misspelt names, neighbouring numbers and roads with extra words only if they
 * find nothing.
 */
import { lowerBound } from '../../../kernel/compare.ts';
import { Last } from '../../../kernel/last.ts';
import { houseNumberOrder, NUMBER_STEP } from '../../../layers/address-text.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { STATUS_OF } from './index-format.ts';
import { isSameCut, nameWords } from './cut-names.ts';
import type { NameWord } from './cut-names.ts';
import { slipsOf } from '../../../names/slips.ts';
import { codesOf, keyOf, normalize } from '../../../names/normalize.ts';
import { cutEndsOf } from '../../../names/name-index.ts';
import type { Lexicon } from './lexicon.ts';
import type { NameMatch, Span } from '../../../names/name-index.ts';
import type { RoadNames } from './road-names.ts';
import { isHeldToTheLetter } from './houses.ts';
import type { Reading } from './written.ts';

export interface Hit {
  readonly access: number;
  /** Place of the matching former name; -1: the present name matched. */
  readonly former: number;
  readonly roadEdits: number;
  /** At most abbreviated or spelt out. */
  readonly isNamed: boolean;
  readonly dropped: readonly string[];
}

const MOST_HITS = 200;
const FEW = 12;
const MOST_NAMES = 24;
const LEAST_CUT = 3;
const BEGUN_EDITS = 2;
const NEIGHBOURS = 3;
const LONG_NAME = 9;
/** In more postcodes, names are not compared one by one. */
const MOST_POSTS = 12;

export class CandidateFinder {
  readonly #addressIndex: OpenAddressIndex;
  readonly #names: RoadNames;
  readonly #lexicon: Lexicon;
  // Readings of one text often share their road.
  readonly #inPlaceNames = new Last<readonly NameMatch[]>();
  readonly #nearNames = new Last<readonly NameMatch[]>();

  constructor(addressIndex: OpenAddressIndex, names: RoadNames, lexicon: Lexicon) {
    this.#addressIndex = addressIndex;
    this.#names = names;
    this.#lexicon = lexicon;
  }

  /** In the postcode if any, else anywhere. */
  exact(reading: Reading): readonly Hit[] {
    return this.#exact(normalize(reading.road), reading, []);
  }

  alike(reading: Reading): readonly Hit[] {
    const folded = normalize(reading.road);
    if (folded === '' || isHeldToTheLetter(reading.way)) return [];
    const hits = [...this.#neighbours(folded, reading), ...this.#cut(reading)];
    const near = this.#inPlaceNames.of([folded, this.#postsOf(reading).join()], () => {
      return [...this.#namesInPlace(folded, reading), ...this.#begun(folded, reading)];
    });
    const inPlace = this.#tryNames(near, reading);
    hits.push(...inPlace);
    // Elsewhere the postcode is wrong too, so only a name closer by two edits can win.
    const least = Math.min(...inPlace.map(({ roadEdits }) => roadEdits));
    const length = folded.length;
    const most = Math.min(least - 2, length < 4 ? 1 : length < 9 ? 2 : 3);
    if (most > 0) {
      const elsewhere = this.#nearNames.of([folded, most], () => [
        ...this.#names.near(folded, most),
      ]);
      hits.push(...this.#tryNames(elsewhere, reading));
    }
    for (const { road, dropped } of shorterRoads(folded)) {
      hits.push(...this.#exact(road, reading, dropped));
    }
    return hits;
  }

  roadsNear(
    road: string,
    post: number,
    { edits, isNear }: { readonly edits: number; readonly isNear: (name: string) => boolean },
  ): number {
    const measure = this.#names.measure(normalize(road));
    const { names, roadName, roadShort, postStarts, roadsByPost } = this.#addressIndex.columns;
    const isOne = (name: number): boolean =>
      name !== 0 && measure(name) <= edits && isNear(names.at(name));
    const found = new Set<number>();
    for (let at = postStarts[post - 1]!; at < postStarts[post]!; at++) {
      const place = roadsByPost[at]!;
      if (isOne(roadName[place]!) || isOne(roadShort[place]!)) found.add(roadName[place]!);
    }
    return found.size;
  }

  /** At one slip; two in a long name. */
  mayBeRoad(folded: string): boolean {
    if (this.#names.same(folded).length > 0) return true;
    const { names } = this.#addressIndex.columns;
    const most = folded.length < LONG_NAME ? 1 : 2;
    // Two swapped letters are two edits.
    const near = this.#names.near(folded, 2);
    return near.some(({ name }) => slipsOf(folded, names.at(name)) <= most);
  }

  isRoad(road: string): boolean {
    return this.#names.same(normalize(road)).length > 0;
  }

  isRoadAsWritten(road: string): boolean {
    return this.#names.same(normalize(road)).some(({ edits }) => edits === 0);
  }

  namesCut(road: string, post: number): number {
    const words = nameWords(road);
    return mayBeCut(words) ? this.#namesCutIn(words, [post]).length : 0;
  }

  /** Roads in the written place that are abbreviated in the text or in the register. */
  #cut(reading: Reading): readonly Hit[] {
    const words = nameWords(reading.road);
    const posts = this.#postsOf(reading);
    if (posts.length > MOST_POSTS || !mayBeCut(words)) return [];
    const hits: Hit[] = [];
    for (const name of this.#namesCutIn(words, posts)) {
      this.#addNamed(hits, { name, edits: 1 }, { reading, dropped: [], isNamed: true });
    }
    return this.#inPlace(hits, reading);
  }

  #namesCutIn(words: readonly NameWord[], posts: readonly number[]): readonly number[] {
    const { names } = this.#addressIndex.columns;
    const [first] = codesOf(words[0]?.folded ?? '');
    return [...new Set(this.#namesIn(posts))].filter((name) => {
      // An abbreviation keeps the first letter.
      return this.#names.firstLetter(name) === first && isSameCut(words, nameWords(names.at(name)));
    });
  }

  #exact(folded: string, reading: Reading, dropped: readonly string[]): readonly Hit[] {
    const hits: Hit[] = [];
    for (const name of this.#names.same(folded)) {
      this.#addNamed(hits, name, { reading, dropped, isNamed: true });
    }
    return this.#inPlace(hits, reading);
  }

  /** In the postcode, else in the towns, else the first. */
  #inPlace(hits: readonly Hit[], { postcode, places }: Reading): readonly Hit[] {
    if (hits.length < 2) return hits;
    const post = this.#lexicon.posts.get(postcode ?? '');
    const inPost = hits.filter((hit) => this.#postOf(hit) === post);
    if (inPost.length > 0) return inPost;
    if (hits.length <= FEW) return hits;
    const posts = new Set(places.flatMap((place) => this.#lexicon.postsNamed(place)));
    const inTowns = hits.filter(
      (hit) => posts.has(this.#postOf(hit)) || places.includes(this.#townOf(hit)),
    );
    return inTowns.length > 0 ? inTowns : hits.slice(0, MOST_HITS);
  }

  #postOf({ access, former }: Hit): number {
    const { accessPostcode, formerPostcodes, formerPostcode } = this.#addressIndex.columns;
    if (former < 0) return accessPostcode[access]!;
    return this.#lexicon.posts.get(formerPostcodes.at(formerPostcode[former]!)) ?? 0;
  }

  #townOf({ access, former }: Hit): string {
    const { accessTown, formerTown } = this.#addressIndex.columns;
    return this.#lexicon.town(former < 0 ? accessTown[access]! : formerTown[former]!);
  }

  /** Includes addresses that formerly had that name. */
  #addNamed(
    hits: Hit[],
    { name, edits }: NameMatch,
    of: {
      readonly reading: Reading;
      readonly dropped: readonly string[];
      readonly isNamed: boolean;
    },
  ): void {
    const { reading, dropped, isNamed } = of;
    const house = this.#lexicon.houses.get(reading.houseNumber ?? '');
    if (house === undefined) return;
    const { accessesByRoad } = this.#addressIndex.columns;
    const roads = this.#names.roadsOf(name);
    for (let at = roads.from; at < roads.to; at++) {
      const span = this.accessesAt(this.#names.roads[at]!, house);
      for (let i = span.from; i < span.to; i++) {
        hits.push({ access: accessesByRoad[i]!, former: -1, roadEdits: edits, isNamed, dropped });
      }
    }
    const { formerHouse, formerKind, formerTarget, unitAccess } = this.#addressIndex.columns;
    const formers = this.#names.formerOf(name);
    const from = lowerBound(formers, (i) => formerHouse[i]! < house);
    for (let i = from; i < formers.to && formerHouse[i] === house; i++) {
      const target = formerTarget[i]!;
      const access = formerKind[i] === 0 ? target : unitAccess[target]!;
      hits.push({ access, former: i, roadEdits: edits, isNamed, dropped });
    }
  }

  accessesAt(road: number, house: number): Span {
    const { accessHouse, accessesByRoad, roadStarts } = this.#addressIndex.columns;
    const all = { from: roadStarts[road]!, to: roadStarts[road + 1]! };
    const from = lowerBound(all, (i) => accessHouse[accessesByRoad[i]!]! < house);
    let to = from;
    while (to < all.to && accessHouse[accessesByRoad[to]!] === house) to += 1;
    return { from, to };
  }

  besides(access: number): readonly number[] {
    const { accessesByRoad, accessPostcode, accessRoad, roadStarts } = this.#addressIndex.columns;
    const road = accessRoad[access]!;
    const all = accessesByRoad.subarray(roadStarts[road], roadStarts[road + 1]);
    return [...all].filter((other) => accessPostcode[other] === accessPostcode[access]);
  }

  #neighbours(folded: string, reading: Reading): readonly Hit[] {
    const { accessHouse, accessesByRoad, accessPostcode, accessStatus, roadStarts } =
      this.#addressIndex.columns;
    const order = houseNumberOrder(reading.houseNumber ?? '');
    const number = houseNumberOrder(/^\d*/.exec(reading.houseNumber ?? '')![0]);
    const posts = this.#postsOf(reading);
    const orderAt = (i: number): number =>
      this.#lexicon.houseOrders[accessHouse[accessesByRoad[i]!]!]!;
    const isWanted = (access: number): boolean =>
      (accessStatus[access]! & STATUS_OF) <= 3 &&
      (posts.length === 0 || posts.includes(accessPostcode[access]!));
    const hits: Hit[] = [];
    for (const { name, edits } of this.#names.same(folded)) {
      const roads = this.#names.roadsOf(name);
      for (let at = roads.from; at < roads.to && hits.length < MOST_HITS; at++) {
        const road = this.#names.roads[at]!;
        const all = { from: roadStarts[road]!, to: roadStarts[road + 1]! };
        const middle = lowerBound(all, (i) => orderAt(i) < order);
        const first = lowerBound(all, (i) => orderAt(i) < number);
        const last = lowerBound(all, (i) => orderAt(i) < number + NUMBER_STEP);
        const from = Math.min(first, Math.max(all.from, middle - NEIGHBOURS));
        const to = Math.max(last, Math.min(all.to, middle + NEIGHBOURS));
        const near = [...accessesByRoad.subarray(from, to)].filter(isWanted);
        hits.push(
          ...near.map((access) => ({
            ...{ access, former: -1, roadEdits: edits, isNamed: true, dropped: [] },
          })),
        );
      }
    }
    return hits;
  }

  #postsOf({ postcode, places }: Reading): readonly number[] {
    const post = this.#lexicon.posts.get(postcode ?? '');
    if (post !== undefined) return [post];
    return [...new Set(places.flatMap((place) => this.#lexicon.postsNamed(place)))];
  }

  *#namesIn(posts: readonly number[]): Generator<number> {
    const { formerNamesByPost, formerPostStarts } = this.#addressIndex.columns;
    const { roadName, roadShort, postStarts, roadsByPost } = this.#addressIndex.columns;
    for (const post of posts) {
      for (let at = postStarts[post - 1]!; at < postStarts[post]!; at++) {
        const road = roadsByPost[at]!;
        yield roadName[road]!;
        if (roadShort[road] !== 0) yield roadShort[road]!;
      }
      yield* formerNamesByPost.subarray(formerPostStarts[post - 1], formerPostStarts[post]);
    }
  }

  #namesInPlace(folded: string, reading: Reading): readonly NameMatch[] {
    const posts = this.#postsOf(reading);
    if (posts.length > MOST_POSTS) return [];
    const most = Math.max(4, Math.floor(folded.length * 0.4));
    const measure = this.#names.measure(folded);
    // `Vestrebrog.`: the end may be abbreviated too.
    const whole = cutEndsOf(folded).map((name) => this.#names.measure(name));
    return [...new Set(this.#namesIn(posts))]
      .map((name) => {
        const edits = whole.map((measureWhole) => 1 + measureWhole(name));
        return { name, edits: Math.min(measure(name), ...edits) };
      })
      .filter(({ edits }) => edits > 0 && edits <= most);
  }

  /** Abbreviations without a full stop: `Nørrebro 12`, `Val Alle`. */
  #begun(folded: string, reading: Reading): readonly NameMatch[] {
    const posts = this.#postsOf(reading);
    if (posts.length > MOST_POSTS) return [];
    const words = folded.split(' ');
    const { length } = keyOf(folded);
    const start = codesOf(words[0]!.slice(0, LEAST_CUT));
    return [...new Set(this.#namesIn(posts))]
      .filter((name) => {
        if (!this.#names.isLonger(name, length, start)) return false;
        const own = normalize(this.#addressIndex.columns.names.at(name)).split(' ');
        return own.length === words.length && own.every((word, i) => isBegun(words[i]!, word));
      })
      .map((name) => ({ name, edits: BEGUN_EDITS }));
  }

  #tryNames(names: readonly NameMatch[], reading: Reading): readonly Hit[] {
    const sorted = [...names].sort((a, b) => a.edits - b.edits || a.name - b.name);
    return sorted.slice(0, MOST_NAMES).flatMap((name) => {
      const hits: Hit[] = [];
      this.#addNamed(hits, name, { reading, dropped: [], isNamed: false });
      return this.#inPlace(hits, reading);
    });
  }
}

/** Three or more words may be initials spelt out. */
const mayBeCut = (words: readonly NameWord[]): boolean =>
  words.length > 2 || words.some(({ isCut }) => isCut);

const isBegun = (written: string, word: string): boolean =>
  written === word || (written.length >= LEAST_CUT && word.startsWith(written));

/** Without a person's name or a floor, for example. */
function shorterRoads(
  folded: string,
): readonly { readonly road: string; readonly dropped: readonly string[] }[] {
  const words = folded.split(' ').slice(0, 8);
  const shorter = [];
  for (let n = 1; n < words.length; n++) {
    shorter.push({ road: words.slice(n).join(' '), dropped: words.slice(0, n) });
    shorter.push({ road: words.slice(0, -n).join(' '), dropped: words.slice(-n) });
  }
  return shorter;
}
