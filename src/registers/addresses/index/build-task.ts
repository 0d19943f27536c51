import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import type { RowSource } from '../../../snapshot/row-feed.ts';
import type { ThreadTask } from '../../../core/tasks/thread-task.ts';

/** From lines of text; lists: INDEX_LISTS. */
export interface BuildIndexTask extends RowSource {
  readonly version: number;
  readonly path: string | null;
}

export const BUILD_INDEX: ThreadTask<BuildIndexTask, BuiltSnapshot> = {
  file: new URL('./build.thread.ts', import.meta.url),
  ports: ({ port }) => [port],
};
