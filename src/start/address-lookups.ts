/** Puts the questions about addresses together, over what is in memory and in the store. */
import type { Clock } from '../kernel/clock.ts';
import type { Store } from '../db/connect.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { ADDRESSES, POSTAL } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { Watcher } from '../answers/answer.ts';
import type { AddressesInMemory } from '../memory/address-copy.ts';
import { createAddresses } from '../lookups/addresses.ts';
import type { Addresses } from '../lookups/addresses.ts';
import { createPostalDistricts } from '../registers/areas/postal-districts.ts';
import type { ReverseAreas } from '../registers/areas/reverse.ts';
import type { CoveredLands } from '../memory/covered-lands.ts';
import type { SnapshotSet } from '../memory/snapshot-set.ts';
import { readNearestAddresses } from '../registers/addresses/reverse-store.ts';
import { readPostalDistricts } from '../registers/areas/districts.ts';
import { readAreas } from '../registers/areas/store.ts';

export interface AddressLookupParts {
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  readonly clock: Clock;
  readonly store: Store;
  /** The addresses in memory; null: only the store knows any. */
  readonly addressMemory: { readonly current: AddressesInMemory | null } | null;
  /** The layers in memory, for the names of municipalities. */
  readonly memory: { readonly current: SnapshotSet | null } | null;
  readonly reverseAreas: ReverseAreas;
  readonly lands: CoveredLands;
  /** Told which copy is too old. */
  readonly onExpired: (mirror: MirrorId) => void;
  readonly watcher?: Watcher;
}

export function composeAddressLookups(parts: AddressLookupParts): Addresses {
  const { catalogue, clock, store, addressMemory, memory, reverseAreas, onExpired, watcher } =
    parts;
  return createAddresses({
    clock,
    freshness: catalogue.registers.adresser.freshness,
    coverage: catalogue.registers.adresser.coverage ?? null,
    lands: parts.lands,
    memory: () => addressMemory?.current ?? null,
    onExpired: () => onExpired(ADDRESSES),
    ...(watcher && { watcher }),
    readNearest: (points, radiusM) => readNearestAddresses(store, points, radiusM),
    areas: reverseAreas,
    districts: createPostalDistricts({
      clock,
      freshness: catalogue.areas[POSTAL].freshness,
      read: () => readPostalDistricts(store),
      onExpired: () => onExpired(POSTAL),
      ...(watcher && { watcher }),
    }),
    readMunicipalityNames: async (codes) =>
      memory?.current?.namesOf('kommune') ?? (await storedNames(store, codes)),
  });
}

async function storedNames(
  store: Store,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { areas } = await readAreas(store, 'kommune', codes);
  return new Map(areas.map(({ code, name }) => [code, name]));
}
