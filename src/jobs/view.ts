/** What operators see of jobs: how they stand in the store, and what one process does with them. */
import type { Store } from '../db/connect.ts';
import type { JobRunner, RunnerView } from './runner.ts';
import { readJobFacts } from './sweep-store.ts';
import type { JobFacts } from './sweep-store.ts';

export interface JobView {
  readonly facts: JobFacts;
  /** null: this process works on none. */
  readonly runner: RunnerView | null;
}

/** Rejects when the store does. */
export function jobView(store: Pick<Store, 'db'>, runner: JobRunner | null) {
  return async (): Promise<JobView> => ({
    facts: await readJobFacts(store),
    runner: runner?.view() ?? null,
  });
}
