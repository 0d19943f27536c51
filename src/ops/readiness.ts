/** Whether the service can answer (D16). */

/** Ready, or why nothing can be answered. */
export type Readiness = 'ready' | 'starting' | 'nothing_mirrored' | 'store_unreachable';

export function readinessOf({
  hasStarted,
  isInMemory,
  isInStore,
}: {
  /** Migrated, and memory is open or known to be off. */
  readonly hasStarted: boolean;
  /** Memory can answer without the store. */
  readonly isInMemory: boolean;
  /** The store has mirrored data; null: it does not answer. */
  readonly isInStore: boolean | null;
}): Readiness {
  if (isInMemory || isInStore === true) return 'ready';
  if (isInStore === null) return 'store_unreachable';
  return hasStarted ? 'nothing_mirrored' : 'starting';
}
