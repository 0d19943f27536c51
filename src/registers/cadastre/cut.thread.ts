/** Worker task: one tile of parcels. */
import { cutParcels } from '../../snapshot/tiles/parcels.ts';
import type { CutParcelsTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import { lowerThreadPriority } from '../../core/tasks/lower-priority.ts';
import { packedTile } from '../../core/tasks/packed-tile.ts';

lowerThreadPriority();

export default function run(task: CutParcelsTask): CutTile {
  return packedTile(cutParcels(task));
}
