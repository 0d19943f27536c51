/** Puts together what is told of the service itself: how its copies stand, and whether it can answer. */
import type { Store } from '../db/connect.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Services } from '../http/services.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { ADDRESSES } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { AddressLoader } from '../memory/address-loader.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import type { SnapshotSet } from '../memory/snapshot-set.ts';
import { factsWithMemory, readLayerFacts, statusOf } from '../ops/freshness.ts';
import type { CopiesInMemory, LayerState, StoreFacts } from '../ops/freshness.ts';
import { LastKnown } from '../ops/last-known.ts';
import type { Told } from '../ops/last-known.ts';
import { readinessOf } from '../ops/readiness.ts';

export interface HealthParts {
  readonly store: Pick<Store, 'db'>;
  readonly outages: StoreOutages;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** null: nothing answers from memory in this process. */
  readonly memory: Pick<LayerLoader, 'current' | 'isOpen'> | null;
  readonly addressMemory: Pick<AddressLoader, 'current' | 'isOpen'> | null;
  readonly migrated: Promise<void>;
}

export interface Health {
  /** What the edge asks of it. */
  readonly edge: Pick<Services, 'status' | 'readiness' | 'hasStarted'>;
  stop(): Promise<void>;
}

export function composeHealth(parts: HealthParts): Health {
  const { store, outages, catalogue, clock, memory, addressMemory, migrated } = parts;
  const layers = new LastKnown({ read: () => readLayerFacts(store), outages });
  layers.start(LIMITS.lastKnownMs.layers);
  let isMigrated = false;
  migrated.then(
    () => {
      isMigrated = true;
    },
    () => undefined,
  );
  const hasStarted = (): boolean =>
    isMigrated && memory?.isOpen !== false && addressMemory?.isOpen !== false;
  const told = async (): Promise<Told<StoreFacts>> => {
    const copies = copiesInMemory(parts);
    try {
      const { value, ageS } = await layers.get();
      return { value: ageS === null ? value : factsWithMemory(value, copies), ageS };
    } catch (error) {
      if (copies.layers.size === 0) throw error;
      return { value: factsWithMemory(null, copies), ageS: 0 };
    }
  };
  return {
    edge: {
      hasStarted,
      status: async () => {
        const { value, ageS } = await told();
        return { ...statusOf(value, catalogue, clock.nowMs()), knownForS: ageS };
      },
      readiness: async () =>
        readinessOf({
          hasStarted: hasStarted(),
          isInMemory: copiesInMemory(parts).layers.size > 0,
          isInStore: await isInStore(layers),
        }),
    },
    stop: () => layers.stop(),
  };
}

/** null: the store does not answer. */
async function isInStore(layers: LastKnown<StoreFacts>): Promise<boolean | null> {
  try {
    const { value, ageS } = await layers.get();
    if (ageS !== null) return null;
    return [...value.layers.values()].some(({ state }) => state !== null);
  } catch {
    return null;
  }
}

function copiesInMemory({
  memory,
  addressMemory,
}: Pick<HealthParts, 'memory' | 'addressMemory'>): CopiesInMemory {
  const set = memory?.current ?? null;
  const book = addressMemory?.current ?? null;
  const layers = new Map<string, LayerState>(set === null ? [] : statesOf(set));
  if (book !== null) {
    layers.set(ADDRESSES, stateOf(book.copy, book.generation, book.finder.book.accessCount));
  }
  return { generation: Math.max(set?.generation ?? 0, book?.generation ?? 0), layers };
}

function statesOf({ generation, layers }: SnapshotSet): [string, LayerState][] {
  return [...layers].map(([layer, { copy, snapshot }]) => [
    layer,
    stateOf(copy, generation, snapshot.meta.featureCount),
  ]);
}

function stateOf(
  { version, syncedAtMs, held, outdatedAtMs = null }: PublishedCopy,
  generation: number,
  rowCount: number,
): LayerState {
  const hold = held ? { sinceMs: syncedAtMs, by: '' } : null;
  const times = { syncedAtMs, publishedAtMs: syncedAtMs, outdatedAtMs };
  return { version, generation, ...times, rowCount, areaM2: 0, hold };
}
