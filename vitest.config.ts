/**
 * What runs where follows from the folder:
 *
 * - `unit`: test/unit. Nothing but the code.
 * - `edge`: test/edge, test/contract. The service over lookups in memory; no store is near.
 * - `store`: every other folder. On PostgreSQL where one serves, else on the embedded store;
 *   TEST_STORE (`postgres`, `embedded`) says which. `npm test` on the embedded store runs the core of
 *   test/store-contract by day.
 * - `embedded`: test/store-contract, what must hold on both stores. On the embedded store, where `store`
 *   is on PostgreSQL; by day without what is the same SQL for both and slow there.
 */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { compileCache } from './test/support/compile-cache.ts';
import { POSTGRES_ENV, findPostgres } from './test/support/postgres-binaries.ts';
import { HANG_MS, isEmbeddedCore, isHeavy } from './test/support/run-settings.ts';
import { useScratchInMemory } from './test/support/scratch.ts';

/** The workers of the tests and the programs they start have it from here. */
process.env['NODE_COMPILE_CACHE'] ??= compileCache();
useScratchInMemory();
/** The threads that give way to lookups do not give way to the other files of the run (its `chrt`). */
const STAND_INS = join(import.meta.dirname, 'test/support/bin');
if (process.env['PATH']?.startsWith(STAND_INS) !== true) {
  process.env['PATH'] = `${STAND_INS}:${process.env['PATH'] ?? ''}`;
}

const UNIT = ['test/unit/**/*.test.ts'];
const EDGE = ['test/edge/**/*.test.ts', 'test/contract/**/*.test.ts'];
const CONTRACT = ['test/store-contract/**/*.test.ts'];

/** Some 500 s of the embedded store: statements that it has shared with PostgreSQL since they were written. */
const EMBEDDED_BY_NIGHT = [
  'address-answers',
  'addresses',
  'area-repair',
  'changes',
  'conditions',
  'coverage',
  'folding',
  'history-revert',
  'http',
  'jobs',
  'layer-past',
  'lines',
  'migrate',
  'parcel-tiles',
  'parcels',
  'places-http',
  'property',
  'property-file',
  'property-http',
  'property-registers',
  'quota',
  'registers',
  'run-claim',
  'sessions',
  'tiles',
  'unread-rows',
  'unreadable-features',
  'webhooks',
  'webhooks-http',
].map((name) => `test/store-contract/${name}.test.ts`);

/**
 * The rest of test/store-contract is the core: every statement of a lookup, a publication, accounts, jobs
 * and webhooks runs in it. A machine with the embedded store alone runs that by day, in some two minutes.
 */
const NOT_CORE = [
  'embedded',
  'folding',
  'history-revert',
  'http',
  'migrate',
  'places-http',
  'property-file',
  'unread-rows',
  'webhooks-http',
].map((name) => `test/store-contract/${name}.test.ts`);

/** What other files of the gate try as well, with less: half a minute of two cores each. */
const BY_NIGHT = [
  // Dumps, a base backup and an upgrade under load: what they rest on has tests of its own by day.
  'test/db/backup.test.ts',
  'test/db/upgrade.test.ts',
  // Half a minute of waiting: the gate's smoke run has the README's part.
  'test/db/first-day.test.ts',
  // Kills at one step of a run; test/faults/kill.test.ts has one at each step by day.
  'test/faults/property-kill.test.ts',
  // Kills of who compares: test/watch/comparing.test.ts has two that compare at a time, webhooks/crash.test.ts kills who sends.
  'test/watch/crash.test.ts',
  // An outage at the instant of a change: test/http/store-outage.test.ts cuts and freezes the store.
  'test/http/dated-outage.test.ts',
  // A busy machine does not tell how long one waits: test/edge/connection.test.ts has the limits.
  'test/attacks/floods.test.ts',
  // test/jobs/crash.test.ts compares the bill with the answers as well.
  'test/metering/crash.test.ts',
  // Half a minute of a browser: kort.test.ts hatches what does not come by day.
  'test/web/kort-trouble.test.ts',
  // A promotion under load, some minutes: test/db/replica.test.ts and test/store-contract/run-claim.test.ts by day.
  'test/db/failover.test.ts',
  // A real Prometheus: test/http/examples.test.ts has the names of the metrics.
  'test/http/alerts.test.ts',
  'test/http/alerts-process.test.ts',
  'test/http/monitoring.test.ts',
  // A whole service: `key-echoed` of test/faults/matrix.test.ts looks for a key in all that a reading says, files.test.ts likewise.
  'test/sync/secrets.test.ts',
  // Real rows, column by column: test/real/property.test.ts has their records.
  'test/real/buildings.test.ts',
];

