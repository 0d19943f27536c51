/** A small invented country of addresses, built once for a test file. */
import { Land } from '../../bench/national/land.ts';
import { nationalAddresses } from '../../bench/national/addresses.ts';
import type { OpenAddressIndex } from '../../src/addresses/address-index.ts';
import { openAddressIndex } from '../../src/addresses/address-index.ts';
import { buildAddressIndex } from '../../src/addresses/build-index.ts';

/** About 2.4 million access addresses times `scale`. */
export function inventedIndex(scale: number): OpenAddressIndex {
  const buffer = buildAddressIndex(1, nationalAddresses(new Land(scale)));
  return openAddressIndex(buffer, { verified: true });
}
