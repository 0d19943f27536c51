/**
 * `npm test`: every lane this machine can run (vitest.config.ts), in one run. What takes a store runs on
 * PostgreSQL with PostGIS where one serves, or TEST_DATABASE_URL names one, and what must hold on both
 * stores on the embedded one as well. Without PostgreSQL a chosen core of it runs on the embedded store;
 * the first and the last lines say so, and what brings the rest.
 * Up to three files that failed are run again, alone; what passes then is told as flaky.
 * With REQUIRE_ALL=1 (the gate) a missing store or tool is a failure, not a skip.
 * Arguments: the name of a lane (`npm test -- unit`), or part of a path.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POSTGRES_ENV } from './support/postgres-binaries.ts';
import { filesToRunAgain, withSecondRuns } from './support/run-again.ts';
import { RUN_REPORT_ENV } from './support/run-report.ts';
import type { RunReport } from './support/run-report.ts';
import { EMBEDDED_CORE_ENV, isHeavy } from './support/run-settings.ts';
import { storeLine, summarize, whatWasNotRun } from './support/run-summary.ts';
import type { Run } from './support/run-summary.ts';
import { useScratchInMemory } from './support/scratch.ts';
import { missingTools } from './support/test-tools.ts';
import { chooseTestStore } from './support/test-store.ts';
import type { TestStoreChoice } from './support/test-store.ts';

const LANES: readonly string[] = ['unit', 'edge', 'store', 'embedded'];
const WITHOUT_STORE: readonly string[] = ['unit', 'edge'];
const VITEST = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
/** One line a file, and what failing tests wrote: the whole log stays readable. */
const QUIET = [
  '--reporter=default',
  '--silent=passed-only',
  `--slowTestThreshold=${Number.MAX_SAFE_INTEGER}`,
  `--reporter=${join(import.meta.dirname, 'support/run-report.ts')}`,
];

function run(args: readonly string[], env: NodeJS.ProcessEnv): Run {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-run-'));
  const path = join(dir, 'report.json');
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...QUIET, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env, [RUN_REPORT_ENV]: path },
  });
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunReport) : null;
  rmSync(dir, { recursive: true, force: true });
  return { seconds: (performance.now() - begun) / 1000, status, report };
}

/** Lanes that need none get none. `isCore`: who names a path means all of it. */
async function storeFor(
  given: readonly string[],
): Promise<{ readonly choice: TestStoreChoice | null; readonly isCore: boolean }> {
  if (given.length > 0 && given.every((arg) => WITHOUT_STORE.includes(arg))) {
    return { choice: null, isCore: false };
  }
  const { TEST_DATABASE_URL: databaseUrl, TEST_STORE: kind, REQUIRE_ALL } = process.env;
  const choice = await chooseTestStore({ databaseUrl, kind, isStrict: REQUIRE_ALL === '1' });
  const isWhole = given.every((arg) => LANES.includes(arg) || arg.startsWith('-'));
  return { choice, isCore: choice.kind === 'embedded' && isWhole && !isHeavy };
}

/** What runs keep for the next one, as the embedded store they copy. */
const KEPT = join(import.meta.dirname, '../.tmp');

function tryToKeep(): void {
  try {
    mkdirSync(KEPT, { recursive: true });
    accessSync(KEPT, constants.W_OK);
  } catch {
    throw new Error(
      `npm test writes into ${KEPT}, and this user may not: clone into a folder of its own.`,
    );
  }
}

async function main(given: readonly string[]): Promise<boolean> {
  tryToKeep();
  useScratchInMemory();
  const { choice, isCore } = await storeFor(given);
  if (choice !== null) console.log(storeLine(choice, isCore));
  const env = {
    ...(choice !== null && { TEST_STORE: choice.kind, [POSTGRES_ENV]: choice.bin ?? '' }),
    [EMBEDDED_CORE_ENV]: isCore ? '1' : '0',
  };
  const args = given.flatMap((arg) => (LANES.includes(arg) ? ['--project', arg] : [arg]));
  const first = run(args, env);
  const again = filesToRunAgain(first).map(({ file, lane }) => run(['--project', lane, file], env));
  const { lines, ok } = summarize(withSecondRuns(first, again));
  const missing = missingTools().map(({ name }) => name);
  for (const line of [...lines, ...whatWasNotRun({ choice, isCore, missing })]) console.log(line);
  return ok;
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  // Nothing was run: what was asked for cannot be had.
  console.error((error as Error).message);
  process.exitCode = 1;
}
