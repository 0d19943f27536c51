import { growingWords } from '../../geo/growing.ts';
import { RingSink, readWkb } from '../../geo/wkb.ts';
import { TileCutter } from './cut.ts';
import type { Outlines } from './shapes.ts';
import type { CutAreasTask } from './tile-task.ts';

/** Empty: no area is in the tile. null: too many features. */
export function cutAreas({ layer, place, wkb, lengths, tags }: CutAreasTask): Uint8Array | null {
  const cutter = new TileCutter(outlinesOf(layer, wkb, lengths), (feature) => tags[feature] ?? {});
  return cutter.cut(place);
}

function outlinesOf(layer: string, wkb: Uint8Array, lengths: readonly number[]): Outlines {
  const sink = new RingSink();
  const featureRings = growingWords();
  let at = 0;
  for (const length of lengths) {
    featureRings.push(sink.kinds.length);
    readWkb(wkb.subarray(at, at + length), sink);
    at += length;
  }
  featureRings.push(sink.kinds.length);
  sink.starts.push(sink.xy.length / 2);
  return {
    meta: { layer, geometry: 'area', featureCount: lengths.length },
    xy: sink.xy.view(),
    ringStarts: sink.starts.view(),
    ringKinds: sink.kinds.view(),
    featureRings: featureRings.view(),
  };
}
