/**
 * `npm run test:nightly [-- <part> …] [--share S]`: what takes too long for every change. Each part is a
 * program or some test files in their heavy setting, one after the other; a part that fails does not
 * keep the next from running. `--share` takes that share of every setting, for trying it out; a whole
 * suite is then tried in the settings of the gate. test/nightly.json keeps the last run of each part, for the
 * next commit; `--age` runs nothing and says how old they are, which the gate prints.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runParts } from './support/nightly-parts.ts';
import type { Part } from './support/nightly-parts.ts';
import { ageLines, keepRuns, readSummary } from './support/nightly-summary.ts';
import { findPostgres } from './support/postgres-binaries.ts';
import { decimalOf } from '../src/kernel/number-texts.ts';
import { HEAVY_ENV, SEED_ENV, drawnSeed, seedFrom } from './support/run-settings.ts';
import { useScratchInMemory } from './support/scratch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const VITEST = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');

const { values, positionals } = parseArgs({
  options: { share: { type: 'string', default: '1' }, age: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const share = decimalOf(values.share) ?? 0;
if (share <= 0 || share > 1) throw new Error('--share is more than 0 and at most 1.');
const of = (most: number): string => String(Math.max(1, Math.round(most * share)));

/** Another each night; `TEST_SEED=` before the command plays a night again. */
const given = process.env[SEED_ENV];
const seed = String(given === undefined ? drawnSeed() : seedFrom(given));
/** Where no PostgreSQL serves, a night tries what is there. */
const isStrict = findPostgres() !== null || (process.env['TEST_DATABASE_URL'] ?? '') !== '';
const settings = {
  [SEED_ENV]: seed,
  [HEAVY_ENV]: share === 1 ? '1' : '0',
  REQUIRE_ALL: process.env['REQUIRE_ALL'] ?? (isStrict ? '1' : '0'),
};

/** Nothing but skipped tests is no pass. */
const TESTS_PASSED = /^\s*Tests\s.*\d+ passed/;

/** A command line of this repository that ends with its result. */
const program = (name: string, path: string, count: number, limitMs: number): Part => ({
  name,
  args: [join(import.meta.dirname, path), '--count', of(count), '--seed', seed],
  env: {},
  limitMs,
  result: /^[\d,]+ \w+, .*\d/,
});

/** Test files on PostgreSQL, in the setting that `env` makes heavy. Some of them run by night alone, of any share. */
const tests = (
  name: string,
  files: readonly string[],
  { env, limitMs }: Pick<Part, 'env' | 'limitMs'>,
): Part => ({
  name,
  args: [VITEST, 'run', ...files],
  env: { ...settings, [HEAVY_ENV]: '1', TEST_STORE: 'postgres', ...env },
  limitMs,
  result: TESTS_PASSED,
});

/** Everything that takes a store, on a store of one kind. */
const wholeStore = (kind: 'postgres' | 'embedded'): Part => ({
  name: `suite-${kind}`,
  args: [VITEST, 'run', '--project', 'store'],
  env: { ...settings, TEST_STORE: kind },
  limitMs: 2 * HOUR_MS,
  result: TESTS_PASSED,
});

/** What needs no store. */
const withoutStore: Part = {
  name: 'unit-edge',
  args: [VITEST, 'run', '--project', 'unit', '--project', 'edge'],
  env: settings,
  limitMs: HOUR_MS,
  result: TESTS_PASSED,
};

/** The newcomer's command, all of it, where this machine's PostgreSQL is hidden. */
const newcomer: Part = {
  name: 'newcomer',
  args: [join(import.meta.dirname, 'newcomer.ts'), ...(share === 1 ? ['--whole'] : [])],
  env: { [SEED_ENV]: '', [HEAVY_ENV]: '' },
  limitMs: HOUR_MS,
  result: /^no PostgreSQL: ok/,
};

const PARTS: readonly Part[] = [
  withoutStore,
  wholeStore('postgres'),
  wholeStore('embedded'),
  {
    ...wholeStore('postgres'),
    name: 'suite-threads',
    // Programs that tests start have three request threads. What is heavy with threads has parts of its own.
    env: { ...wholeStore('postgres').env, [HEAVY_ENV]: '0', REQUEST_THREADS: '3' },
  },
  newcomer,
  // A second, at a load of 28 on two cores: 10 of layers, 0.4 of rows, 1.3 of dates, 5 of conditions; 49 of layers
  // after the first thousand at a load of 10. Rows and dates are 500 of these, conditions 2,000 more: what a night
  // of two hours holds beside the other parts.
  program('faults', 'faults/cli.ts', 20_000, 2 * HOUR_MS),
  // 96 a second at a load of 28.
  program('fuzz', 'fuzz/cli.ts', 100_000, HOUR_MS),
  {
    ...program('fuzz-threads', 'fuzz/cli.ts', 20_000, HOUR_MS),
    env: { REQUEST_THREADS: '3' },
  },
  tests('outages', ['test/http/store-outage.test.ts'], {
    env: { OUTAGE_S: of(600) },
    limitMs: 3 * HOUR_MS,
  }),
  tests('fast-path', ['test/edge/fast-path-differential.test.ts'], {
    env: { FUZZ_ROUNDS: of(2_000) },
    limitMs: HOUR_MS,
  }),
  tests('silent-line', ['test/db/silent-line.test.ts'], { env: {}, limitMs: HOUR_MS }),
  tests('failover', ['test/db/failover.test.ts'], { env: {}, limitMs: HOUR_MS }),
  tests('job-crashes', ['test/jobs/crash.test.ts'], {
    env: { JOB_CRASHES: of(100) },
    limitMs: HOUR_MS,
  }),
  tests('property-crashes', ['test/faults/property-kill.test.ts'], {
    env: { PROPERTY_CRASHES: of(50) },
    limitMs: HOUR_MS,
  }),
  tests('job-answers', ['test/jobs/engine.test.ts'], {
    env: { JOB_ROWS: of(10_000) },
    limitMs: HOUR_MS,
  }),
  tests('thread-kills', ['test/threads/request-threads'], {
    env: { THREAD_KILLS: of(100) },
    limitMs: 2 * HOUR_MS,
  }),
  tests('attacks-threads', ['test/attacks'], {
    env: { REQUEST_THREADS: '3' },
    limitMs: HOUR_MS,
  }),
  tests('metering-crashes', ['test/metering/crash.test.ts'], {
    env: { METERING_CRASHES: of(100) },
    limitMs: HOUR_MS,
  }),
];

const unknown = positionals.find((name) => !PARTS.some((part) => part.name === name));
if (unknown !== undefined) {
  throw new Error(`${unknown} is no part: ${PARTS.map(({ name }) => name).join(', ')}.`);
}
const SUMMARY = join(import.meta.dirname, 'nightly.json');
if (values.age) {
  const names = PARTS.map(({ name }) => name);
  for (const line of ageLines(readSummary(SUMMARY), names, new Date())) console.log(line);
} else {
  const chosen = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  process.exitCode = (await runNight(chosen)) === 0 ? 0 : 1;
}

/** The parts that failed. What each part wrote stays when the night is over. */
async function runNight(parts: readonly Part[]): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'geoopslag-nightly-'));
  useScratchInMemory();
  console.log(`${SEED_ENV}=${seed}`);
  const commit = commitHere();
  const { failed } = await runParts(parts, {
    directory,
    say: (line) => console.log(line),
    ended: (name, outcome) => {
      const date = new Date().toISOString().slice(0, 10);
      keepRuns(SUMMARY, { [name]: { date, commit, share, seed, ...outcome } });
    },
  });
  return failed;
}

function commitHere(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
