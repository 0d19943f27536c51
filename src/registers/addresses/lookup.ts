import type { WithTail } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { AddressesInService } from './load.ts';
import type { AccessMemory } from '../../core/rows/access-memory.ts';
import { createAddressSearch } from './search.ts';
import type { AddressSearch, AddressSearchDeps } from './search.ts';
import type { KnownPlaces } from './place-text.ts';
import { createPostcodes } from './postcodes.ts';
import type { Postcodes, PostcodesDeps } from './postcodes.ts';
import { createReverseAddress } from './reverse.ts';
import type { ReverseAddress, ReverseAddressDeps } from './reverse.ts';
import { accessOf } from './addresses.ts';
import type {
  Cleansed,
  CleanseKind,
  WrittenAddress,
  AccessAddress,
  AddressesWalked,
  ListQuestion,
  ListedRoad,
  RoadQuestion,
  TownEntry,
  UnitAddress,
} from './addresses.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { unreadNames } from '../../names/unread-names.ts';
import type { AddressDetails, ReadDetails } from './details.ts';
import { openedIndex } from './copy.ts';
import type { AddressAnswer, AddressDeps } from './copy.ts';
import { isTornWith, refuseUnread, unreadAddress, isTorn } from './unread.ts';
import { mayBeUnread } from '../../geo/unanswered.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface Addresses {
  readonly reverse: ReverseAddress;
  readonly search: AddressSearch;
  readonly listing: ListedAddresses;
  readonly cleansing: AddressCleansing;
  readonly postcodes: Postcodes;
  /** Of the version in memory; null: unknown, or the store does not answer. Never throws. */
  details(of: Parameters<ReadDetails>[0]): Promise<readonly (AddressDetails | null)[]>;
}

export type AddressesDeps = ReverseAddressDeps &
  AddressSearchDeps &
  PostcodesDeps & { readonly readDetails: ReadDetails };

export function createAddresses(deps: AddressesDeps): Addresses {
  return {
    reverse: createReverseAddress(deps),
    search: createAddressSearch(deps),
    listing: createAddressListing(deps),
    cleansing: createAddressCleansing(deps),
    postcodes: createPostcodes(deps),
    details: async (of) => {
      const held = deps.memory();
      const read = held && deps.readDetails(of, held.copy.version).catch(() => null);
      return (await read) ?? of.map(() => null);
    },
  };
}

export interface AddressLookups extends WithTail {
  readonly addresses: Addresses;
  readonly coverage: Coverage | null;
  readonly addressesInMemory: () => AddressesInService | null;
  readonly accesses: AccessMemory;
}

export interface AddressCleansing {
  /** `kind` null: as written. Throws (503) when no copy may answer. */
  cleanse(written: WrittenAddress, kind: CleanseKind | null): AddressAnswer<Cleansed>;
}

export function createAddressCleansing(deps: AddressDeps): AddressCleansing {
  return {
    cleanse: (written, kind) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const found = finder.cleanse(written, kind, LIMITS.cleanseCandidates);
      if (found.candidates.length === 0) {
        refuseUnread(unanswered, 'text' in written ? written.text : written.road);
      }
      const isUnread = found.candidates.some(({ address, successors }) =>
        isTornWith(unanswered, address, successors),
      );
      if (isUnread) throw unreadAddress();
      const value = asSureAs(found, unanswered?.names ?? []);
      return { ...facts, value };
    },
  };
}

/**
 * Lowers an inexact match to a guess where its road, as written or as found, has rows that could
 * not be read (D143): one may be the address meant. `roads`: their names; null for an unknown one.
 */
export function asSureAs(found: Cleansed, roads: readonly (string | null)[]): Cleansed {
  const [best] = found.candidates;
  if (roads.length === 0 || best === undefined || found.category === 'C') return found;
  const { road, houseNumber, floor, door } = best.differences;
  const outside = best.unknownWords.join(' ');
  const isExact = road + houseNumber + floor + door === 0;
  if (isExact && outside === '') return found;
  const own = accessOf(best.address).road;
  const written = best.read.road ?? '';
  const unread = unreadNames(roads);
  // A misspelt road, or a name left out, may be another road that it resembles.
  const isUnsure =
    unread !== null &&
    (unread.hasUnknown ||
      unread.isIn(outside) ||
      (!isExact && [own.name, written].some((name) => unread.fit(name) === 'same')) ||
      (road > 0 && unread.isIn(written)));
  return isUnsure ? { ...found, category: 'C' } : found;
}

export interface ListedAddresses {
  addresses(question: ListQuestion): AddressAnswer<readonly (AccessAddress | UnitAddress)[]>;
  /** Lazy, so no row may be unread. */
  walk(question: Omit<ListQuestion, 'keep'>): AddressAnswer<AddressesWalked>;
  roads(question: RoadQuestion): AddressAnswer<readonly ListedRoad[]>;
  units(accessId: string): AddressAnswer<readonly UnitAddress[]>;
  towns(): AddressAnswer<readonly TownEntry[]>;
  places(): AddressAnswer<KnownPlaces>;
}

/** All throw (503) when no copy may answer. */
export function createAddressListing(deps: AddressDeps): ListedAddresses {
  return {
    addresses: (question) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const value = finder.listing.addresses(question);
      if (mayBeShort(unanswered, question, value)) throw unreadAddress();
      if (value.some((each) => isTorn(unanswered, each))) throw unreadAddress();
      return { ...facts, value };
    },
    walk: (question) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      if (hasUnread(unanswered)) throw unreadAddress();
      return { ...facts, value: finder.listing.walk(question) };
    },
    roads: (question) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const value = finder.listing.roads(question);
      if (mayBeShort(unanswered, question, value)) throw unreadAddress();
      return { ...facts, value };
    },
    units: (accessId) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const value = finder.addressIndex.unitsOf(accessId);
      const isUnread = value.length === 0 && mayBeUnread(unanswered, accessId);
      if (isUnread || value.some((each) => isTorn(unanswered, each))) throw unreadAddress();
      return { ...facts, value };
    },
    towns: () => {
      const { finder, facts, unanswered } = openedIndex(deps);
      if (hasUnread(unanswered)) throw unreadAddress();
      return { ...facts, value: finder.addressIndex.towns };
    },
    places: () => {
      const { finder, facts } = openedIndex(deps);
      return { ...facts, value: finder.addressIndex };
    },
  };
}

function hasUnread(unanswered: PublishedCopy['unanswered']): boolean {
  const { objects = [], names = [] } = unanswered ?? {};
  return objects.length + names.length > 0;
}

/** D143. */
function mayBeShort(
  unanswered: PublishedCopy['unanswered'],
  { roadNames, take }: Pick<RoadQuestion, 'roadNames' | 'take'>,
  found: readonly unknown[],
): boolean {
  const unread = unreadNames(unanswered?.names);
  if (unread === null || found.length >= take) return false;
  const isNamed = unanswered?.names?.some((name) => name !== null) ?? false;
  if (roadNames.length === 0) return isNamed || found.length === 0;
  const isOne = roadNames.some((name) => unread.fit(name) === 'same');
  return isOne || (unread.hasUnknown && found.length === 0);
}
