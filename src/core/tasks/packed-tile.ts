import { gzipSync } from 'node:zlib';
import type { CutTile } from '../../snapshot/tiles/tile-task.ts';
import { handOver } from './pool-move.ts';

/** null: refused. */
export function packedTile(encoded: Uint8Array | null): CutTile {
  if (encoded === null) return null;
  if (encoded.length === 0) return { gzipped: encoded, bytes: 0 };
  // Its own buffer: zlib's result may be a view into a larger one.
  const gzipped = Uint8Array.from(gzipSync(encoded));
  return handOver({ gzipped, bytes: encoded.length }, [gzipped.buffer]);
}
