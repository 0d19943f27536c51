/** Puts the lookups of addresses together, over what is in memory and in the store. */
import { withTail } from '../../answers/register-meta.ts';
import type { WithTail } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { Store } from '../../db/connect.ts';
import { ADDRESSES, POSTAL } from '../../layers/keys.ts';
import type { Composed, RegisterParts } from '../../core/register.ts';
import { readPostalDistricts } from '../areas/districts.ts';
import { createPostalDistricts } from '../areas/postal-districts.ts';
import { areas } from '../areas/register.ts';
import { readAreas } from '../areas/store.ts';
import type { AddressLoader, AddressesInService } from './load.ts';
import { createAddresses } from './lookup.ts';
import type { Addresses } from './lookup.ts';
import { accessMemory } from './find-access.ts';
import { composeHouseTiles } from './house-tiles.ts';
import { addressMeta } from './meta.ts';
import type { AccessMemory } from '../../core/rows/access-memory.ts';
import { readNearestAddresses } from './reverse-store.ts';

export interface AddressLookups extends WithTail {
  readonly addresses: Addresses;
  readonly coverage: Coverage | null;
  readonly addressesInMemory: () => AddressesInService | null;
  /** The same, as jobs use it. */
  readonly accesses: AccessMemory;
}

export function composeAddresses(
  parts: RegisterParts,
  memory: Pick<AddressLoader, 'current'> | null,
): Composed<AddressLookups> {
  const { catalogue, clock, store, layers, lands, onExpired, watcher } = parts;
  const register = catalogue.registers[ADDRESSES];
  const { coverage = null } = register;
  const addressesInMemory = () => memory?.current ?? null;
  const addresses = createAddresses({
    ...{ clock, register, lands, watcher, onExpired },
    memory: addressesInMemory,
    readNearest: (points, radiusM) => readNearestAddresses(store, points, radiusM),
    areas: parts.lookupsOf(areas).reverseAreas,
    districts: createPostalDistricts({
      ...{ clock, watcher },
      freshness: catalogue.areas[POSTAL].freshness,
      read: () => readPostalDistricts(store),
      onExpired: () => onExpired(POSTAL),
    }),
    readMunicipalityNames: async (codes) =>
      layers()?.namesOf('kommune') ?? (await storedNames(store, codes)),
  });
  return {
    lookups: {
      ...{ addresses, coverage, ...withTail(addressMeta(parts)) },
      addressesInMemory,
      accesses: accessMemory({ catalogue, clock, current: addressesInMemory, addresses }),
    },
    tiles: composeHouseTiles(parts),
  };
}

async function storedNames(
  store: Store,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { areas: found } = await readAreas(store, 'kommune', codes);
  return new Map(found.map(({ code, name }) => [code, name]));
}
