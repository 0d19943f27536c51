/** The lookups of layers, addresses and place names over a store, memory and the live registers. */
import { composeAddressLookups } from './address-lookups.ts';
import type { Config } from '../config.ts';
import type { Store } from '../db/connect.ts';
import { NO_OUTAGES } from '../db/store-watch.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Services } from '../http/services.ts';
import { cacheByBytes } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { Coverage } from '../layers/coverage.ts';
import type { Logger } from 'pino';
import type { MirrorId } from '../layers/keys.ts';
import type { AddressesInMemory } from '../memory/address-copy.ts';
import type { PlacesInMemory } from '../memory/place-loader.ts';
import { composePlaceLookups } from './place-lookups.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import type { PropertyLoader } from '../memory/property-loader.ts';
import { CoveredLands } from '../memory/covered-lands.ts';
import { createAreas } from '../lookups/areas.ts';
import { createBuildingLines } from '../lookups/building-lines.ts';
import { coveredLand } from '../lookups/covered-land.ts';
import { createLinePages } from '../lookups/line-pages.ts';
import { createReverseAreas } from '../lookups/reverse-areas.ts';
import type { Watcher } from '../answers/answer.ts';
import { createLineOrigin } from '../registers/building-lines/origin.ts';
import { readLines } from '../registers/building-lines/store.ts';
import { createAreaOrigin } from '../registers/dagi/origin.ts';
import { readAreaGeometry, readAreas, readCoveringAreas } from '../registers/dagi/store.ts';
import type { WfsClient } from '../wfs/client.ts';
import { createHostGate } from '../wfs/hosts.ts';
import type { HostGate } from '../wfs/hosts.ts';
import { createLiveWfs } from '../wfs/live.ts';
import type { Workers } from '../../workers/pool.ts';
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
  readonly watcher?: Watcher;
  /** Whether the store is unavailable; absent: nobody watches over it. */
  readonly outages?: StoreOutages;
}

/** What lookups are told beside their parts. */
export interface LookupOptions {
  readonly catalogue: Catalogue;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly clock: Clock;
  /** Told of a layer whose copy is past its freshness limit while someone asks for it. */
  readonly onExpired: (layer: MirrorId) => void;
  readonly searchRadiusM: Config['searchRadiusM'];
  /** Of the WCS of the terrain; null or absent: the country. */
  readonly terrainCoverage?: Coverage | null;
  /** Told of a file that cannot be read. */
  readonly log?: Pick<Logger, 'error'>;
}

/** What sources cover, over memory and the store. */
function composeLands({
  store,
  memory,
  ...options
}: Pick<LookupOptions, 'catalogue' | 'clock'> & {
  readonly terrainCoverage: Coverage | null;
} & Pick<LookupParts, 'store' | 'memory'>): CoveredLands {
  return new CoveredLands({
    ...options,
    memory: () => memory?.current ?? null,
    readMunicipalities: async (codes) => {
      const { areas } = await readAreas(store, 'kommune', codes);
      const read = await Promise.all(areas.map((area) => readAreaGeometry(store, area)));
      return read.filter((wkb) => wkb !== null);
    },
  });
}

type LookedUp = Pick<
  Services,
  | 'coveredLand'
  | 'buildingLines'
  | 'linePages'
  | 'tiles'
  | 'parcelTiles'
  | 'areas'
  | 'reverseAreas'
  | 'addresses'
  | 'places'
> & { readonly lands: CoveredLands };

/** The lookups over a store and the live registers, with breakers and live answers of their own. */
export function composeLookups(
  { catalogue, keys, clock, onExpired, searchRadiusM, log, terrainCoverage = null }: LookupOptions,
  {
    store,
    workers,
    wfs,
    memory,
    addressMemory = null,
    placeMemory = null,
    gate,
    watcher,
    outages = NO_OUTAGES,
  }: LookupParts,
): LookedUp {
  const live = createLiveWfs(wfs, gate ?? createHostGate({ clock }));
  const origin = { live, keys, workers, searchRadiusM };
  const areaOrigin = createAreaOrigin(origin);
  const lands = composeLands({ catalogue, clock, terrainCoverage, store, memory });
  const common = { catalogue, clock, onExpired, lands, ...(watcher && { watcher }) };
  const inMemory = { memory: () => memory?.current ?? null };
  const reverseAreas = createReverseAreas({
    ...{ ...common, ...inMemory },
    readStore: (points) =>
      readCoveringAreas(
        store,
        points.map(({ utm32 }) => utm32),
      ),
    askOrigin: (theme, point, asking) => areaOrigin.covering(catalogue.areas[theme], point, asking),
  });
  return {
    lands,
    coveredLand: () => coveredLand(lands),
    buildingLines: createBuildingLines({
      ...{ ...common, ...inMemory, searchRadiusM },
      readStore: (question) => readLines(store, question),
      askOrigin: createLineOrigin(origin),
    }),
    linePages: createLinePages({ ...common, ...inMemory, searchRadiusM, threads: workers }),
    ...(memory !== null && { tiles: composeTiles(memory, { ...common, threads: workers }) }),
    parcelTiles: composeParcelTiles(store, { ...common, threads: workers }),
    areas: createAreas({
      ...{ ...common, ...inMemory },
      isStoreUnavailable: () => outages.isUnavailable,
      readStore: (theme, codes) => readAreas(store, theme, codes),
      readGeometry: (area) => readAreaGeometry(store, area),
      askOrigin: (theme, code, asking) => areaOrigin.byCode(catalogue.areas[theme], code, asking),
      render: (wkb) => workers.renderArea({ wkb }),
      rendered: cacheByBytes(LIMITS.renderedAreaBytes, (piece) => piece.deflated.byteLength),
    }),
    reverseAreas,
    addresses: composeAddressLookups({ ...common, store, addressMemory, memory, reverseAreas }),
    places: composePlaceLookups({ ...common, store, placeMemory, ...(log && { log }) }),
  };
}
