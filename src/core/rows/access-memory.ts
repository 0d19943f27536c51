import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { FindAccess } from './row-reader.ts';

/** The addresses in memory, for rows that name an access address. */
export interface HeldAddresses {
  readonly generation: number;
  readonly copy: PublishedCopy;
  readonly buffer: SharedArrayBuffer;
}

export interface AccessMemory {
  /** null: none are in memory. */
  current(): HeldAddresses | null;
  /** Whether they may answer at all, fresh or stale. */
  mayAnswer(held: HeldAddresses): boolean;
  /** Where the lookups of this process read an access address. */
  readonly findAccess: FindAccess;
}
