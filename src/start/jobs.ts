import { availableParallelism } from 'node:os';
import type { Plans } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import { lineLabels, renderMeta } from '../registers/lines/answer.ts';
import { registerMeta } from '../answers/register-meta.ts';
import type { Services } from '../http/services.ts';
import type { KindLabels } from '../jobs/kinds/kind.ts';
import { JobData } from '../jobs/data.ts';
import { concurrencyBeside, fullConcurrency } from '../jobs/concurrency.ts';
import { createJobRunner } from '../jobs/runner.ts';
import type { JobRunner, RunnerTimes } from '../jobs/runner.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { ServedRegisters } from '../mirror/register.ts';
import { addresses } from '../registers/addresses/register.ts';
import { areas } from '../registers/areas/register.ts';
import { lines } from '../registers/lines/register.ts';
import { property } from '../registers/property/register.ts';
import type { CoveredLands } from '../memory/covered-lands.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { ActivityProbe } from '../metering/activity-probe.ts';
import { journalDirectory } from '../metering/journal.ts';
import type { Workers } from '../../workers/pool.ts';

export interface JobParts {
  readonly store: Store;
  readonly workers: Pick<Workers, 'jobChunk'>;
  readonly lookups: Pick<Services, 'catalogue' | 'sourceNames'> &
    Pick<ServedRegisters, 'lookupsOf'> & { readonly lands?: CoveredLands };
  readonly memory: Pick<LayerLoader, 'current'> | null;
  readonly plans: Plans;
  readonly clock: Clock;
  /** D23. */
  readonly searchRadiusM: number;
  readonly dataDir: string;
  readonly threads: number;
  readonly log: Log;
  /** Something else in this process already reports an unavailable store. */
  readonly isStoreWatched?: boolean;
  readonly times?: Partial<RunnerTimes>;
}

export function jobLabels({
  catalogue,
  sourceNames,
}: Pick<Services, 'catalogue' | 'sourceNames'>): KindLabels {
  const { lines: ofLines, areas: ofAreas, addresses: ofDar } = sourceNames;
  const { coverage = null } = catalogue.registers.adresser;
  return {
    lines: lineLabels(catalogue, ofLines),
    areaMeta: JSON.stringify(renderMeta(ofAreas)),
    addressMeta: JSON.stringify(registerMeta(ofDar, coverage)),
    addressCoverage: coverage && { name: coverage.name },
  };
}

export function composeJobs(parts: JobParts): JobRunner {
  const { store, workers, lookups, memory, plans, clock, log } = parts;
  const { catalogue, lookupsOf } = lookups;
  const ofAddresses = lookupsOf(addresses);
  const data = new JobData({
    catalogue,
    clock,
    layers: () => memory?.current ?? null,
    addresses: ofAddresses.addressesInMemory,
    ...(lookups.lands && { lands: lookups.lands }),
  });
  const answering = new ActivityProbe(journalDirectory(parts.dataDir));
  // One is answered while the next is fetched and the last is written.
  const places = parts.threads + 2;
  const full = fullConcurrency(places);
  const beside = concurrencyBeside(places, availableParallelism());
  return createJobRunner({
    store,
    threads: workers,
    lookups: {
      ...{ ...lookupsOf(lines), ...lookupsOf(areas), ...lookupsOf(property) },
      addresses: ofAddresses.addresses,
    },
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
