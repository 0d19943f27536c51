import { gzipSync } from 'node:zlib';
import type { CutTile } from '../../snapshot/tiles/tile-task.ts';
import { handOver } from './pool-move.ts';

export function packedTile(encoded: Uint8Array | null): CutTile {
  if (encoded === null) return null;
  const tile = packed(encoded);
  return tile.bytes === 0 ? tile : handOver(tile, [tile.gzipped.buffer]);
}

export function packed(encoded: Uint8Array) {
  // Its own buffer: zlib's result may be a view into a larger one.
  const gzipped = encoded.length === 0 ? encoded : Uint8Array.from(gzipSync(encoded));
  return { gzipped: gzipped as Uint8Array<ArrayBuffer>, bytes: encoded.length };
}
