import { cutParcels } from '../src/snapshot/tiles/parcels.ts';
import type { CutParcelsTask, CutTile } from '../src/snapshot/tiles/tile-task.ts';
import { lowerThreadPriority } from './lower-priority.ts';
import { packedTile } from './packed-tile.ts';

lowerThreadPriority();

export default function run(task: CutParcelsTask): CutTile {
  return packedTile(cutParcels(task));
}
