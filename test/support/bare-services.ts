/** What the edge is handed in a process that answers lookups alone: no keys, no jobs, no operators. */
import { tmpdir } from 'node:os';
import { ThreadCounts } from '../../src/http/thread-report.ts';
import type { ProcessThreads } from '../../src/http/thread-report.ts';
import type { Services } from '../../src/http/services.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';

const counts = new ThreadCounts();

/** One thread that only counts its requests. */
function threadOf(own: ThreadCounts): ProcessThreads {
  const counted = {
    ...{ lookups: new Map(), unlistedCodes: new Map(), hosts: [], metering: null },
    tasks: { hung: 0, oldestS: 0 },
    connections: { busy: 0, idle: 0, waiting: 0 },
  };
  return {
    reports: () =>
      Promise.resolve({
        running: [{ thread: 0, ageS: 0, ...counted, ...own.view() }],
        ended: null,
        hung: 0,
      }),
    read: () => own.begin(),
  };
}

export const BARE_SERVICES = {
  /** Its own for each that takes them all. */
  get limiters() {
    return localLimiters();
  },
  ...{ access: null, accounts: null, trial: null, usage: null, dawa: null },
  ...{ changes: null, jobs: null, jobFiles: null, jobView: null, sharedFiles: null },
  ...{ reads: null, webhooks: null, webhookView: null },
  ...{ operator: null, daysView: null, snapshotFile: null, tiles: null, dawa: null },
  ...{ dataDir: tmpdir(), upstreamKeysEndMs: null },
  ...{ catalogue: REGISTERS_CATALOGUE, jobKinds: new Map() },
  ...{ counts, scrape: null, threads: threadOf(counts) },
  sourceOf: () => 'Opdigtet prøveregister',
  coveredLand: () => Promise.resolve([]),
  isStoreUnavailable: () => false,
  readiness: () => Promise.resolve('ready'),
  hasStarted: () => true,
} satisfies Partial<Services>;
