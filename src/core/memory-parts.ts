import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Workers } from './tasks/workers.ts';
import type { LoaderBase } from './memory-index.ts';

export interface MemoryParts extends LoaderBase {
  readonly store: Store;
  readonly workers: Workers;
  readonly clock: Clock;
}
