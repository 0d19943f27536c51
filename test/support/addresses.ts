/** A small invented country of addresses, built once for a test file. */
import { Land } from '../../bench/national/land.ts';
import { nationalAddresses } from '../../bench/national/addresses.ts';
import type { OpenAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { openAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';

/** About 2.4 million access addresses times `scale`. */
export function inventedIndex(scale: number): OpenAddressIndex {
  const buffer = buildAddressIndex(1, nationalAddresses(new Land(scale)));
  return openAddressIndex(buffer, { verified: true });
}
