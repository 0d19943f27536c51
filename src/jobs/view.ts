import type { JobRunner, RunnerView } from './runner.ts';
import type { JobFacts } from './sweep-store.ts';

export interface JobView {
  readonly facts: JobFacts;
  readonly runner: RunnerView | null;
}

export function jobViewOf(facts: JobFacts, runner: JobRunner | null): JobView {
  return { facts, runner: runner?.view() ?? null };
}
