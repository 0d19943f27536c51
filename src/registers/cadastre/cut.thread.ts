/** Worker task: one tile of parcels. */
import { cutParcels } from '../../snapshot/tiles/parcels.ts';
import type { CutParcelsTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import { lowerThreadPriority } from '../../../workers/lower-priority.ts';
import { packedTile } from '../../../workers/packed-tile.ts';

lowerThreadPriority();

export default function run(task: CutParcelsTask): CutTile {
  return packedTile(cutParcels(task));
}
