/** Texts without a road: a postcode, a town, a house number (D247). */
import { normalHouseNumber } from '../../layers/address-text.ts';
import { normalize } from '../../names/normalize.ts';
import type { ListQuestion, PostcodeEntry, TownEntry } from './addresses.ts';

export interface KnownPlaces {
  readonly postcodes: readonly PostcodeEntry[];
  readonly towns: readonly TownEntry[];
}

type Filter = Omit<ListQuestion, 'skip' | 'take' | 'keep'>;

const POSTCODE = /^(?:dk-?)?(\d{4})$/i;
const HOUSE = /^\d{1,3}[a-zæøå]?$/i;

/** The list for such a text; null: it says more, or means the whole register. */
export function listedBy(text: string, filter: Filter, known: KnownPlaces): Filter | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const codes = words.flatMap((word) => POSTCODE.exec(word)?.[1] ?? []);
  const houses = words.filter((word) => HOUSE.test(word));
  const names = words.filter((word) => !POSTCODE.test(word) && !HOUSE.test(word));
  if (names.length > 0 && normalize(names.join(' ')) === '') return null;
  if (codes.length > 1 || houses.length > 1) return null;
  const houseNumbers = houses.flatMap((house) => normalHouseNumber(house) ?? []);
  if (codes.length + names.length === 0) {
    return houses.length === 1 && isPlaced(filter) ? { ...filter, houseNumbers } : null;
  }
  const among = [codes, filter.postcodes].filter((each) => each.length > 0);
  const isAmong = (code: string) => among.every((each) => each.includes(code));
  const isNamed = namedBy(names.join(' '));
  const folded = foldedOf(known);
  const posts = folded.postcodes.filter(([name]) => isNamed(name)).map(([, post]) => post);
  const named = posts.length > 0 ? [] : folded.towns.filter(([name]) => isNamed(name));
  const towns = named.map(([, town]) => town);
  const postcodes = [...posts, ...towns.flatMap((town) => town.postcodes)].flatMap(({ code }) =>
    isAmong(code) ? [code] : [],
  );
  if (postcodes.length === 0) return null;
  const own = towns.length === 0 ? filter.towns : towns.map(({ name }) => name);
  return { ...filter, postcodes, towns: own, ...(houses.length === 1 && { houseNumbers }) };
}

function namedBy(text: string): (folded: string) => boolean {
  const words = normalize(text).match(/\S+/g) ?? [];
  return (folded) => words.every((word) => folded.includes(` ${word}`));
}

const fold = (name: string): string => ` ${normalize(name)}`;

const FOLDED = new WeakMap<KnownPlaces, ReturnType<typeof folding>>();

function folding({ postcodes, towns }: KnownPlaces) {
  return {
    postcodes: postcodes.map((each) => [fold(each.name), each] as const),
    towns: towns.map((each) => [fold(each.name), each] as const),
  };
}

function foldedOf(known: KnownPlaces): ReturnType<typeof folding> {
  const held = FOLDED.get(known) ?? folding(known);
  FOLDED.set(known, held);
  return held;
}

export function isPlaced(filter: Filter): boolean {
  const { municipalityCodes, postcodes, roadNames, roadId, accessId, within } = filter;
  return (
    municipalityCodes.length + postcodes.length + roadNames.length > 0 ||
    [roadId, accessId, within].some((each) => each !== null)
  );
}
