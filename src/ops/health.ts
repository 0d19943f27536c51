import type { Store } from '../db/connect.ts';
import type { MigrationFault } from '../db/migration-run.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Clock } from '../kernel/clock.ts';
import { OPS_LIMITS } from './limits.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import { factsWithMemory, readLayerFacts, statusOf } from './freshness.ts';
import type {
  CopiesInMemory,
  HeldInMemory,
  LayerState,
  ServiceStatus,
  StoreFacts,
} from './freshness.ts';
import { LastKnown } from './last-known.ts';
import type { Reported } from './last-known.ts';
import { readinessOf } from './readiness.ts';

export interface CopyInMemory {
  readonly mirror: MirrorId;
  readonly copy: PublishedCopy;
  readonly generation: number;
  readonly rowCount: number;
}

export interface MemoryCopies extends HeldInMemory {
  readonly generation: number;
  readonly copies: readonly CopyInMemory[];
}

export interface HealthDeps {
  readonly store: Pick<Store, 'db'>;
  readonly outages: StoreOutages;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly inMemory: () => MemoryCopies;
  /** The schema exists and memory has checked for versions. */
  readonly hasStarted: () => boolean;
  readonly migrationFault: () => MigrationFault | null;
  readonly canKnowCallers: () => boolean;
  readonly canMeter: () => boolean;
}

/** Starts reading the store periodically. */
export function createHealth(deps: HealthDeps) {
  const { store, outages, catalogue, clock, inMemory, hasStarted } = deps;
  const layers = new LastKnown({ read: () => readLayerFacts(store), outages });
  layers.start(OPS_LIMITS.lastKnownMs.layers);
  const readStore = async (): Promise<Reported<StoreFacts>> => {
    const copies = copiesOf(inMemory());
    try {
      const { value, ageS } = await layers.get();
      return { value: ageS === null ? value : factsWithMemory(value, copies), ageS };
    } catch (error) {
      if (copies.layers.size === 0) throw error;
      return { value: factsWithMemory(null, copies), ageS: 0 };
    }
  };
  return {
    hasStarted,
    held: (): HeldInMemory => inMemory(),
    /** Rejects when neither store nor memory knows. */
    status: async (): Promise<ServiceStatus> => {
      const { value, ageS } = await readStore();
      return { ...statusOf(value, catalogue, clock.nowMs()), knownForS: ageS, memory: inMemory() };
    },
    readiness: async () =>
      readinessOf({
        hasStarted: hasStarted(),
        isInMemory: inMemory().copies.length > 0,
        isInStore: await isInStore(layers),
        migrationFault: deps.migrationFault(),
        canKnowCallers: deps.canKnowCallers(),
        canMeter: deps.canMeter(),
      }),
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

function copiesOf({ generation, copies }: MemoryCopies): CopiesInMemory {
  return { generation, layers: new Map(copies.map((each) => [each.mirror, stateOf(each)])) };
}

function stateOf({ copy, generation, rowCount }: CopyInMemory): LayerState {
  const { version, syncedAtMs, held, outdatedAtMs = null } = copy;
  const hold = held ? { sinceMs: syncedAtMs, by: '' } : null;
  const times = { syncedAtMs, publishedAtMs: syncedAtMs, outdatedAtMs };
  return { version, generation, ...times, rowCount, areaM2: 0, hold };
}
