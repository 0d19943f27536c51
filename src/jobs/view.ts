/** What operators see of jobs: their state in the store, and this process's work. */
import type { JobRunner, RunnerView } from './runner.ts';
import type { JobFacts } from './sweep-store.ts';

export interface JobView {
  readonly facts: JobFacts;
  readonly runner: RunnerView | null;
}

/** `facts`: from the store, now or last. */
export function jobViewOf(facts: JobFacts, runner: JobRunner | null): JobView {
  return { facts, runner: runner?.view() ?? null };
}
