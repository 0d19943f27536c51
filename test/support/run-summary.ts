/** What `npm test` says of itself: its store first; at the end what was slow, flaky, failed and not run. */
import type { Failure, FileReport, RunReport } from './run-report.ts';
import type { TestStoreChoice } from './test-store.ts';

/** One run of vitest; `report` null: it ended without one. */
export interface Run {
  readonly seconds: number;
  readonly status: number | null;
  readonly report: RunReport | null;
}

const SLOWEST = 20;

export interface Summary {
  readonly lines: readonly string[];
  /** False as well when nothing ran: no report is never "0 failed". */
  readonly ok: boolean;
}

/** Slowest files first, then failures: the end of a log is what is read. */
export function summarize(run: Run): Summary {
  const files = run.report?.files ?? [];
  const slow = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const failed = failuresOf(run);
  const flaky = files.flatMap((file) => linesOf(file, file.flaky ?? []));
  const sum = (of: (file: FileReport) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const passed = sum((file) => file.passed);
  const failures = sum((file) => file.failures.length);
  return {
    ok: run.status === 0 && failed.length === 0 && passed > 0,
    lines: [
      '',
      `Slowest ${slow.length} files`,
      ...slow.map(({ seconds, file, lane }) => `${secondsOf(seconds)}  ${file} (${lane})`),
      '',
      'Files of each lane, added up',
      ...[...Map.groupBy(files, ({ lane }) => lane)].map(
        ([lane, own]) =>
          `${secondsOf(own.reduce((all, { seconds }) => all + seconds, 0))}  ${lane}`,
      ),
      '',
      ...(flaky.length === 0 ? [] : ['Flaky: failed, and passed when run again', ...flaky, '']),
      ...(failed.length === 0 ? [] : ['Failed', ...failed, '']),
      `${passed} passed, ${failures} failed, ${sum((file) => file.skipped)} skipped ` +
        `in ${run.seconds.toFixed(0)} s`,
    ],
  };
}

function secondsOf(seconds: number): string {
  return `${seconds.toFixed(1).padStart(7)} s`;
}

function failuresOf({ status, report }: Run): string[] {
  if (report === null) return [`  vitest: ended with status ${status} and no report`];
  const lines = [
    ...report.files.flatMap((file) => linesOf(file, file.failures)),
    ...report.errors.map((message) => `  vitest: ${message}`),
  ];
  if (lines.length === 0 && status !== 0) lines.push(`  vitest: ended with status ${status}`);
  return lines;
}

function linesOf({ file, lane }: FileReport, failures: readonly Failure[]): string[] {
  return failures.flatMap(({ test, message }) => [
    `  ${file} (${lane}): ${test ?? 'the file itself'}`,
    `      ${message}`,
  ]);
}

/** The one command: root has it done, anybody else is told what to run. */
const SETUP =
  process.platform === 'linux' && process.getuid?.() === 0
    ? 'npm run test:setup -- --install'
    : 'npm run test:setup';
const NIGHT = 'npm run test:nightly -- suite-embedded';

/** The first line: where the tests run, and where that is not PostgreSQL, why, and what is left out. */
export function storeLine({ kind, name, refusals }: TestStoreChoice, isCore: boolean): string {
  if (kind === 'postgres') return `Store: ${name}.`;
  const why = refusals.length === 0 ? '' : `; ${refusals.join('; ')}`;
  const left = isCore ? ', nor the embedded store beyond its core' : '';
  return (
    `Store: ${name}${why}. Not run: the tests on PostgreSQL${left}` +
    (refusals.length === 0 ? '.' : `. What brings them: ${SETUP}`)
  );
}

export interface NotRun {
  /** null: no lane that takes a store. */
  readonly choice: TestStoreChoice | null;
  readonly isCore: boolean;
  readonly missing: readonly string[];
}

/** The very last lines; none where everything was run that was asked for. */
export function whatWasNotRun({ choice, isCore, missing }: NotRun): readonly string[] {
  if (choice === null) return [];
  const { kind, refusals } = choice;
  return [
    ...(kind === 'embedded' && refusals.length > 0
      ? [`NOT RUN: the tests on PostgreSQL (${refusals.join('; ')}). What brings them: ${SETUP}`]
      : []),
    ...(isCore ? [`NOT RUN: the embedded store beyond its core. By night: ${NIGHT}`] : []),
    ...(missing.length > 0 ? [`NOT HERE: ${missing.join(', ')}. What brings them: ${SETUP}`] : []),
  ];
}
