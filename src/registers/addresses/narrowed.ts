/** Filters addresses and roads beyond what the index can, within limits. */
import { NO_FILTER, accessOf } from './addresses.ts';
import type {
  AccessAddress,
  AddressesWalked,
  ListQuestion,
  ListedRoad,
  RoadFilter,
  RoadQuestion,
  UnitAddress,
} from './addresses.ts';
import type { AddressAnswer } from './copy.ts';
import type { Addresses } from './lookup.ts';
import { byIds, ofKind } from './of-kind.ts';
import { listedBy } from './place-text.ts';

type Address = AccessAddress | UnitAddress;
type Fits = (address: Address) => boolean;

export interface AddressesWanted {
  readonly kind: ListQuestion['kind'];
  readonly text: string | null;
  readonly ids: readonly string[];
  /** What the index filters by; its rows may still not fit. */
  readonly filter: Omit<ListQuestion, 'skip' | 'take' | 'keep'>;
  readonly fits: Fits | null;
  /** All rows found must be examined. */
  readonly isWhole: boolean;
  /** The house number may be incomplete. */
  readonly isTyped?: boolean;
  readonly page: { readonly skip: number; readonly take: number };
}

export interface Limited {
  readonly rows: number;
  readonly scannedRows: number;
  /** Error for a parameter that would find too much. */
  readonly refused: (name: string, reason: string) => Error;
}

export const USUAL_STATUSES = [2, 3];

/** Throws where too many rows would have to be examined. */
export async function narrowed(
  addresses: Addresses,
  wanted: AddressesWanted,
  limited: Limited,
  deadline: Parameters<typeof byIds>[2],
): Promise<AddressAnswer<readonly Address[]>> {
  const { kind, text, ids, filter, page } = wanted;
  const fits = fitsIn(wanted);
  if (ids.length === 0 && text === null) {
    const keep = fits && counted(fits, limited);
    return addresses.listing.addresses({ ...filter, ...page, keep });
  }
  const { value, ...facts } =
    ids.length > 0
      ? await byIds(addresses.search, { kind, ids }, deadline)
      : ofText(addresses, { ...wanted, text: text ?? '' }, limited);
  const kept = fits === null ? value : value.filter(fits);
  if (kept.length > 0 || text === null || ids.length > 0) {
    return { ...facts, value: kept.slice(page.skip, page.skip + page.take) };
  }
  const keep = fits && counted(fits, limited);
  const asked = { ...filter, ...page, keep };
  return ofPlace(addresses, text, asked, wanted.isTyped) ?? { ...facts, value: [] };
}

/** For a text without a road; null: it names no place either. */
export function ofPlace(
  { listing }: Addresses,
  text: string,
  { skip, take, keep, ...filter }: ListQuestion,
  isTyped = false,
): AddressAnswer<readonly Address[]> | null {
  const asked = listedBy(text, filter, listing.places().value);
  if (asked === null) return null;
  const [typed] = isTyped && asked.roadNames.length > 0 ? asked.houseNumbers : [];
  if (typed === undefined) return listing.addresses({ ...asked, skip, take, keep });
  const begins: Fits = (address) =>
    accessOf(address).houseNumber.startsWith(typed) && (keep === null || keep(address));
  return listing.addresses({ ...asked, houseNumbers: [], skip, take, keep: begins });
}

function fitsIn({ fits, filter: { within } }: AddressesWanted): Fits | null {
  if (within === null) return fits;
  return (address) => {
    const { position } = accessOf(address);
    return position !== null && within.covers(position) && (fits === null || fits(address));
  };
}

function ofText(
  addresses: Addresses,
  { kind, text, filter, isWhole, page }: AddressesWanted & { readonly text: string },
  { rows, refused }: Limited,
) {
  if (page.skip >= rows) throw refused('side', `beyond ${rows} rows`);
  const all = rows + 1;
  const limit = isWhole ? all : Math.min(page.skip + page.take, all);
  const { municipalityCodes, postcodes, within, statuses } = filter;
  const [only, ...others] = statuses;
  const status =
    others.length === 0 ? (([2, 3] as const).find((each) => each === only) ?? null) : null;
  const asked = { ...NO_FILTER, municipalityCodes, postcodes, within, status };
  const found = ofKind(addresses, { ...asked, kind, text, limit });
  if (isWhole && found.value.length >= all) throw tooMany({ rows, refused });
  return found;
}

export function tooMany({ rows, refused }: Pick<Limited, 'rows' | 'refused'>): Error {
  return refused('kommunekode', `more than ${rows} rows: narrow with another filter`);
}

function counted(fits: Fits, limited: Limited): Fits {
  let left = limited.scannedRows;
  return (address) => {
    left -= 1;
    if (left < 0) throw tooMany(limited);
    return fits(address);
  };
}

/** Read while sent; null: short, searched or filtered. */
export function longList(
  { listing }: Addresses,
  { text, ids, filter, fits, isWhole, page }: AddressesWanted,
  { rows }: Limited,
): AddressAnswer<AddressesWalked> | null {
  if (text !== null || ids.length > 0 || page.take <= rows) return null;
  if (fits !== null && isWhole) return null;
  const walked = listing.walk({ ...filter, ...page });
  return walked.value.count > rows ? walked : null;
}

export const ALL_HOUSES = {
  ...{ kind: 'access', statuses: USUAL_STATUSES, keep: null, roadId: null, accessId: null },
  ...{ municipalityCodes: [], postcodes: [], roadCodes: [], roadNames: [], towns: [] },
  ...{ within: null, houseNumbers: [], floors: [], doors: [], skip: 0 },
} as const satisfies Omit<ListQuestion, 'take'>;

/** One address: the facts of a list that is still being read. */
export function firstOf({ listing }: Addresses): readonly Address[] {
  return listing.addresses({ ...ALL_HOUSES, take: 1 }).value;
}

export interface RoadsWanted {
  readonly filter: RoadFilter & Pick<RoadQuestion, 'keep'>;
  readonly text: string | null;
  readonly isBeyondSearch: boolean;
  readonly page: { readonly skip: number; readonly take: number };
}

/** Throws where a search finds more than it may. */
export function foundRoads(
  { search, listing }: Addresses,
  { filter, text, isBeyondSearch, page }: RoadsWanted,
  { rows: most, refused }: Omit<Limited, 'scannedRows'>,
): AddressAnswer<readonly ListedRoad[]> {
  const all = { skip: 0, take: Infinity };
  if (text === null) return listing.roads({ ...filter, ...all });
  const { municipalityCodes, postcodes } = filter;
  const end = page.skip + page.take;
  const limit = isBeyondSearch ? most : Math.min(end, most);
  const asked = { ...NO_FILTER, text, caret: text.length, depth: 'road', limit } as const;
  const { value, ...facts } = search.suggest({ ...asked, municipalityCodes, postcodes });
  const isCut = isBeyondSearch || end > most;
  if (isCut && value.length >= most) throw refused('q', `more than ${most} roads`);
  const names = [...new Set(value.map(({ road }) => road.name))];
  const roads = names.flatMap((name) => {
    return listing.roads({ ...filter, roadNames: [name], ...all }).value;
  });
  return { ...facts, value: roads };
}
