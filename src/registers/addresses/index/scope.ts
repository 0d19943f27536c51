import type { PointUtm32 } from '../../../geo/point.ts';
import type { OpenAddressIndex } from './address-index.ts';
import type { RoadNames } from './road-names.ts';
import { boxesMeet } from '../../../geo/box.ts';
import type { SearchFilter } from '../addresses.ts';
import { STATUS_OF } from './index-format.ts';
import type { Lexicon } from './lexicon.ts';
import type { Typed } from './typed.ts';

/** EPSG:25832 metres. */
export class Nearness {
  readonly #addressIndex: OpenAddressIndex;
  readonly #point: PointUtm32;
  readonly #names = new Map<number, number>();

  constructor(addressIndex: OpenAddressIndex, point: PointUtm32) {
    this.#addressIndex = addressIndex;
    this.#point = point;
  }

  /** To the nearest road of that name. */
  ofName(name: number, names: RoadNames): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const { from, to } = names.roadsOf(name);
    let least = Infinity;
    for (let at = from; at < to; at++) least = Math.min(least, this.ofRoad(names.roads[at]!));
    this.#names.set(name, least);
    return least;
  }

  /** Infinite without addresses. */
  ofRoad(road: number): number {
    const { minX, minY, maxX, maxY } = this.#addressIndex.columns.boxOfRoad(road);
    const { xUtm32: x, yUtm32: y } = this.#point;
    return Math.hypot(Math.max(minX - x, 0, x - maxX), Math.max(minY - y, 0, y - maxY));
  }

  /** Infinite without a point. */
  ofAccess(access: number): number {
    const point = this.#addressIndex.columns.pointOf(access);
    if (point === null) return Infinity;
    return Math.hypot(point.xUtm32 - this.#point.xUtm32, point.yUtm32 - this.#point.yUtm32);
  }
}

/** Beyond this, addresses are examined one by one. */
const MOST_POSTS = 200;
/** The same for partly typed postcodes, which change with every key. */
const MOST_BEGUN = 12;

export class Scope {
  readonly #addressIndex: OpenAddressIndex;
  readonly #lexicon: Lexicon;
  readonly #municipalities: ReadonlySet<string>;
  readonly #posts: ReadonlySet<number> | null;
  readonly #places: readonly string[];
  #roads: ReadonlySet<number> | null = null;
  readonly #mostPosts: number;
  readonly #within: SearchFilter['within'];
  readonly #status: SearchFilter['status'];
  /** null: distance does not count. */
  readonly nearness: Nearness | null;

  constructor(
    {
      addressIndex,
      lexicon,
    }: { readonly addressIndex: OpenAddressIndex; readonly lexicon: Lexicon },
    filter: SearchFilter,
    { postcode, places }: Pick<Typed, 'postcode' | 'places'>,
  ) {
    this.#addressIndex = addressIndex;
    this.#lexicon = lexicon;
    this.#municipalities = new Set(filter.municipalityCodes);
    this.#within = filter.within;
    this.#status = filter.status;
    this.nearness = filter.near && new Nearness(addressIndex, filter.near);
    const wanted = filter.postcodes.map((code) => lexicon.posts.get(code) ?? -1);
    const typed = postcode === null ? null : (lexicon.posts.get(postcode) ?? -1);
    const both = typed === null || wanted.length === 0 || wanted.includes(typed);
    const posts = typed === null ? wanted : both ? [typed] : [-1];
    const begun = postcodesBegun(lexicon, places);
    const all = begun === null ? posts : begun.filter((post) => isIn(posts, post));
    this.#posts = all.length === 0 && begun === null ? null : new Set(all);
    this.#mostPosts = begun === null ? MOST_POSTS : MOST_BEGUN;
    this.#places = places.filter((place) => !isPostcodeBegun(place));
  }

  hasAccess(access: number): boolean {
    const { accessPostcode, accessRoad, accessStatus, accessTown } = this.#addressIndex.columns;
    const status = accessStatus[access]! & STATUS_OF;
    if (status > 3 || (this.#status !== null && status !== this.#status)) return false;
    const post = accessPostcode[access]!;
    if (this.#posts !== null && !this.#posts.has(post)) return false;
    if (!this.#hasMunicipality(accessRoad[access]!)) return false;
    if (!this.#isWithin(access)) return false;
    if (this.#places.length === 0) return true;
    const own = [
      this.#lexicon.postNames[post]!,
      this.#lexicon.town(accessTown[access]!),
      this.#lexicon.postCodes[post]!,
    ];
    return this.#places.every((place) => own.some((text) => text.startsWith(place)));
  }

  mayHaveRoad(road: number): boolean {
    if (!this.#hasMunicipality(road) || !this.#meets(road)) return false;
    const posts = this.#posts;
    if (posts === null || posts.size > this.#mostPosts) return true;
    this.#roads ??= this.#roadsIn(posts);
    return this.#roads.has(road);
  }

  get isOpen(): boolean {
    const isAnywhere = this.#posts === null && this.#within === null;
    const isAny = this.#status === null && this.#municipalities.size === 0;
    return isAnywhere && isAny && this.#places.length === 0;
  }

  hasRoad(road: number): boolean {
    if (!this.mayHaveRoad(road)) return false;
    const { accessesByRoad, roadStarts } = this.#addressIndex.columns;
    for (let i = roadStarts[road]!; i < roadStarts[road + 1]!; i++) {
      if (this.hasAccess(accessesByRoad[i]!)) return true;
    }
    return false;
  }

  #meets(road: number): boolean {
    if (this.#within === null) return true;
    const [minX, minY, maxX, maxY] = this.#within.box;
    return boxesMeet(this.#addressIndex.columns.boxOfRoad(road), { minX, minY, maxX, maxY }, 0);
  }

  #isWithin(access: number): boolean {
    if (this.#within === null) return true;
    const point = this.#addressIndex.columns.pointOf(access);
    return point !== null && this.#within.covers(point);
  }

  #hasMunicipality(road: number): boolean {
    const codes = this.#municipalities;
    return codes.size === 0 || codes.has(this.#addressIndex.columns.roadMunicipalities.at(road));
  }

  #roadsIn(posts: ReadonlySet<number>): Set<number> {
    const { postStarts, roadsByPost } = this.#addressIndex.columns;
    const roads = new Set<number>();
    for (const post of posts) {
      if (post < 1) continue;
      for (let at = postStarts[post - 1]!; at < postStarts[post]!; at++)
        roads.add(roadsByPost[at]!);
    }
    return roads;
  }
}

/** No town begins with a digit. */
function isPostcodeBegun(place: string): boolean {
  return /^\d{1,3}$/.test(place);
}

function postcodesBegun(lexicon: Lexicon, places: readonly string[]): readonly number[] | null {
  const begun = places.filter(isPostcodeBegun);
  if (begun.length === 0) return null;
  return [...lexicon.posts.entries()]
    .filter(([code]) => begun.every((digits) => code.startsWith(digits)))
    .map(([, post]) => post);
}

const isIn = (posts: readonly number[], post: number): boolean =>
  posts.length === 0 || posts.includes(post);
