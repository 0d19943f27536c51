/** Whether the service can answer (D16). */

import type { MigrationFault } from '../db/migration-run.ts';

export type Readiness =
  | 'ready'
  | 'starting'
  | 'nothing_mirrored'
  | 'store_unreachable'
  | 'keys_unknown'
  | MigrationFault;

export function readinessOf({
  hasStarted,
  isInMemory,
  isInStore,
  migrationFault,
  canKnowCallers = true,
}: {
  readonly hasStarted: boolean;
  /** Memory can answer without the store. */
  readonly isInMemory: boolean;
  /** null: it does not answer. */
  readonly isInStore: boolean | null;
  readonly migrationFault: MigrationFault | null;
  /** Absent: none is needed. */
  readonly canKnowCallers?: boolean;
}): Readiness {
  if (isInMemory && !canKnowCallers) return 'keys_unknown';
  if (isInMemory || (isInStore === true && migrationFault === null)) return 'ready';
  if (migrationFault !== null) return migrationFault;
  if (isInStore === null) return 'store_unreachable';
  return hasStarted ? 'nothing_mirrored' : 'starting';
}
