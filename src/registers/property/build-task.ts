/** The thread that builds the file of properties. */
import type { BuildRecordsTask, BuiltSnapshot } from '../../snapshot/build-task.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

export const BUILD_RECORDS: ThreadTask<BuildRecordsTask, BuiltSnapshot> = {
  file: new URL('./build.thread.ts', import.meta.url),
  ports: ({ port }) => [port],
};
