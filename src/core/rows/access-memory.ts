import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { FindAccess } from './row-reader.ts';

/** For rows that name an access address. */
export interface HeldAddresses {
  readonly generation: number;
  readonly copy: PublishedCopy;
  readonly buffer: SharedArrayBuffer;
}

export interface AccessMemory {
  /** null: none are in memory. */
  current(): HeldAddresses | null;
  /** Fresh or stale. */
  mayAnswer(held: HeldAddresses): boolean;
  readonly findAccess: FindAccess;
}
