/** Puts together what is told of the service itself, over the store and what is in memory. */
import type { Services } from '../http/services.ts';
import type { AddressLoader } from '../registers/addresses/load.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { copiesInService } from '../memory/loaded.ts';
import type { PlaceLoader } from '../registers/places/load.ts';
import { createHealth } from '../ops/health.ts';
import type { HealthDeps } from '../ops/health.ts';

export interface HealthParts extends Omit<HealthDeps, 'inMemory' | 'hasStarted'> {
  /** null: nothing answers from memory in this process. */
  readonly memory: Pick<LayerLoader, 'current' | 'isOpen'> | null;
  readonly addressMemory: Pick<AddressLoader, 'current' | 'isOpen'> | null;
  readonly placeMemory?: Pick<PlaceLoader, 'current'> | null;
  readonly migrated: Promise<void>;
}

export interface Health {
  /** What the edge asks of it. */
  readonly edge: Pick<Services, 'status' | 'readiness' | 'hasStarted'>;
  stop(): Promise<void>;
}

export function composeHealth(parts: HealthParts): Health {
  const { memory, addressMemory, migrated } = parts;
  let isMigrated = false;
  migrated.then(
    () => {
      isMigrated = true;
    },
    () => undefined,
  );
  const { stop, ...edge } = createHealth({
    ...parts,
    inMemory: () => copiesInService(parts),
    hasStarted: () => isMigrated && memory?.isOpen !== false && addressMemory?.isOpen !== false,
  });
  return { edge, stop };
}
