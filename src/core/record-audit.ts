import type { MirrorId } from '../layers/keys.ts';
import type { Random } from '../snapshot/probes.ts';

export interface RecordAudit {
  readonly mirror: MirrorId;
  readonly isInService: () => boolean;
  /**
   * null: nothing is in memory, the versions differ, or a row has begun or ended since. Throws when
   * the store does not answer.
   */
  readonly compare: (random: Random, nowMs: number) => Promise<ComparedRecords | null>;
}

export interface ComparedRecords {
  readonly compared: number;
  readonly differences: readonly unknown[];
  readonly version: number;
  /** Leaves the records to the store; false: they are not in service. */
  readonly takeOut: () => boolean;
}
