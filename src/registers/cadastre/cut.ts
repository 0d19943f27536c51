import type { CutParcelsTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

export const CUT_PARCELS: ThreadTask<CutParcelsTask, CutTile> = {
  file: new URL('./cut.thread.ts', import.meta.url),
  isOfMaps: true,
};
