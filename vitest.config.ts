/** Two projects: `unit` needs nothing; `store` gets a real store (TEST_STORE: embedded, postgres). */
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const UNIT = ['test/unit/**/*.test.ts', 'test/architecture/**/*.test.ts'];

// Pages are the same whatever lies behind them: they are looked at once.
const PAGES = process.env['TEST_STORE'] === 'postgres' ? ['test/web/**'] : [];

/** The edge over services in memory: no store is near, so one pass is all there is to it. */
const EDGE_ALONE = [
  'bad-input',
  'byggelinjer',
  'byggelinjer-batch',
  'catalogue',
  'dagi-area',
  'dagi-reverse',
  'drift',
  'edge',
  'errors',
  'fuzz',
  'keys',
  'public-keys',
  'connection',
  'fast-path',
  'fast-path-differential',
  'skovbyggelinje',
  'status',
].map((name) => `test/http/${name}.test.ts`);

/**
 * Where an independent judge decides, or memory and threads do, and the store is only where the data
 * lies: once is enough, on PostgreSQL where there is one (test/run.ts).
 */
const JUDGED_ONCE =
  process.env['TEST_PASSES'] === 'both' && process.env['TEST_STORE'] === 'embedded'
    ? [
        'test/real/**',
        'test/db/batch-threads.test.ts',
        'test/db/memory-differential.test.ts',
        'test/db/postal-districts.test.ts',
        'test/db/snapshot-judge.test.ts',
        'test/sync/addresses-history.test.ts',
        'test/attacks/**',
        'test/fuzz/**',
        'test/faults/matrix.test.ts',
        'test/db/memory-audit.test.ts',
        'test/db/memory-keeper.test.ts',
        'test/http/examples.test.ts',
        'test/http/memory-swap.test.ts',
        'test/jobs/client.test.ts',
        'test/jobs/model.test.ts',
        ...EDGE_ALONE,
      ]
    : [];

/** Half a minute and more each: begun first, so that none of them is left running alone at the end. */
const SLOWEST = [
  'test/real/mapserver.test.ts',
  'test/faults/kill.test.ts',
  'test/faults/matrix.test.ts',
  'test/web/drift.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/jobs/crash.test.ts',
  'test/metering/crash.test.ts',
  'test/db/embedded.test.ts',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex((path) => moduleId.endsWith(path));
      return found < 0 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    // Each worker of `store` may have an embedded store of about 1 GB beside it.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    projects: [
      { test: { name: 'unit', include: UNIT } },
      {
        test: {
          name: 'store',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, ...PAGES, ...JUDGED_ONCE],
          globalSetup: 'test/support/store-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
