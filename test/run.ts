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

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const required = process.env['REQUIRE_ALL'] === '1';
const dir = mkdtempSync(join(tmpdir(), 'geoopslag-test-'));
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
let broken = false;

/** Runs vitest once and adds its counts. A run that reports nothing is broken, never "0 failed". */
function runSuite(name: string, env: Record<string, string>, args: readonly string[]): void {
  console.log(`\n=== ${name}`);
  const report = join(dir, `${name.replaceAll(/\W+/g, '-')}.json`);
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const run = spawnSync(
    process.execPath,
    [vitest, 'run', ...reporters, ...args, ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  );
  if (!existsSync(report)) {
    broken = true;
    return;
  }
  const counts = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    success: boolean;
  };
  total.passed += counts.numPassedTests;
  total.failed += counts.numFailedTests;
  total.skipped += counts.numPendingTests;
  if (run.status !== 0) broken = true;
}

const hasPostgres = findPostgres() !== null || process.env['TEST_DATABASE_URL'] !== undefined;
runSuite(
  'embedded store (PGlite with PostGIS)',
  { TEST_STORE: 'embedded', TEST_PASSES: hasPostgres ? 'both' : 'one' },
  [],
);
if (hasPostgres) {
  runSuite('PostgreSQL with PostGIS', { TEST_STORE: 'postgres' }, ['--project', 'store']);
} else {
  console.log(
    "\nSKIPPED: the suite on PostgreSQL. Install Debian's postgresql-15-postgis-3 or set " +
      'TEST_DATABASE_URL to run it.',
  );
  if (required) broken = true;
}

rmSync(dir, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = broken || total.failed > 0 || total.passed === 0 ? 1 : 0;
