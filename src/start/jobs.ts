import { availableParallelism } from 'node:os';
import type { Services } from '../http/services.ts';
import { JobData } from '../jobs/data.ts';
import { concurrencyBeside } from '../jobs/concurrency.ts';
import { JobRunner } from '../jobs/runner.ts';
import type { RunnerOptions } from '../jobs/runner.ts';
import type { ServedRegisters } from '../core/register.ts';
import type { JobKinds } from '../core/rows/kind.ts';
import { jobKindsOf } from '../core/register.ts';
import { REGISTERS } from '../registers.ts';
import { addresses } from '../registers/addresses/register.ts';
import type { CoveredLands } from '../core/land/covered-lands.ts';
import type { MemoryIndex } from '../core/memory-index.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { untilLoaded } from '../memory/loaded.ts';
import { ActivityProbe } from '../metering/activity-probe.ts';
import { journalDirectory } from '../metering/journal.ts';
import type { Workers } from '../core/tasks/workers.ts';

export interface JobParts extends Pick<
  RunnerOptions,
  'store' | 'plans' | 'clock' | 'log' | 'isStoreWatched' | 'times'
> {
  readonly workers: Pick<Workers, 'jobChunk'>;
  readonly lookups: Pick<Services, 'catalogue'> &
    Pick<ServedRegisters, 'lookupsOf'> & { readonly lands?: CoveredLands };
  readonly isInvented: boolean;
  readonly memory: Pick<LayerLoader, 'current'> | null;
  /** D23. */
  readonly searchRadiusM: number;
  readonly dataDir: string;
  readonly threads: number;
}

export function jobKinds(
  { catalogue, lookupsOf }: JobParts['lookups'],
  { isInvented }: Pick<JobParts, 'isInvented'>,
): JobKinds {
  return jobKindsOf(REGISTERS, { catalogue, lookupsOf, isInvented });
}

export function composeJobs(parts: JobParts): JobRunner {
  const { store, workers, lookups, memory, plans, clock, log } = parts;
  const { catalogue, lookupsOf } = lookups;
  const kinds = jobKinds(lookups, parts);
  const data = new JobData({
    catalogue,
    clock,
    layers: () => memory?.current ?? null,
    kinds,
    addresses: lookupsOf(addresses).accesses,
    ...(lookups.lands && { lands: lookups.lands }),
  });
  const answering = new ActivityProbe(journalDirectory(parts.dataDir));
  // One is answered while the next is fetched and the last is written.
  const places = parts.threads + 2;
  const full = { places, rest: 0 };
  const beside = concurrencyBeside(places, availableParallelism());
  return new JobRunner({
    store,
    threads: workers,
    ...{ kinds, data },
    plans,
    clock,
    radiusM: parts.searchRadiusM,
    concurrency: () => (answering.isUnderWay() ? beside : full),
    log,
    isStoreWatched: parts.isStoreWatched === true,
    ...(parts.times && { times: parts.times }),
  });
}

/** Once memory is loaded. Returns what ends it. */
export function startJobs(
  jobs: Pick<JobRunner, 'start' | 'stop' | 'noteLoading'>,
  migrated: Promise<void>,
  indexes: readonly Pick<MemoryIndex, 'isOpen' | 'isAwaited'>[],
): () => Promise<void> {
  const stop = new AbortController();
  const start = async (): Promise<void> => {
    await migrated;
    await untilLoaded(indexes, stop.signal, () => jobs.noteLoading());
    jobs.start();
  };
  start().catch(() => undefined);
  return () => {
    stop.abort();
    return jobs.stop();
  };
}
