/** The last lines of `npm test`: what was slow, what was flaky, what failed, and the counts. */
import type { Failure, FileReport, RunReport } from './run-report.ts';

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
