/** A thread's own search over the shared index, made once for the same bytes. */
import type { AddressFinder } from '../addresses.ts';
import { notHere } from '../../../core/standing/standing.ts';
import { ADDRESS_REGISTER } from '../mirror.ts';
import type { JobMemory } from '../../../core/rows/chunk-types.ts';
import { Last } from '../../../kernel/last.ts';
import { keyOf } from '../../../snapshot/format.ts';
import { openAddressIndex } from './address-index.ts';
import { createAddressFinder } from './finder.ts';

const finders = new Last<AddressFinder>();

export function finderOf({ addressIndex }: Pick<JobMemory, 'addressIndex'>): AddressFinder {
  if (addressIndex === null) throw notHere(ADDRESS_REGISTER);
  return finders.of([keyOf(addressIndex)], () =>
    createAddressFinder(openAddressIndex(addressIndex, { verified: true })),
  );
}
