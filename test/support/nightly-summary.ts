/** What the last night of each part said: kept in the repository, so that the gate says how old it is. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface PartRun {
  /** ISO date. */
  readonly date: string;
  /** The commit that ran, short; null without git. */
  readonly commit: string | null;
  /** Share of the settings, 0 to 1. */
  readonly share: number;
  readonly seed: string;
  readonly seconds: number;
  readonly passed: boolean;
  readonly result: string;
}

export type NightSummary = Readonly<Record<string, PartRun>>;

const DAY_MS = 86_400_000;

/** Empty where no night was kept. */
export function readSummary(path: string): NightSummary {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as NightSummary;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Parts that were not run keep their last run; the order of names is that of the alphabet. */
export function keepRuns(path: string, runs: NightSummary): void {
  const all = Object.entries({ ...readSummary(path), ...runs });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b)));
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** One line for the night, then one for each part that failed or never ran. */
export function ageLines(summary: NightSummary, names: readonly string[], now: Date): string[] {
  const runs = names.flatMap((name) => summary[name] ?? []);
  const days = ({ date }: PartRun): number => Math.floor((+now - Date.parse(date)) / DAY_MS);
  const oldest = Math.max(0, ...runs.map(days));
  const least = Math.min(1, ...runs.map(({ share }) => share));
  return [
    `Night: ${runs.length} of ${names.length} parts were run, the oldest ${oldest} days ago, ` +
      `the smallest with share ${least}.`,
    ...names.flatMap((name) => {
      const run = summary[name];
      if (run === undefined) return [`  ${name}: never run`];
      return run.passed ? [] : [`  ${name}: FAILED ${days(run)} days ago: ${run.result}`];
    }),
  ];
}
