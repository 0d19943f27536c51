import { readPlans } from '../account/plans.ts';
import { composeJobs } from './jobs.ts';
import { openMemory, openShared } from './memories.ts';
import { servicesOf } from './service.ts';
import type { ComposeOptions } from './service.ts';
import { storeNamesOf } from '../db/store-name.ts';
import { openStore } from '../db/connect.ts';
import { probedClock } from '../db/store-clock.ts';
import { migrateWhenUp } from '../db/migrate.ts';
import type { JobRunner, RunnerTimes } from '../jobs/runner.ts';
import { troubleLog } from '../kernel/log.ts';
import { createWfsClient } from '../wfs/client.ts';
import { untilLoaded } from '../memory/loaded.ts';
import type { Workers } from '../core/tasks/workers.ts';
import { createWorkers } from '../../workers/pool.ts';
import { growHeapBeforeCollecting, lowerProcessPriority } from '../core/tasks/lower-priority.ts';

export interface Work {
  readonly workers: Pick<Workers, 'view'>;
  readonly jobs: JobRunner;
  readonly started: Promise<void>;
  close(): Promise<void>;
}

export interface WorkOptions extends Omit<ComposeOptions, 'operations' | 'open'> {
  readonly times?: Partial<RunnerTimes>;
}

/** Jobs begin once memory is loaded. */
export async function composeWork(given: WorkOptions): Promise<Work> {
  const { config, log, times } = given;
  const { threads, searchRadiusM, dataDir } = config;
  growHeapBeforeCollecting();
  const store = await openStore({ ...config, purpose: 'lookups', log: troubleLog(log, 'store') });
  const clock = probedClock(store, given.clock);
  const options = { ...given, clock };
  const stop = new AbortController();
  const { signal } = stop;
  const workers = createWorkers({ threads, log: troubleLog(log, 'threads') });
  const wfs = createWfsClient({ clock });
  const { databaseUrl } = config;
  const storeNames = await storeNamesOf(databaseUrl, { store, dataDir, isAway: false });
  const { memory, memories, indexes, shared } = openMemory(options, {
    ...{ store, workers, storeNames, shared: openShared(options) },
  });
  const lookups = servicesOf(options, { store, workers, wfs, memory, memories });
  const plans = readPlans(config.plansFile);
  const parts = { store, workers, lookups, memory, plans, clock };
  const isInvented = config.sources === 'sample';
  const settings = { searchRadiusM, threads, dataDir, isInvented, log };
  const jobs = composeJobs({ ...parts, ...settings, ...(times && { times }) });
  const begin = async (): Promise<void> => {
    await migrateWhenUp(store, { log, signal });
    await store.probe();
    for (const index of indexes) index.start();
    await untilLoaded(indexes, signal, () => jobs.noteLoading());
    lowerProcessPriority();
    jobs.start();
  };
  const started = begin();
  started.catch(() => undefined);
  return {
    ...{ workers, jobs, started },
    close: async () => {
      stop.abort();
      await started.catch(() => undefined);
      await jobs.stop();
      await Promise.all(indexes.map((index) => index.stop()));
      await shared?.stop();
      await Promise.all([workers.close(), wfs.close()]);
      await store.close();
    },
  };
}
