import { cutAreas } from '../../snapshot/tiles/areas.ts';
import type { CutAreasTask, CutTile } from '../../snapshot/tiles/tile-task.ts';
import { lowerThreadPriority } from '../../core/tasks/lower-priority.ts';
import { packedTile } from '../../core/tasks/packed-tile.ts';

lowerThreadPriority();

export default function run(task: CutAreasTask): CutTile {
  return packedTile(cutAreas(task));
}
