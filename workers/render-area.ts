/** Worker task: one area's geometry to the compressed part of the answers that carry it. */
import { areaGeometryJson } from '../src/geo/rings-text.ts';
import { partOf } from '../src/kernel/gzip.ts';
import { handOver } from './pool-move.ts';
import type { RenderAreaTask, RenderedArea } from './protocol.ts';

export default function run({ wkb }: RenderAreaTask): RenderedArea {
  const part = partOf(areaGeometryJson(wkb));
  // A buffer of its own: what zlib returns may be a view into a larger one.
  const deflated = Uint8Array.from(part.deflated);
  return handOver({ ...part, deflated }, [deflated.buffer]);
}
