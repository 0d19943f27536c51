import type { WithTail } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { AddressesInService } from './load.ts';
import type { AccessMemory } from '../../core/rows/access-memory.ts';
import { createAddressSearch } from './search.ts';
import type { AddressSearch, AddressSearchDeps } from './search.ts';
import { createAddressCleansing } from './datavask.ts';
import type { AddressCleansing } from './datavask.ts';
import { createAddressListing } from './listing.ts';
import type { ListedAddresses } from './listing.ts';
import { createPostcodes } from './postcodes.ts';
import type { Postcodes, PostcodesDeps } from './postcodes.ts';
import { createReverseAddress } from './reverse.ts';
import type { ReverseAddress, ReverseAddressDeps } from './reverse.ts';

export interface Addresses {
  readonly reverse: ReverseAddress;
  readonly search: AddressSearch;
  readonly listing: ListedAddresses;
  readonly cleansing: AddressCleansing;
  readonly postcodes: Postcodes;
}

export type AddressesDeps = ReverseAddressDeps & AddressSearchDeps & PostcodesDeps;

export function createAddresses(deps: AddressesDeps): Addresses {
  return {
    reverse: createReverseAddress(deps),
    search: createAddressSearch(deps),
    listing: createAddressListing(deps),
    cleansing: createAddressCleansing(deps),
    postcodes: createPostcodes(deps),
  };
}

export interface AddressLookups extends WithTail {
  readonly addresses: Addresses;
  readonly coverage: Coverage | null;
  readonly addressesInMemory: () => AddressesInService | null;
  /** The same, as jobs use it. */
  readonly accesses: AccessMemory;
}
