import type { CutTile, CutTileTask } from '../src/snapshot/tiles/tile-task.ts';
import { packedTile } from '../src/core/tasks/packed-tile.ts';
import { tileCutter } from './tile-cutters.ts';

export default function run({ snapshot, place }: CutTileTask): CutTile {
  return packedTile(tileCutter(snapshot).cut(place));
}
