import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { FindAccess } from './row-reader.ts';

export interface HeldAddresses {
  readonly generation: number;
  readonly copy: PublishedCopy;
  readonly buffer: SharedArrayBuffer;
}

export interface AccessMemory {
  current(): HeldAddresses | null;
  /** They are published and not in memory. */
  isLacking(): boolean;
  mayAnswer(held: HeldAddresses): boolean;
  readonly findAccess: FindAccess;
}
