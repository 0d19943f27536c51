import { areaGeometryJson } from '../../geo/rings-text.ts';
import { gzipPiece } from '../../kernel/gzip.ts';
import { handOver } from '../../core/tasks/pool-move.ts';
import type { RenderAreaTask, RenderedArea } from './render.ts';

export default function run({ wkb }: RenderAreaTask): RenderedArea {
  const piece = gzipPiece(areaGeometryJson(wkb));
  // Its own buffer: zlib's result may be a view into a larger one.
  const deflated = Uint8Array.from(piece.deflated);
  return handOver({ ...piece, deflated }, [deflated.buffer]);
}
