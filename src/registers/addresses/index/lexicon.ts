import { houseNumberOrder } from '../../../layers/address-text.ts';
import type { TextList } from '../../../snapshot/texts.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { normalize, keyOf } from '../../../names/normalize.ts';
import { slipsOf } from '../../../names/slips.ts';
import { townOf } from './place-fit.ts';
import type { KnownPlaces } from './postcodes.ts';

export class Lexicon implements KnownPlaces {
  readonly houses: ReadonlyMap<string, number>;
  readonly posts: ReadonlyMap<string, number>;
  readonly postNames: readonly string[];
  readonly postCodes: readonly string[];
  readonly houseOrders: Float64Array;
  readonly #towns: TextList;
  readonly #foldedTowns: (string | undefined)[] = [''];
  readonly #postsByKey = new Map<string, number[]>();

  constructor({ columns, postcodes }: OpenAddressIndex) {
    this.houses = codesByText(columns.houses);
    this.posts = new Map(postcodes.map(({ code }, i) => [code, i + 1]));
    this.postNames = ['', ...postcodes.map(({ name }) => normalize(name))];
    this.postCodes = ['', ...postcodes.map(({ code }) => code)];
    this.houseOrders = new Float64Array(columns.houses.count);
    for (let code = 1; code < columns.houses.count; code++) {
      this.houseOrders[code] = houseNumberOrder(columns.houses.at(code));
    }
    this.#towns = columns.towns;
    for (const [post, name] of this.postNames.entries()) {
      if (post === 0) continue;
      // `Odense` stands for all its districts.
      const words = name.split(' ');
      const keys = new Set(words.map((_, i) => words.slice(0, i + 1).join('')));
      for (const key of keys) {
        const posts = this.#postsByKey.get(key) ?? [];
        posts.push(post);
        this.#postsByKey.set(key, posts);
      }
    }
  }

  postcodeName(code: string): string | null {
    const post = this.posts.get(code);
    return post === undefined ? null : this.postNames[post]!;
  }

  isTownStart(folded: string): boolean {
    return this.postNames.some((name) => name.startsWith(folded) && name !== '');
  }

  /** Whole, begun or misspelt. */
  mayBeTown(folded: string): boolean {
    const town = townOf(folded);
    const most = town.length < 7 ? 1 : 2;
    if (this.isTownStart(town)) return true;
    if (this.postNames.some((name) => name !== '' && slipsOf(town, name) <= most)) return true;
    for (let code = 1; code < this.#towns.count; code++) {
      if (this.town(code) === folded) return true;
    }
    return false;
  }

  /** Places + 1 of postcodes whose name is, or begins with, the folded text. */
  postsNamed(folded: string): readonly number[] {
    return this.#postsByKey.get(keyOf(townOf(folded))) ?? [];
  }

  postsBeginning(folded: string): readonly number[] {
    const posts: number[] = [];
    for (const [post, name] of this.postNames.entries()) {
      if (post > 0 && name.startsWith(folded)) posts.push(post);
    }
    return posts;
  }

  town(code: number): string {
    return (this.#foldedTowns[code] ??= normalize(this.#towns.at(code)));
  }
}

function codesByText(texts: TextList): Map<string, number> {
  const codes = new Map<string, number>();
  for (let code = 1; code < texts.count; code++) codes.set(texts.at(code), code);
  return codes;
}
