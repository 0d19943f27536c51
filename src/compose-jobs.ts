/** Puts the engine of jobs together, over the memory and the lookups that the routes have. */
import type { Plans } from './account/plans.ts';
import type { Store } from './db/connect.ts';
import { lineWords, renderMeta } from './http/v1/natur/render.ts';
import type { Services } from './http/services.ts';
import { JobData } from './jobs/data.ts';
import { createJobRunner } from './jobs/runner.ts';
import type { JobRunner } from './jobs/runner.ts';
import type { Clock } from './kernel/clock.ts';
import type { AddressKeeper } from './lookups/address-keeper.ts';
import type { SnapshotKeeper } from './lookups/snapshot-keeper.ts';
import type { Workers } from '../workers/pool.ts';

export interface JobParts {
  readonly store: Store;
  readonly workers: Pick<Workers, 'jobChunk'>;
  readonly lookups: Pick<
    Services,
    'buildingLines' | 'reverseAreas' | 'addresses' | 'catalogue' | 'sourceNames'
  >;
  readonly memory: Pick<SnapshotKeeper, 'current'> | null;
  readonly addressMemory: Pick<AddressKeeper, 'current'> | null;
  readonly plans: Plans;
  readonly clock: Clock;
  /** D23. */
  readonly searchRadiusM: number;
  /** Threads that work on chunks. */
  readonly threads: number;
  readonly log: (message: string) => void;
}

/** Not yet started. */
export function composeJobs(parts: JobParts): JobRunner {
  const { store, workers, lookups, memory, addressMemory, plans, clock, log } = parts;
  const { catalogue, sourceNames } = lookups;
  const { addresses = 'DAR' } = sourceNames;
  const data = new JobData({
    catalogue,
    clock,
    layers: () => memory?.current ?? null,
    addresses: () => addressMemory?.current ?? null,
  });
  return createJobRunner({
    store,
    threads: workers,
    lookups,
    data,
    words: {
      lines: lineWords(catalogue, sourceNames.lines),
      areaMeta: JSON.stringify(renderMeta(sourceNames.areas)),
      addressMeta: JSON.stringify(renderMeta(addresses)),
    },
    plans,
    clock,
    radiusM: parts.searchRadiusM,
    // One is being answered while the next is fetched and the last is written.
    places: parts.threads + 2,
    log,
  });
}
