import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Services } from '../http/services.ts';
import { countsOf } from '../http/thread-report.ts';
import { HistoryRecorder, createStatusHistory } from '../http/v1/status/history.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ThreadRole } from './thread-role.ts';

/** One thread measures for all of the process (D218). */
export function measureStatus(
  options: {
    readonly config: Pick<Config, 'dataDir'>;
    readonly clock: Clock;
    readonly role?: ThreadRole;
  },
  services: Pick<Services, 'threads' | 'status' | 'isStoreUnavailable'>,
): { readonly edge: Pick<Services, 'statusHistory'>; readonly stop: () => Promise<void> } {
  const { config, clock, role } = options;
  const path = join(config.dataDir, 'status-history.json');
  const requests = async () => countsOf(await services.threads.reports()).requests;
  const recorder =
    role?.kind !== 'other'
      ? new HistoryRecorder(path, {
          ...{ clock, requests, status: () => services.status() },
          isStoreUnavailable: services.isStoreUnavailable,
        })
      : null;
  recorder?.start();
  return {
    edge: { statusHistory: createStatusHistory(path, clock) },
    stop: async () => await recorder?.stop(),
  };
}
