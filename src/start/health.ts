import type { Services } from '../http/services.ts';
import { copiesInService } from '../memory/loaded.ts';
import type { MemoryIndex } from '../core/memory-index.ts';
import { createHealth } from '../ops/health.ts';
import type { HealthDeps } from '../ops/health.ts';

export interface HealthParts extends Omit<HealthDeps, 'inMemory' | 'hasStarted'> {
  /** The layers first. */
  readonly indexes: readonly Pick<
    MemoryIndex,
    'copies' | 'view' | 'isOpen' | 'isAwaited' | 'hasLooked'
  >[];
  readonly migrated: Promise<void>;
}

export interface Health {
  readonly edge: Pick<Services, 'status' | 'readiness' | 'hasStarted' | 'held'>;
  stop(): Promise<void>;
}

export function composeHealth(parts: HealthParts): Health {
  const { indexes, migrated, outages } = parts;
  let isMigrated = false;
  let hasStarted = false;
  const awaited = indexes.filter((index) => index.isAwaited);
  /** Without its database it answers from files, or waits. */
  const isStarted = () =>
    isMigrated
      ? awaited.every((index) => index.isOpen)
      : outages.isUnavailable && awaited.every((index) => index.isOpen || index.hasLooked);
  migrated.then(
    () => (isMigrated = true),
    () => undefined,
  );
  const { stop, ...edge } = createHealth({
    ...parts,
    inMemory: () => copiesInService(indexes),
    hasStarted: () => (hasStarted ||= isStarted()),
  });
  return { edge, stop };
}
