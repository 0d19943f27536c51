/** Lookups read from a replica, if one is set. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Store } from '../db/connect.ts';
import { Reads } from '../db/reads.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import { troubleLog } from '../kernel/log.ts';
import { copiesInService } from '../memory/loaded.ts';
import type { MemoryIndex } from '../core/memory-index.ts';

export interface ReadsParts {
  readonly store: Store;
  readonly outages: StoreOutages;
  readonly indexes: readonly MemoryIndex[];
  /** Closed in reverse order. */
  readonly closing: (() => Promise<unknown>)[];
}

/** null: lookups read from the primary. */
export function composeReads(
  { config, log }: { readonly config: Config; readonly log: Logger },
  { store, outages, indexes, closing }: ReadsParts,
): Reads | null {
  const { databaseReadUrl: url, readLagS } = config;
  if (url === null) return null;
  const reads = new Reads({
    ...{ url, store, outages, limitMs: readLagS * 1_000 },
    generation: () => copiesInService(indexes).generation,
    log: troubleLog(log, 'replica'),
  });
  closing.push(() => reads.close());
  return reads;
}

/** Continues while the replica answers. `reads` null: no replica. */
export function readWith(
  reads: Reads | null,
  { store, outages }: Pick<ReadsParts, 'store' | 'outages'>,
): Pick<ReadsParts, 'store' | 'outages'> {
  if (reads === null) return { store, outages };
  const readable = {
    get isUnavailable() {
      return outages.isUnavailable && !reads.isUsed();
    },
    get count() {
      return outages.count;
    },
    failed: (error: unknown) => outages.failed(error),
  };
  return { store: reads.store, outages: readable };
}
