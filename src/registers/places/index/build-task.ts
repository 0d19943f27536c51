import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import type { ThreadTask } from '../../../core/tasks/thread-task.ts';
import type { RowSource } from '../../../snapshot/row-feed.ts';

/** Lists: PLACE_LISTS. */
export interface BuildPlacesTask extends RowSource {
  readonly version: number;
  readonly paths: { readonly index: string; readonly shapes: string };
}

export const BUILD_PLACES: ThreadTask<BuildPlacesTask, BuiltSnapshot> = {
  file: new URL('./build.thread.ts', import.meta.url),
  ports: ({ port }) => [port],
};
