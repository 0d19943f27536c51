/** What the edge is handed in a process that answers lookups alone: no keys, no jobs, no operators. */
import { ThreadCounts } from '../../src/http/thread-report.ts';
import type { Services } from '../../src/http/services.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';

export const BARE_SERVICES = {
  ...{ access: null, accounts: null, trial: null, usage: null, dawa: null },
  ...{ jobs: null, jobFiles: null, jobView: null, webhooks: null, webhookView: null },
  ...{ operator: null, daysView: null, snapshotFile: null, tiles: null, dawa: null },
  ...{ catalogue: REGISTERS_CATALOGUE, jobKinds: new Map() },
  ...{ counts: new ThreadCounts(), scrape: null },
  threads: { reports: () => Promise.resolve({ running: [], ended: null }), read: () => undefined },
  sourceOf: () => 'Opdigtet prøveregister',
  coveredLand: () => Promise.resolve([]),
  isStoreUnavailable: () => false,
  readiness: () => Promise.resolve('ready'),
  hasStarted: () => true,
} satisfies Partial<Services>;
