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
  canMeter = true,
}: {
  readonly hasStarted: boolean;
  /** Memory can answer without the store. */
  readonly isInMemory: boolean;
  /** null: it does not answer. */
  readonly isInStore: boolean | null;
  readonly migrationFault: MigrationFault | null;
  /** Absent: none is needed. */
  readonly canKnowCallers?: boolean;
  /** Not before the schema is there. */
  readonly canMeter?: boolean;
}): Readiness {
  if (isInMemory && !canKnowCallers) return 'keys_unknown';
  const isAnswered = isInMemory || (isInStore === true && migrationFault === null);
  if (isAnswered && canMeter) return 'ready';
  if (migrationFault !== null) return migrationFault;
  if (isInStore === null) return 'store_unreachable';
  return hasStarted && canMeter ? 'nothing_mirrored' : 'starting';
}
