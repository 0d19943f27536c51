/** Over shared snapshots, memoized; a layer's older version is dropped. */
import type { LayerId } from '../src/layers/keys.ts';
import { Last } from '../src/kernel/last.ts';
import { remember } from '../src/kernel/remember.ts';
import { keyOf } from '../src/snapshot/format.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type { SharedSnapshot } from '../src/snapshot/layer.ts';
import { TileCutter } from '../src/snapshot/tiles/cut.ts';
import { tagsReader } from '../src/snapshot/tiles/tags.ts';
import { lowerThreadPriority } from '../src/core/tasks/lower-priority.ts';

lowerThreadPriority();

const cutters = new Map<LayerId, Last<TileCutter>>();

export function tileCutter({ layer, buffer, unanswered }: SharedSnapshot): TileCutter {
  const last = remember(cutters, layer, () => new Last<TileCutter>());
  return last.of([keyOf(buffer)], () => {
    // Its owner checked it on loading.
    const snapshot = openLayerSnapshot(buffer, { verified: true });
    return new TileCutter(snapshot, tagsReader(snapshot), unanswered?.unreadable);
  });
}
