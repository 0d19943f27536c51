/** The thread of long answers over a test's store. Close it before the store. */
import { longAnswersOf } from '../../src/core/tasks/stream-reader.ts';
import type { StoreAddress } from '../../src/core/tasks/stream-task.ts';
import { createWorkers } from '../../workers/pool.ts';

export function openLongAnswers(store: StoreAddress) {
  const workers = createWorkers({ threads: 1 });
  return { longAnswers: longAnswersOf(workers, store), close: () => workers.close() };
}
