/**
 * `npm run bench [-- --json] [-- name …]`: every benchmark, ours beside a reference in one run.
 * `--json` prints one object a line: { what, value, unit, reference, ratio, gate, pass }.
 */
import { flag } from './harness/options.ts';
import { formatRow } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';

type Bench = () => Promise<readonly BenchRow[]> | AsyncIterable<BenchRow>;

/** Benchmarks by name; loaded when asked for, so one can run without the others. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  engines: async () => (await import('./engines.ts')).benchEngines,
  addresses: async () => (await import('./addresses.ts')).benchAddresses,
  differential: async () => (await import('./differential.ts')).benchDifferential,
  'address-http': async () => (await import('./address-http.ts')).benchAddressHttp,
  http: async () => (await import('./http.ts')).benchHttp,
};

/** Minutes of work: run only when named. */
const ON_DEMAND: typeof BENCHES = {
  conditions: async () => (await import('./conditions.ts')).benchConditions,
  changes: async () => (await import('./changes.ts')).benchChanges,
  property: async () => (await import('./property.ts')).benchProperty,
  dawa: async () => (await import('./dawa.ts')).benchDawa,
  jobs: async () => (await import('./jobs.ts')).benchJobs,
  watch: async () => (await import('./watch.ts')).benchWatch,
  files: async () => (await import('./files.ts')).benchFiles,
  threads: async () => (await import('./threads.ts')).benchThreads,
  fairness: async () => (await import('./fairness.ts')).benchFairness,
  'national-day': async () => (await import('./national-day.ts')).benchNationalDay,
  'wash-real': async () => (await import('./cleansing-real.ts')).benchCleansingReal,
};

const known = { ...BENCHES, ...ON_DEMAND };
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in known));
if (unknown.length > 0) {
  const names = Object.keys(known).join(', ');
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Known: ${names}`);
  process.exit(2);
}

for (const [name, load] of Object.entries(asked.length > 0 ? known : BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  if (!flag('json')) console.log(`\n${name}`);
  const bench = await load();
  for await (const row of await bench()) {
    console.log(flag('json') ? JSON.stringify(row) : formatRow(row));
  }
}
