/** Puts the engine of jobs together, over the memory and the lookups that the routes have. */
import { availableParallelism } from 'node:os';
import type { Plans } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import { lineLabels, renderMeta } from '../registers/lines/answer.ts';
import { registerMeta } from '../answers/register-meta.ts';
import type { Services } from '../http/services.ts';
import type { Lookups as JobLookups, KindLabels } from '../jobs/kinds/kind.ts';
import { JobData } from '../jobs/data.ts';
import { concurrencyBeside, fullConcurrency } from '../jobs/concurrency.ts';
import { createJobRunner } from '../jobs/runner.ts';
import type { JobRunner, RunnerTimes } from '../jobs/runner.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { AddressLoader } from '../memory/address-loader.ts';
import type { CoveredLands } from '../memory/covered-lands.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { ActivityProbe } from '../metering/activity-probe.ts';
import { journalDirectory } from '../metering/journal.ts';
import type { Workers } from '../../workers/pool.ts';

export interface JobParts {
  readonly store: Store;
  readonly workers: Pick<Workers, 'jobChunk'>;
  readonly lookups: Pick<Services, 'addresses' | 'properties' | 'catalogue' | 'sourceNames'> &
    Pick<JobLookups, 'buildingLines' | 'reverseAreas'> & { readonly lands?: CoveredLands };
  readonly memory: Pick<LayerLoader, 'current'> | null;
  readonly addressMemory: Pick<AddressLoader, 'current'> | null;
  readonly plans: Plans;
  readonly clock: Clock;
  /** D23. */
  readonly searchRadiusM: number;
  readonly dataDir: string;
  /** Threads that work on chunks. */
  readonly threads: number;
  readonly log: Log;
  /** Somebody else in this process tells that the store is unavailable. */
  readonly isStoreWatched?: boolean;
  /** Instead of what LIMITS says. */
  readonly times?: Partial<RunnerTimes>;
}

/** What the files say of the sources, as the routes do. */
export function jobLabels({
  catalogue,
  sourceNames,
}: Pick<Services, 'catalogue' | 'sourceNames'>): KindLabels {
  const { lines, areas, addresses = 'DAR' } = sourceNames;
  const { coverage: ofAddresses = null } = catalogue.registers.adresser;
  return {
    lines: lineLabels(catalogue, lines),
    areaMeta: JSON.stringify(renderMeta(areas)),
    addressMeta: JSON.stringify(registerMeta(addresses, ofAddresses)),
    addressCoverage: ofAddresses && { name: ofAddresses.name },
  };
}

/** Not yet started. */
export function composeJobs(parts: JobParts): JobRunner {
  const { store, workers, lookups, memory, addressMemory, plans, clock, log } = parts;
  const { catalogue } = lookups;
  const data = new JobData({
    catalogue,
    clock,
    layers: () => memory?.current ?? null,
    addresses: () => addressMemory?.current ?? null,
    ...(lookups.lands && { lands: lookups.lands }),
  });
  const answering = new ActivityProbe(journalDirectory(parts.dataDir));
  // One is being answered while the next is fetched and the last is written.
  const places = parts.threads + 2;
  const full = fullConcurrency(places);
  const beside = concurrencyBeside(places, availableParallelism());
  return createJobRunner({
    store,
    threads: workers,
    lookups,
    data,
    labels: jobLabels(lookups),
    plans,
    clock,
    radiusM: parts.searchRadiusM,
    concurrency: () => (answering.isUnderWay() ? beside : full),
    log,
    isStoreWatched: parts.isStoreWatched === true,
    ...(parts.times && { times: parts.times }),
  });
}
