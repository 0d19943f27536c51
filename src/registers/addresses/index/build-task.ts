/** The thread that builds the address index, as whoever has the rows asks for it. */
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import type { RowSource } from '../../../snapshot/row-feed.ts';
import type { ThreadTask } from '../../../core/tasks/thread-task.ts';

/** Build the address index from lines of text; lists: INDEX_LISTS. */
export interface BuildIndexTask extends RowSource {
  readonly version: number;
  /** File to write; null: none. */
  readonly path: string | null;
}

export const BUILD_INDEX: ThreadTask<BuildIndexTask, BuiltSnapshot> = {
  file: new URL('./build.thread.ts', import.meta.url),
  ports: ({ port }) => [port],
};
