/**
 * `npm test`: the suite on every store this machine can run. The embedded store always; a private
 * PostgreSQL with PostGIS where Debian's packages (or TEST_DATABASE_URL) provide one. What the store
 * has no part in runs on one of the two (vitest.config.ts).
 * With REQUIRE_ALL=1 (the gate) a missing store or tool is a failure, not a skip.
 * Arguments are handed to vitest: `npm test -- http`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from './support/postgres-binaries.ts';
import { RUN_REPORT_ENV } from './support/run-report.ts';
import type { RunReport } from './support/run-report.ts';
import { summarize } from './support/run-summary.ts';
import type { Run } from './support/run-summary.ts';

const required = process.env['REQUIRE_ALL'] === '1';
const dir = mkdtempSync(join(tmpdir(), 'geoopslag-test-'));
const VITEST = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
/** One line a file, and what failing tests wrote: the whole log stays readable. */
const QUIET = [
  '--reporter=default',
  '--silent=passed-only',
  `--slowTestThreshold=${Number.MAX_SAFE_INTEGER}`,
  `--reporter=${join(import.meta.dirname, 'support/run-report.ts')}`,
];

/** Runs vitest once. */
function runSuite(name: string, env: Record<string, string>, args: readonly string[]): Run {
  console.log(`\n=== ${name}`);
  const path = join(dir, `${name.replaceAll(/\W+/g, '-')}.json`);
  const begun = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [VITEST, 'run', ...QUIET, ...args, ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, ...env, [RUN_REPORT_ENV]: path } },
  );
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunReport) : null;
  return { name, status, report, seconds: (performance.now() - begun) / 1000 };
}

const hasPostgres = findPostgres() !== null || process.env['TEST_DATABASE_URL'] !== undefined;
const runs = [
  runSuite(
    'embedded store (PGlite with PostGIS)',
    { TEST_STORE: 'embedded', TEST_PASSES: hasPostgres ? 'both' : 'one' },
    [],
  ),
];
if (hasPostgres) {
  runs.push(
    runSuite('PostgreSQL with PostGIS', { TEST_STORE: 'postgres' }, ['--project', 'store']),
  );
} else {
  console.log(
    "\nSKIPPED: the suite on PostgreSQL. Install Debian's postgresql-15-postgis-3 or set " +
      'TEST_DATABASE_URL to run it.',
  );
}

rmSync(dir, { recursive: true, force: true });
const { lines, ok } = summarize(runs);
for (const line of lines) console.log(line);
process.exitCode = ok && (hasPostgres || !required) ? 0 : 1;
