/** The last lines of `npm test`: what failed, what was slow, and the counts. */
import type { RunReport } from './run-report.ts';

/** One run of vitest; `report` null: it ended without one. */
export interface Run {
  readonly name: string;
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
export function summarize(runs: readonly Run[]): Summary {
  const files = runs.flatMap(({ name, report }) =>
    (report?.files ?? []).map((file) => ({ ...file, run: name })),
  );
  const slow = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const failed = runs.flatMap(failuresOf);
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const passed = sum((file) => file.passed);
  const failures = sum((file) => file.failures.length);
  const broken = runs.filter(({ report, status }) => report === null || status !== 0);
  return {
    ok: broken.length === 0 && failed.length === 0 && passed > 0,
    lines: [
      '',
      `Slowest ${slow.length} files`,
      ...slow.map((file) => `${file.seconds.toFixed(1).padStart(7)} s  ${file.file} (${file.run})`),
      '',
      ...runs.map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${name}`),
      '',
      ...(failed.length === 0 ? [] : ['Failed', ...failed, '']),
      `${passed} passed, ${failures} failed, ${sum((file) => file.skipped)} skipped`,
    ],
  };
}

function failuresOf({ name, status, report }: Run): string[] {
  if (report === null) return [`  ${name}: ended with status ${status} and no report`];
  const lines = [
    ...report.files.flatMap(({ file, failures }) =>
      failures.flatMap(({ test, message }) => [
        `  ${file} (${name}): ${test ?? 'the file itself'}`,
        `      ${message}`,
      ]),
    ),
    ...report.errors.map((message) => `  ${name}: ${message}`),
  ];
  if (lines.length === 0 && status !== 0) lines.push(`  ${name}: ended with status ${status}`);
  return lines;
}