/** An outage under load, of every lookup: seconds tell, which other files would take. A part of the night of its own. */
const ALONE = ['test/db/silent-line.test.ts'];

/** Looked for once; the workers have it from here. */
const postgres = (process.env[POSTGRES_ENV] ??= findPostgres() ?? '');
const hasPostgres = (process.env['TEST_DATABASE_URL'] ?? '') !== '' || postgres !== '';
const store = process.env['TEST_STORE'] ?? (hasPostgres ? 'postgres' : 'embedded');
const onPostgres = store === 'postgres';

/** A third of a minute and more each: begun first, so that none of them is left running alone at the end. */
const SLOWEST = 'test/web/kort.test.ts';
const SLOWEST_OF_UNIT = ['test/unit/hanging-tasks.test.ts', 'test/unit/request-threads.test.ts'];
const SLOWEST_OF_STORE = [
  'test/http/store-outage.test.ts',
  'test/db/first-start.test.ts',
  'test/real/mapserver.test.ts',
  'test/web/drift.test.ts',
  'test/faults/matrix.test.ts',
  'test/web/forside.test.ts',
  'test/web/docs.test.ts',
  'test/threads/request-threads.test.ts',
  'test/jobs/engine.test.ts',
  'test/store-contract/unreadable-features.test.ts',
  'test/web/forhold.test.ts',
  'test/deploy/image.test.ts',
  'test/replication/paths.test.ts',
  'test/real/property.test.ts',
  'test/http/shared-keys.test.ts',
  'test/attacks/idle-connections.test.ts',
];

/**
 * A worker goes on with the next file where that is of its own lane, and else ends, and what it has loaded and
 * compiled with it: each lane is one stretch.
 */
class LaneByLane extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ofStore = [SLOWEST, 'embedded', ...SLOWEST_OF_STORE, 'store'];
    const ORDER = [...ofStore, 'edge', ...SLOWEST_OF_UNIT, 'unit'];
    const place = ({ moduleId, project }: TestSpecification): number => {
      const found = ORDER.findIndex((path) => path.startsWith('test/') && moduleId.endsWith(path));
      return found < 0 ? ORDER.indexOf(project.name) : found;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** The limits are what only a hang takes, on however busy a machine; amounts of the night take longer. */
const COMMON = {
  setupFiles: ['test/support/fast-check-setup.ts'],
  testTimeout: isHeavy ? 1_800_000 : 300_000,
  hookTimeout: isHeavy ? 1_800_000 : 300_000,
  expect: { poll: { timeout: 2 * HANG_MS } },
};
const withStore = { ...COMMON, globalSetup: 'test/support/store-setup.ts' };

export default defineConfig({
  test: {
    sequence: { sequencer: LaneByLane },
    // Node loads what is tested as it does in service, from its compile cache: a second of the processor less
    // for each worker than Vite's runner takes, which transforms and compiles every module anew.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Many files wait for a server or a process half of their time. A worker may have an embedded
    // store of about 1 GB beside it.
    maxWorkers: isEmbeddedCore ? 3 : 5,
    projects: [
      // A file leaves nothing behind that the next one sees: the modules are loaded once for all of a
      // worker's files, a third of the work of the first two lanes and a second a file of the others.
      { test: { ...COMMON, name: 'unit', include: UNIT, isolate: false } },
      { test: { ...COMMON, name: 'edge', include: EDGE, isolate: false } },
      {
        test: {
          ...withStore,
          name: 'store',
          include: isEmbeddedCore ? CONTRACT : ['test/**/*.test.ts'],
          isolate: false,
          exclude: [
            ...UNIT,
            ...EDGE,
            ...ALONE,
            ...(isHeavy ? [] : BY_NIGHT),
            ...(isEmbeddedCore ? NOT_CORE : []),
          ],
          env: { TEST_STORE: store },
        },
      },
      ...(isHeavy
        ? [{ test: { ...withStore, name: 'alone', include: ALONE, env: { TEST_STORE: store } } }]
        : []),
      ...(onPostgres
        ? [
            {
              test: {
                ...withStore,
                name: 'embedded',
                include: CONTRACT,
                isolate: false,
                exclude: isHeavy ? [] : EMBEDDED_BY_NIGHT,
                env: { TEST_STORE: 'embedded' },
              },
            },
          ]
        : []),
    ],
  },
});
