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

export function addressDrawer(index: OpenAddressIndex, random: () => number) {
  const below = (count: number): number => Math.floor(count * random());
  return (kind: 'access' | 'unit') => {
    for (;;) {
      const own =
        kind === 'access'
          ? index.accessAt(below(index.accessCount))
          : index.unitAt(below(index.unitCount));
      const access = 'access' in own ? own.access : own;
      const { floor, door } = 'access' in own ? own : { floor: null, door: null };
      const { road, houseNumber, postcode } = access;
      if (own.status > 3 || postcode === null) continue;
      return { id: own.id, roadName: road.name, houseNumber, floor, door, postcode };
    }
  };
}
