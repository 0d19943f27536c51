/** What operators see of jobs: how they stand in the store, and what one process does with them. */
import type { JobRunner, RunnerView } from './runner.ts';
import type { JobFacts } from './sweep-store.ts';

export interface JobView {
  readonly facts: JobFacts;
  /** null: this process works on none. */
  readonly runner: RunnerView | null;
}

/** `facts`: what the store tells of them, or told. */
export function jobViewOf(facts: JobFacts, runner: JobRunner | null): JobView {
  return { facts, runner: runner?.view() ?? null };
}
