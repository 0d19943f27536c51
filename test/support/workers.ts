import type { Workers } from '../../src/core/tasks/workers.ts';
import { createWorkers } from '../../workers/pool.ts';

let pool: Workers | undefined;

/** One pool for the files of a process: its thread has loaded and compiled its tasks. Not to be closed. */
export function sharedWorkers(): Workers {
  return (pool ??= createWorkers({ threads: 1 }));
}
