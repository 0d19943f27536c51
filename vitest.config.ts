/** Two projects: `unit` needs nothing; `store` gets a real store (TEST_STORE: embedded, postgres). */
import { defineConfig } from 'vitest/config';

const UNIT = ['test/unit/**/*.test.ts', 'test/architecture/**/*.test.ts'];

// Pages are the same whatever lies behind them: they are looked at once.
const PAGES = process.env['TEST_STORE'] === 'postgres' ? ['test/web/**'] : [];

export default defineConfig({
  test: {
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
          exclude: [...UNIT, ...PAGES],
          globalSetup: 'test/support/store-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
