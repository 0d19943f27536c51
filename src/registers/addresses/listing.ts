/** Addresses and roads by their parts, from the index in memory. */
import { mayBeUnread } from '../../geo/unanswered.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { unreadNames } from '../../names/unread-names.ts';
import type {
  AccessAddress,
  AddressesWalked,
  ListQuestion,
  ListedRoad,
  RoadQuestion,
  TownEntry,
  UnitAddress,
} from './addresses.ts';
import { openedIndex } from './copy.ts';
import type { AddressAnswer, AddressDeps } from './copy.ts';
import { isTorn, unreadAddress } from './unread.ts';

export interface ListedAddresses {
  addresses(question: ListQuestion): AddressAnswer<readonly (AccessAddress | UnitAddress)[]>;
  /** Of a list that is read while it is sent: none may be unread. */
  walk(question: Omit<ListQuestion, 'keep'>): AddressAnswer<AddressesWalked>;
  roads(question: RoadQuestion): AddressAnswer<readonly ListedRoad[]>;
  units(accessId: string): AddressAnswer<readonly UnitAddress[]>;
  towns(): AddressAnswer<readonly TownEntry[]>;
}

/** All throw the Failure (503) when no copy may answer. */
export function createAddressListing(deps: AddressDeps): ListedAddresses {
  return {
    addresses: (question) => {
      const { finder, generation, provenance, unanswered } = openedIndex(deps);
      const value = finder.listing.addresses(question);
      if (mayBeShort(unanswered, question, value)) throw unreadAddress();
      if (value.some((each) => isTorn(unanswered, each))) throw unreadAddress();
      return { generation, provenance: [provenance], value };
    },
    walk: (question) => {
      const { finder, generation, provenance, unanswered } = openedIndex(deps);
      if (hasUnread(unanswered)) throw unreadAddress();
      return { generation, provenance: [provenance], value: finder.listing.walk(question) };
    },
    roads: (question) => {
      const { finder, generation, provenance, unanswered } = openedIndex(deps);
      const value = finder.listing.roads(question);
      if (mayBeShort(unanswered, question, value)) throw unreadAddress();
      return { generation, provenance: [provenance], value };
    },
    units: (accessId) => {
      const { finder, generation, provenance, unanswered } = openedIndex(deps);
      const value = finder.addressIndex.unitsOf(accessId);
      const isUnread = value.length === 0 && mayBeUnread(unanswered, accessId);
      if (isUnread || value.some((each) => isTorn(unanswered, each))) throw unreadAddress();
      return { generation, provenance: [provenance], value };
    },
    towns: () => {
      const { finder, generation, provenance, unanswered } = openedIndex(deps);
      if (hasUnread(unanswered)) throw unreadAddress();
      return { generation, provenance: [provenance], value: finder.addressIndex.towns };
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
