import { TOWN_WORDS } from '../../../names/abbreviations.ts';
import { editsBetween, keyOf, shortKeyOf } from '../../../names/normalize.ts';

export interface PlaceFit {
  /** Edits to the postcode's name; its length if not written. */
  readonly postName: number;
  /** Edits to the supplementary town; 0 if not written. */
  readonly town: number;
  readonly postRead: string | null;
  readonly townRead: string | null;
  readonly unknown: readonly string[];
}

const NONE: readonly string[] = [];

/** All folded; empty where the address has none. Takes the same place, else the first similar one. */
export function fitPlaces(places: readonly string[], town: string, post: string): PlaceFit {
  if (places.length === 1 && places[0] === post) return { ...EXACT, postRead: post };
  const fit = new Fitting(town, post);
  const isOwn = (place: string): boolean => place === town || place === post;
  for (const place of places) if (isOwn(place)) fit.take(place);
  for (const place of places) if (!isOwn(place)) fit.take(place);
  return fit.result();
}

const EXACT = { postName: 0, town: 0, townRead: null, unknown: NONE };

class Fitting {
  readonly #town: string;
  readonly #post: string;
  readonly #unknown: string[] = [];
  #postRead: string | null = null;
  #townRead: string | null = null;

  constructor(town: string, post: string) {
    this.#town = town;
    this.#post = post;
  }

  take(place: string): void {
    if (this.#takeWhole(place) || this.#takeBoth(place)) return;
    for (const own of [this.#post, this.#town]) {
      if (own === '') continue;
      const padded = ` ${place} `;
      if (!padded.includes(` ${own} `)) continue;
      this.#give(own, own);
      const rest = padded.replace(` ${own} `, ' ').trim();
      if (rest !== '' && !this.#takeWhole(rest)) this.#unknown.push(...rest.split(' '));
      return;
    }
    this.#unknown.push(...place.split(' '));
  }

  #takeWhole(place: string): boolean {
    const free = [
      this.#postRead === null ? this.#post : '',
      this.#townRead === null ? this.#town : '',
    ].filter((own) => own !== '');
    const [nearest] = free
      .map((own) => ({ own, edits: nearness(place, own) }))
      .filter(({ edits }) => edits < Infinity)
      .sort((a, b) => a.edits - b.edits);
    if (nearest === undefined) return false;
    this.#give(nearest.own, place);
    return true;
  }

  #takeBoth(place: string): boolean {
    if (this.#town === '' || this.#post === '') return false;
    for (const [first, second] of [
      [this.#town, this.#post],
      [this.#post, this.#town],
    ] as const) {
      if (!place.startsWith(`${first} `)) continue;
      const rest = place.slice(first.length + 1);
      if (nearness(rest, second) === Infinity) continue;
      this.#give(first, first);
      this.#give(second, rest);
      return true;
    }
    return false;
  }

  #give(own: string, read: string): void {
    if (own === this.#post && this.#postRead === null) this.#postRead = read;
    else this.#townRead ??= read;
  }

  result(): PlaceFit {
    const edits = (read: string | null, own: string): number =>
      read !== null && isSameTown(read, own) ? 0 : editsBetween(read ?? '', own);
    return {
      postName: edits(this.#postRead, this.#post),
      town: this.#townRead === null ? 0 : edits(this.#townRead, this.#town),
      postRead: this.#postRead,
      townRead: this.#townRead,
      unknown: this.#unknown,
    };
  }
}

const DISTRICT = /^(?:c|n|s|v|oe|k|m|f|nv|sv|soe|noe)$/;
export const isDistrict = (folded: string): boolean => DISTRICT.test(folded);

/** In the register's spelling: `kbh k` is `koebenhavn k`. */
export function townOf(written: string): string {
  const at = written.indexOf(' ');
  const known = TOWN_WORDS.get(at < 0 ? written : written.slice(0, at));
  return known === undefined ? written : known + (at < 0 ? '' : written.slice(at));
}

/** By another name, a short form, or without its district letters. */
function isSameTown(written: string, own: string): boolean {
  if (written === own) return true;
  const town = townOf(written);
  if (town === own) return true;
  // Short forms keep the first letter.
  if (town.charCodeAt(0) !== own.charCodeAt(0)) return false;
  if (town.includes(' ') && shortKeyOf(town) === shortKeyOf(own)) return true;
  return own.startsWith(`${town} `) && isDistrict(own.slice(town.length + 1));
}

/** Infinity if not similar. `Odense` is similar to `Odense C`. */
function nearness(written: string, own: string): number {
  if (written === own) return 0;
  if (isSameTown(written, own)) return 0.5;
  // `7 st. Tankjær` may have a ground floor before the town.
  if (written.startsWith('st ') && !/^(?:st|store|sankt) /.test(own)) return Infinity;
  const town = townOf(written);
  const edits = editsBetween(town, own);
  if (own.startsWith(`${town} `)) return edits;
  const length = Math.max(keyOf(town).length, keyOf(own).length);
  return edits <= Math.max(1, Math.floor(length / 3)) ? edits : Infinity;
}
