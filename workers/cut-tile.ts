/** Worker task: one tile of a layer, from shared memory to compressed bytes. */
import { gzipSync } from 'node:zlib';
import type { CutTile, CutTileTask } from '../src/snapshot/tiles/tile-task.ts';
import { handOver } from './pool-move.ts';
import { tileCutter } from './tile-cutters.ts';

export default function run({ snapshot, place }: CutTileTask): CutTile {
  const encoded = tileCutter(snapshot).cut(place);
  if (encoded === null) return null;
  if (encoded.length === 0) return { gzipped: encoded, bytes: 0 };
  // A buffer of its own: what zlib returns may be a view into a larger one.
  const gzipped = Uint8Array.from(gzipSync(encoded));
  return handOver({ gzipped, bytes: encoded.length }, [gzipped.buffer]);
}
