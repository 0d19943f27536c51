import type { Store } from '../db/connect.ts';
import { NO_OUTAGES } from '../db/store-watch.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import { monotonicClock } from '../kernel/clock.ts';
import { cacheByBytes } from '../kernel/cache.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Coverage } from '../layers/coverage.ts';
import { coveredLand } from '../core/land/covered-land.ts';
import { createTiles } from '../memory/tiles.ts';
import type { Tiles } from '../memory/tiles.ts';
import { CoveredLands } from '../core/land/covered-lands.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { Memories, composeRegisters } from '../core/register.ts';
import type { RegisterParts } from '../core/register.ts';
import { LAYERS, REGISTERS } from '../registers.ts';
import type { WfsClient } from '../wfs/client.ts';
import { createHostGate } from '../wfs/hosts.ts';
import type { HostGate } from '../wfs/hosts.ts';
import { createLiveWfs } from '../wfs/live.ts';
import type { Workers } from '../core/tasks/workers.ts';

export interface LookupParts {
  readonly store: Store;
  readonly workers: Workers;
  readonly wfs: WfsClient;
  /** null: every lookup asks the store (`LOOKUPS=store`). */
  readonly memory: LayerLoader | null;
  readonly memories?: Memories;
  /** Circuit breakers of the live registers; default: its own. */
  readonly gate?: HostGate;
  readonly watcher?: RegisterParts['watcher'];
  readonly limiters?: Limiters;
  /** Absent: the store is not watched. */
  readonly outages?: StoreOutages;
}

export interface LookupOptions extends Pick<
  RegisterParts,
  | 'catalogue'
  | 'keys'
  | 'clock'
  | 'onExpired'
  | 'searchRadiusM'
  | 'log'
  | 'login'
  | 'isInvented'
  | 'settings'
> {
  readonly liveCoverages: readonly Coverage[];
}

function composeLands(
  { catalogue, liveCoverages }: LookupOptions,
  { store, memory }: LookupParts,
): CoveredLands {
  return new CoveredLands({
    ...{ catalogue, clock: monotonicClock, liveCoverages },
    memory: () => memory?.current ?? null,
    readMunicipalities: async (codes) => {
      const lands = LAYERS.flatMap(({ landOf }) => landOf?.(store, codes) ?? []);
      return (await Promise.all(lands)).flat();
    },
  });
}

const UNWATCHED = { answered: () => undefined, originFailed: () => undefined };

export function composeLookups(options: LookupOptions, parts: LookupParts) {
  const { store, workers, wfs, memory, outages = NO_OUTAGES, watcher = UNWATCHED } = parts;
  const {
    gate = createHostGate({ clock: monotonicClock }),
    memories = new Memories(),
    limiters,
  } = parts;
  const lands = composeLands(options, parts);
  const unlistedCodes = new Map<string, number>();
  const common: Omit<RegisterParts, 'lookupsOf'> = {
    ...{ ...options, store, workers, lands, gate, watcher },
    live: createLiveWfs(wfs, gate, limiters),
    limiters,
    isStoreUnavailable: () => outages.isUnavailable,
    layers: () => memory?.current ?? null,
    onUnlistedCode: (list) => void unlistedCodes.set(list, (unlistedCodes.get(list) ?? 0) + 1),
  };
  const { served: registers, lookupsOf } = composeRegisters(REGISTERS, common, memories);
  return {
    ...{ registers, lookupsOf, lands, unlistedCodes },
    coveredLand: () => coveredLand(lands),
    tiles: memory && tilesOf(memory, common),
  };
}

function tilesOf(memory: LayerLoader, parts: Omit<RegisterParts, 'lookupsOf'>): Tiles {
  const { catalogue, clock, onExpired, workers: threads } = parts;
  return createTiles({
    ...{ catalogue, clock, onExpired, threads },
    memory: () => memory.current,
    fileOf: (layer) => memory.pathInService(layer, 'fgb'),
    cut: cacheByBytes(
      LIMITS.kort.cacheBytes,
      ({ gzipped }) => LIMITS.kort.cachedTileBytes + gzipped.byteLength,
    ),
  });
}
