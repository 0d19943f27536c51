/** Whether the service can answer anybody (D16). Pure. */

/** What is asked for can be answered, or why nothing can. */
export type Readiness = 'ready' | 'starting' | 'nothing_mirrored' | 'store_unreachable';

export function readinessOf({
  hasStarted,
  isInMemory,
  isInStore,
}: {
  /** Migrated, and the memories are open or known to be off. */
  readonly hasStarted: boolean;
  /** Something mirrored answers without the store. */
  readonly isInMemory: boolean;
  /** The store holds something mirrored; null: it does not answer. */
  readonly isInStore: boolean | null;
}): Readiness {
  if (isInMemory || isInStore === true) return 'ready';
  if (isInStore === null) return 'store_unreachable';
  return hasStarted ? 'nothing_mirrored' : 'starting';
}
