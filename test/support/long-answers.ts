/** The thread of long answers over a test's store. Close it before the store. */
import { longAnswersOf } from '../../src/core/tasks/stream-reader.ts';
import type { LongAnswers } from '../../src/core/tasks/stream-reader.ts';
import type { StoreAddress } from '../../src/core/tasks/stream-task.ts';
import { createWorkers } from '../../workers/pool.ts';

export interface OpenLongAnswers {
  readonly longAnswers: LongAnswers;
  close(): Promise<void>;
}

export function openLongAnswers(store: StoreAddress): OpenLongAnswers {
  const workers = createWorkers({ threads: 1 });
  return { longAnswers: longAnswersOf(workers, store), close: () => workers.close() };
}
