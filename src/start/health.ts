/** Composes status and readiness, over the store and memory. */
import type { Services } from '../http/services.ts';
import { copiesInService } from '../memory/loaded.ts';
import type { MemoryIndex } from '../mirror/memory-index.ts';
import { createHealth } from '../ops/health.ts';
import type { HealthDeps } from '../ops/health.ts';

export interface HealthParts extends Omit<HealthDeps, 'inMemory' | 'hasStarted'> {
  /** All memory indexes, the layers first. */
  readonly indexes: readonly Pick<MemoryIndex, 'copies' | 'view' | 'isOpen' | 'isAwaited'>[];
  readonly migrated: Promise<void>;
}

export interface Health {
  readonly edge: Pick<Services, 'status' | 'readiness' | 'hasStarted'>;
  stop(): Promise<void>;
}

export function composeHealth(parts: HealthParts): Health {
  const { indexes, migrated } = parts;
  let isMigrated = false;
  migrated.then(
    () => {
      isMigrated = true;
    },
    () => undefined,
  );
  const { stop, ...edge } = createHealth({
    ...parts,
    inMemory: () => copiesInService(indexes),
    hasStarted: () => isMigrated && indexes.every((index) => index.isOpen || !index.isAwaited),
  });
  return { edge, stop };
}
