import type { ThreadTask } from '../../../core/tasks/thread-task.ts';
import type { BuiltSnapshot } from '../../../snapshot/build-task.ts';
import type { RowSource } from '../../../snapshot/row-feed.ts';

/** Lists: PARCEL_LISTS. */
export interface BuildParcelsTask extends RowSource {
  readonly version: number;
  readonly path: string;
}

export const BUILD_PARCELS: ThreadTask<BuildParcelsTask, BuiltSnapshot> = {
  file: new URL('./build.thread.ts', import.meta.url),
  ports: ({ port }) => [port],
};
