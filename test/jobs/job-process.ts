/**
 * A front and a worker in one process, for tests that kill it: it listens on a free port, takes jobs
 * and works on them, as `npm start` does. Its parent tells it where everything is.
 */
import { BARE_SERVICES } from '../support/bare-services.ts';
import { flushCompileCache } from 'node:module';
import type { Server } from 'node:net';
import { buildApp } from '../../src/http/app.ts';
import { jobKinds } from '../../src/start/jobs.ts';
import { composeWork } from '../../src/start/worker.ts';
import { servicesOf } from '../../src/start/service.ts';
import { loadConfig } from '../../src/config.ts';
import { openStore } from '../../src/db/connect.ts';
import { createJobFiles } from '../../src/jobs/files/file.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { RunnerTimes } from '../../src/jobs/runner.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { createWorkers } from '../../workers/pool.ts';
import { keptAccess } from '../edge/access.ts';
import { victimSettings } from '../support/crash-kit.ts';

export interface JobProcessSettings {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly upstreamUrl: string;
  readonly plansFile: string;
  readonly owners: readonly { readonly accountId: string; readonly keyId: string }[];
  readonly times: Partial<RunnerTimes>;
}

const { databaseUrl, dataDir, upstreamUrl, plansFile, owners, times } =
  victimSettings() as JobProcessSettings;
const config = loadConfig({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  PLANS_FILE: plansFile,
  LOG_LEVEL: 'silent',
  THREADS: '1',
});
const keys = { cadastre: SAMPLE_API_KEY, dagi: SAMPLE_API_KEY };
const options = {
  config,
  clock: systemClock,
  sources: { catalogue: sampleCatalogue(upstreamUrl), keys },
  // What is told while the database is away is what it should be.
  log: createLogging({ level: 'silent' }).log,
  onExpired: () => undefined,
};
const work = await composeWork({ ...options, times });
const store = await openStore({ databaseUrl, dataDir, log: { error: () => undefined } });
const services = servicesOf(options, {
  store,
  workers: createWorkers({ threads: 1 }),
  wfs: createWfsClient({}),
  memory: null,
});
const access = keptAccess(
  Object.fromEntries(
    owners.map((owner) => [owner.accountId, { ...owner, permission: 'jobs', tier: 'business' }]),
  ),
);
const kinds = jobKinds(services, { isInvented: true });
const app = await buildApp(
  {
    ...BARE_SERVICES,
    ...services,
    status: () => Promise.reject(new Error('Nobody asks here.')),
    access,
    registers: [],
    jobs: createJobs({ store, clock: systemClock, onReady: () => work.jobs.nudge() }),
    jobFiles: createJobFiles(store, kinds),
    jobKinds: kinds,
  },
  { publicUrl: 'https://geo.example', logLevel: 'silent', newRequestId: () => 'fresh-id' },
);
// What is compiled now need not be by those that follow: none of them ends in a good way.
flushCompileCache();
await work.started;
await app.listen({ host: '127.0.0.1', port: 0 });
const address = (app.server as Server).address();
process.send?.(typeof address === 'object' ? address?.port : null);
process.on('disconnect', () => process.exit(0));
