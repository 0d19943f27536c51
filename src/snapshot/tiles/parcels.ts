/** Like a layer's tile. */
import { growingWords } from '../../geo/growing.ts';
import { RingSink, readWkb } from '../../geo/wkb.ts';
import { PARCEL_TILES } from '../../layers/keys.ts';
import { TileCutter } from './cut.ts';
import type { Outlines } from './shapes.ts';
import type { CutParcelsTask } from './tile-task.ts';

/** Empty: no parcel is in it. null: too many features. */
export function cutParcels({ place, wkb, lengths, tags }: CutParcelsTask): Uint8Array | null {
  const cutter = new TileCutter(outlinesOf(wkb, lengths), (feature) => tags[feature] ?? {});
  return cutter.cut(place);
}

function outlinesOf(wkb: Uint8Array, lengths: readonly number[]): Outlines {
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
    meta: { layer: PARCEL_TILES, geometry: 'area', featureCount: lengths.length },
    xy: sink.xy.view(),
    ringStarts: sink.starts.view(),
    ringKinds: sink.kinds.view(),
    featureRings: featureRings.view(),
  };
}
