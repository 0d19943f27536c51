/** A thread's own cutters over shared snapshots, made once; the older version of a layer is let go. */
import type { LayerId } from '../src/layers/keys.ts';
import { sealOf } from '../src/snapshot/format.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type { SharedSnapshot } from '../src/snapshot/layer.ts';
import { TileCutter } from '../src/snapshot/tiles/cut.ts';
import { tagsReader } from '../src/snapshot/tiles/tags.ts';
import { lowerThreadPriority } from './lower-priority.ts';

lowerThreadPriority();

const kept = new Map<LayerId, { readonly key: string; readonly cutter: TileCutter }>();

export function tileCutter({ layer, buffer, unanswered }: SharedSnapshot): TileCutter {
  const key = `${sealOf(buffer)}:${buffer.byteLength}`;
  const known = kept.get(layer);
  if (known?.key === key) return known.cutter;
  // Checked when it was loaded, by whoever shares it.
  const snapshot = openLayerSnapshot(buffer, { verified: true });
  const cutter = new TileCutter(snapshot, tagsReader(snapshot), unanswered?.unreadable);
  kept.set(layer, { key, cutter });
  return cutter;
}
