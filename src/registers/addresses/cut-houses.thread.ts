import { cutHouses } from '../../snapshot/tiles/points.ts';
import type { CutHousesTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import { lowerThreadPriority } from '../../core/tasks/lower-priority.ts';
import { packedTile } from '../../core/tasks/packed-tile.ts';

lowerThreadPriority();

export default function run(task: CutHousesTask): CutTile {
  return packedTile(cutHouses(task));
}
