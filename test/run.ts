/**
 * `npm test`: every lane this machine can run (vitest.config.ts), in one run. What takes a store runs on
 * a private PostgreSQL with PostGIS where Debian's packages (or TEST_DATABASE_URL) provide one, and what
 * must hold on both stores on the embedded one as well; without PostgreSQL all of it is embedded.
 * Up to three files that failed are run again, alone; what passes then is told as flaky.
 * With REQUIRE_ALL=1 (the gate) a missing store or tool is a failure, not a skip.
 * Arguments: the name of a lane (`npm test -- unit`), or part of a path.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from './support/postgres-binaries.ts';
import { filesToRunAgain, withSecondRuns } from './support/run-again.ts';
import { RUN_REPORT_ENV } from './support/run-report.ts';
import type { RunReport } from './support/run-report.ts';
import { summarize } from './support/run-summary.ts';
import type { Run } from './support/run-summary.ts';

const LANES: readonly string[] = ['unit', 'edge', 'store', 'embedded'];
const VITEST = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
/** One line a file, and what failing tests wrote: the whole log stays readable. */
const QUIET = [
  '--reporter=default',
  '--silent=passed-only',
  `--slowTestThreshold=${Number.MAX_SAFE_INTEGER}`,
  `--reporter=${join(import.meta.dirname, 'support/run-report.ts')}`,
];

function run(args: readonly string[]): Run {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-run-'));
  const path = join(dir, 'report.json');
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...QUIET, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [RUN_REPORT_ENV]: path },
  });
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunReport) : null;
  rmSync(dir, { recursive: true, force: true });
  return { seconds: (performance.now() - begun) / 1000, status, report };
}

const hasPostgres = findPostgres() !== null || process.env['TEST_DATABASE_URL'] !== undefined;
const args = process.argv
  .slice(2)
  .flatMap((arg) => (LANES.includes(arg) ? ['--project', arg] : [arg]));
const first = run(args);
const again = filesToRunAgain(first).map(({ file, lane }) => run(['--project', lane, file]));
const { lines, ok } = summarize(withSecondRuns(first, again));
for (const line of lines) console.log(line);
if (!hasPostgres) {
  console.log(
    "SKIPPED: the tests on PostgreSQL. Install Debian's postgresql-15-postgis-3 or set " +
      'TEST_DATABASE_URL to run them.',
  );
}
process.exitCode = ok && (hasPostgres || process.env['REQUIRE_ALL'] !== '1') ? 0 : 1;
