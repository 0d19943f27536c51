/** The registers and the lookups over them: a store, memory and live sources. */
import { composeAddressLookups } from './address-lookups.ts';
import type { Store } from '../db/connect.ts';
import { NO_OUTAGES } from '../db/store-watch.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Services } from '../http/services.ts';
import type { Coverage } from '../layers/coverage.ts';
import type { AddressesInMemory } from '../memory/address-copy.ts';
import { CoveredLands } from '../memory/covered-lands.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import type { PlacesInMemory } from '../memory/place-loader.ts';
import type { PropertyLoader } from '../memory/property-loader.ts';
import { composeRegisters } from '../mirror/register.ts';
import type { RegisterParts, ServedRegisters } from '../mirror/register.ts';
import { REGISTERS } from '../registers.ts';
import { areas } from '../registers/areas/register.ts';
import type { AreaLookups } from '../registers/areas/compose.ts';
import { readAreaGeometry, readAreas } from '../registers/areas/store.ts';
import type { LineLookups } from '../registers/lines/compose.ts';
import { lines } from '../registers/lines/register.ts';
import { coveredLand } from '../lookups/covered-land.ts';
import type { WfsClient } from '../wfs/client.ts';
import { createHostGate } from '../wfs/hosts.ts';
import type { HostGate } from '../wfs/hosts.ts';
import { createLiveWfs } from '../wfs/live.ts';
import type { Workers } from '../../workers/pool.ts';
import { composePlaceLookups } from './place-lookups.ts';
import { composeParcelTiles, composeTiles } from './tiles.ts';

/** The opened parts that lookups stand on. */
export interface LookupParts {
  readonly store: Store;
  readonly workers: Workers;
  readonly wfs: WfsClient;
  /** The memory rung; null: every lookup asks the store (`LOOKUPS=store`). */
  readonly memory: LayerLoader | null;
  /** The addresses in memory; absent or null: only the store knows any. */
  readonly addressMemory?: {
    readonly current: (AddressesInMemory & { readonly buffer?: SharedArrayBuffer }) | null;
  } | null;
  /** The file of properties; absent or null: the store alone answers. */
  readonly propertyMemory?: Pick<PropertyLoader, 'current' | 'suspend'> | null;
  /** The place names in memory; absent or null: their texts cannot be looked for. */
  readonly placeMemory?: { readonly current: PlacesInMemory | null } | null;
  /** Breakers of the live registers; its own when absent. */
  readonly gate?: HostGate;
  readonly watcher?: RegisterParts['watcher'];
  /** Whether the store is unavailable; absent: nobody watches over it. */
  readonly outages?: StoreOutages;
}

/** Settings and sources of lookups. */
export interface LookupOptions extends Pick<
  RegisterParts,
  'catalogue' | 'keys' | 'clock' | 'onExpired' | 'searchRadiusM' | 'log' | 'login' | 'isInvented'
> {
  /** Of the WCS of the terrain; null: the country. */
  readonly terrainCoverage: Coverage | null;
}

/** What sources cover, over memory and the store. */
function composeLands(
  { catalogue, clock, terrainCoverage }: LookupOptions,
  { store, memory }: LookupParts,
): CoveredLands {
  return new CoveredLands({
    ...{ catalogue, clock, terrainCoverage },
    memory: () => memory?.current ?? null,
    readMunicipalities: async (codes) => {
      const { areas: found } = await readAreas(store, 'kommune', codes);
      const read = await Promise.all(found.map((area) => readAreaGeometry(store, area)));
      return read.filter((wkb) => wkb !== null);
    },
  });
}

type LookedUp = Pick<Services, 'coveredLand' | 'tiles' | 'parcelTiles' | 'addresses' | 'places'> & {
  readonly registers: ServedRegisters['served'];
  readonly lands: CoveredLands;
} & LineLookups &
  AreaLookups;

const UNWATCHED = { answered: () => undefined, originFailed: () => undefined };

/** The lookups over a store and the live registers, with breakers and live answers of their own. */
export function composeLookups(options: LookupOptions, parts: LookupParts): LookedUp {
  const { clock } = options;
  const { store, workers, wfs, memory, outages = NO_OUTAGES, watcher = UNWATCHED } = parts;
  const { gate = createHostGate({ clock }) } = parts;
  const lands = composeLands(options, parts);
  const { served: registers, lookupsOf } = composeRegisters(REGISTERS, {
    ...{ ...options, store, workers, lands, gate, watcher },
    live: createLiveWfs(wfs, gate),
    isStoreUnavailable: () => outages.isUnavailable,
    layers: () => memory?.current ?? null,
  });
  const common = { ...options, lands, watcher, store };
  const ofAreas = lookupsOf(areas);
  const { addressMemory = null, placeMemory = null } = parts;
  return {
    ...{ registers, lands, ...lookupsOf(lines), ...ofAreas },
    coveredLand: () => coveredLand(lands),
    ...(memory !== null && { tiles: composeTiles(memory, { ...common, threads: workers }) }),
    parcelTiles: composeParcelTiles(store, { ...common, threads: workers }),
    addresses: composeAddressLookups({ ...common, ...ofAreas, addressMemory, memory }),
    places: composePlaceLookups({ ...common, placeMemory }),
  };
}
