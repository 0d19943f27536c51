/** Over shared snapshots, memoized; a layer's older version is dropped. */
import type { LayerId } from '../src/layers/keys.ts';
import { sealOf } from '../src/snapshot/format.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type { SharedSnapshot } from '../src/snapshot/layer.ts';
import { TileCutter } from '../src/snapshot/tiles/cut.ts';
import { tagsReader } from '../src/snapshot/tiles/tags.ts';
import { lowerThreadPriority } from '../src/core/tasks/lower-priority.ts';

lowerThreadPriority();

const kept = new Map<LayerId, { readonly key: string; readonly cutter: TileCutter }>();

export function tileCutter({ layer, buffer, unanswered }: SharedSnapshot): TileCutter {
  const key = `${sealOf(buffer)}:${buffer.byteLength}`;
  const known = kept.get(layer);
  if (known?.key === key) return known.cutter;
  // Checked when loaded, by its owner.
  const snapshot = openLayerSnapshot(buffer, { verified: true });
  const cutter = new TileCutter(snapshot, tagsReader(snapshot), unanswered?.unreadable);
  kept.set(layer, { key, cutter });
  return cutter;
}
